package strictjson

import (
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	for text, says := range map[string]string{
		` {"a": 1} `:       "",
		`{"a": 1, "b": 2}`: "unknown field",
		`{"a": 1} {}`:      "more than one JSON value",
		`{"a": 1} x`:       "more than one JSON value",
		`{"a": "1"}`:       "cannot unmarshal",
		`{"a": 1`:          "unexpected EOF",
		``:                 "EOF",
	} {
		var got struct{ A int }
		err := Decode([]byte(text), &got)
		if says == "" && (err != nil || got.A != 1) || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}
