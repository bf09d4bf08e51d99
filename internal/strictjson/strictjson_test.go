package strictjson

import (
	"strings"
	"testing"
)

// inner and outer have one field of each kind that stored values have.
type inner struct {
	Seed  uint64    `json:"seed"`
	Count [2]int64  `json:"count"`
	Elo   float64   `json:"elo"`
	List  []float64 `json:"list,omitempty"`
}

type outer struct {
	Name   string         `json:"name"`
	Done   bool           `json:"done"`
	Inner  *inner         `json:"inner"`
	Inners []inner        `json:"inners,omitempty"`
	Bytes  map[string]int `json:"bytes,omitempty"`
}

func TestDecode(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"good":                         {` {"name": "a", "done": true, "inner": {"seed": 1, "count": [1, 2], "elo": 1e3, "list": null}} `, ""},
		"missing":                      {`{}`, ""},
		"unknown":                      {`{"name": "a", "b": 2}`, `unknown key "b"`},
		"unknown within":               {`{"inner": {"host": 2}}`, `unknown key "inner.host"`},
		"case":                         {`{"inners": [{"Seed": 2}]}`, `unknown key "inners[0].Seed" (did you mean "seed"?)`},
		"duplicate":                    {`{"inner": {"seed": 1, "seed": 1}}`, "inner.seed occurs twice"},
		"duplicate key":                {`{"bytes": {"x": 1, "x": 1}}`, "bytes.x occurs twice"},
		"two values":                   {`{"name": "a"} {}`, "after top-level value"},
		"trailing":                     {`{"name": "a"} x`, "after top-level value"},
		"string":                       {`{"name": 1}`, "name is not a string"},
		"bool":                         {`{"done": 1}`, "done is not true or false"},
		"unsigned":                     {`{"inner": {"seed": -1}}`, "inner.seed is not a whole number in [0, 18446744073709551615]"},
		"fraction":                     {`{"inner": {"seed": 1.5}}`, "inner.seed is not a whole number in [0, 18446744073709551615]"},
		"too large":                    {`{"inner": {"count": [1, 9223372036854775808]}}`, "inner.count[1] is not a whole number in [-9223372036854775808, 9223372036854775807]"},
		"short array":                  {`{"inner": {"count": [1]}}`, "inner.count is not a list of 2 values"},
		"long array":                   {`{"inner": {"count": [1, 2, 3]}}`, "inner.count is not a list of 2 values"},
		"number":                       {`{"inner": {"elo": "1"}}`, "inner.elo is not a number"},
		"NaN":                          {`{"inner": {"elo": NaN}}`, "at inner.elo, line 1: invalid character 'N'"},
		"list":                         {`{"inner": {"list": 1}}`, "inner.list is not a list"},
		"object":                       {`{"inner": 1}`, "inner is not an object"},
		"another value":                {`[1]`, "the JSON is not an object"},
		"not UTF-8":                    {"{\"name\": \"\xff\"}", "at name, line 1: invalid UTF-8"},
		"truncated":                    {`{"name": "a"`, "the JSON ends early"},
		"truncated value":              {`{"name": tr`, "the JSON ends early"},
		"UTF-16, as PowerShell writes": {"\xff\xfe{\x00}\x00", "is UTF-16: save the file as UTF-8"},
		"UTF-16, big end first":        {"\xfe\xff\x00{\x00}", "is UTF-16: save the file as UTF-8"},
		"byte order mark":              {"\xef\xbb\xbf{}", "begins with a byte order mark: save the file as UTF-8 without it"},
		"empty":                        {``, "the JSON ends early"},
	} {
		t.Run(name, func(t *testing.T) {
			var got outer
			check(t, Decode([]byte(test.text), &got), test.want)
		})
	}
}

func TestDecodeComplete(t *testing.T) {
	const whole = `{"seed": 1, "count": [1, 2], "elo": 1}`
	for name, test := range map[string]struct{ text, want string }{
		"good":            {`{"name": "a", "done": true, "inner": ` + whole + `, "inners": [` + whole + `]}`, ""},
		"pointer is null": {`{"name": "a", "done": true, "inner": null}`, ""},
		"missing":         {`{"name": "a", "inner": null}`, "done is missing"},
		"missing within":  {`{"name": "a", "done": true, "inner": {"seed": 1, "elo": 1}}`, "inner.count is missing"},
		"missing in list": {`{"name": "a", "done": true, "inner": null, "inners": [` + whole + `, {}]}`, "inners[1].seed is missing"},
		"null":            {`{"name": null, "done": true, "inner": null}`, "name is not a string"},
		"null list":       {`{"name": "a", "done": true, "inner": null, "inners": null}`, "inners is not a list"},
		"unknown":         {`{"name": "a", "done": true, "inner": null, "b": 1}`, `unknown key "b"`},
	} {
		t.Run(name, func(t *testing.T) {
			var got outer
			check(t, DecodeComplete([]byte(test.text), &got), test.want)
		})
	}
}

func check(t *testing.T, err error, want string) {
	t.Helper()
	if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
		t.Errorf("got %v, want %q", err, want)
	}
}
