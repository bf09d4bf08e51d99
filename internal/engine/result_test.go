package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/weights"
)

func TestResultsAreReadAsWritten(t *testing.T) {
	f := &File{Path: "params.yaml", Parameters: []Parameter{
		{Name: "depth", Kind: Int, Scale: Linear, Start: 3, Min: 1, Max: 9, Group: "all"},
		{Name: "width", Kind: Float, Scale: Log, Start: .5, Min: .1, Max: 2, Group: "all"},
	}}
	path := filepath.Join(t.TempDir(), "best.json")
	written := Result{
		Name: "brain-01234567", Engine: "brain", Values: Values{{"depth", 4}, {"width", .625}},
		Provenance: &weights.Provenance{Run: "0123", Start: "brain", Validation: &weights.Validation{Elo: 12.3456}},
	}
	data, err := written.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(string(data))
	read, err := f.ReadResult(path)
	if err != nil {
		t.Fatal(err)
	}
	again, err := read.Marshal()
	if err != nil || string(again) != string(data) || read.Provenance.Validation.Elo != 12.35 {
		t.Errorf("read and written again it is %s, want %s (%v)", again, data, err)
	}
	for text, want := range map[string]string{
		`{"values": {"width": 1, "depth": 2}}`:                                          "",
		`{"values": {"width": 1}}`:                                                      "depth is missing",
		`{"values": {"width": 1, "depth": 2, "speed": 1}}`:                              "speed",
		`{"values": {"width": 3, "depth": 2}}`:                                          "outside [0.1, 2]",
		`{"values": {"width": 1, "depth": 2.5}}`:                                        "not a whole number",
		`{"values": {"width": 1, "depth": 2, "depth": 3}}`:                              "depth",
		`{"format": "other/1", "values": {"width": 1, "depth": 2}}`:                     "other/1",
		`{"values": {"width": 1, "depth": 2}, "name": "a\u001b[2J"}`:                    `the name "a\x1b[2J" has an unprintable character`,
		`{"values": {"width": 1, "depth": 2}, "engine": "b\n"}`:                         "unprintable",
		`{"values": {"width": 1, "depth": 2, "a\u001b[31m": 3}}`:                        "is not a letter followed by letters",
		`{"values": {"width": 1, "depth": 2}, "provenance": {"run": "r\u001b[31m"}}`:    "provenance.run",
		`{"values": {"width": 1, "depth": 2}, "provenance": {"run": "r", "games": -5}}`: "provenance.games is -5",
		`{"format": "quintune.weights/1", "schema": ""}`:                                "this is a weights file, not a values file",
		`{"value": {}}`: "value",
	} {
		t.Run(text, func(t *testing.T) {
			write(text)
			if _, err := f.ReadResult(path); (err == nil) != (want == "") || err != nil && (!strings.Contains(err.Error(), want) || strings.Count(err.Error(), "engine: ") > 1) {
				t.Errorf("%s: error %v, want %q in it and the package once", text, err, want)
			}
		})
	}
}
