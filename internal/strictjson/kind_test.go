package strictjson

import "testing"

func TestCheckKind(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		kind Kind
		want string
	}{
		"the same":         {`{"format": "quintune.weights/1"}`, Weights, ""},
		"a later one":      {`{"format": "quintune.weights/2", "new": 1}`, Weights, ""},
		"another":          {`{"a": {}, "format": "quintune.checkpoint/1"}`, Engine, "this is a checkpoint, not an engine file"},
		"of many lines":    {"{\"format\":\"quintune.game/1\"}\n{", Configuration, "this is a record of games, not a configuration file"},
		"no format":        {`{"values": {}}`, Weights, "this is a values file, not a weights file"},
		"a foreign format": {`{"format": "other/1", "values": {}}`, Weights, ""},
		"a number":         {`{"format": 1}`, Weights, ""},
		"cut off":          {`{"format": "quintune.weights/1"`, Values, ""},
		"another language": {"format: quintune.weights/1", Values, ""},
		"nothing":          {"", Values, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := CheckKind([]byte(test.text), test.kind); err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("%s: got %q, want %q", test.text, got, test.want)
			}
		})
	}
}
