package weights

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quintune/pattern"
)

// mustPreset returns a preset.
func mustPreset(t testing.TB, name string) *Set {
	t.Helper()
	s, err := Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func mustMarshal(t testing.TB, s *Set) []byte {
	t.Helper()
	data, err := Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// proven returns a set with a value in every field of its provenance.
func proven(t testing.TB) *Set {
	s := mustPreset(t, "zhang")
	s.Rule, s.Size = pattern.Standard, 20
	s.Provenance = &Provenance{
		Run: "r1", Start: "huang", Seed: math.MaxUint64, Games: 400, Generations: 3, Nodes: 1000,
		Optimizer: "ga", Engine: "e1", Commit: "c1", Proven: true,
		Validation: &Validation{
			Opponent: "huang <&>", Nodes: 1000, Pairs: 15, Games: 30, Pentanomial: [5]int64{1, 2, 3, 4, 5},
			Elo: 23.456, EloLow: -0.001, EloHigh: 48, Openings: "o1", Seed: 7,
		},
	}
	return s
}

func TestFileKeepsTheSet(t *testing.T) {
	sets := []*Set{proven(t)}
	for _, name := range PresetNames() {
		sets = append(sets, mustPreset(t, name))
	}
	unproven := proven(t)
	unproven.Provenance.Proven, unproven.Provenance.Validation = false, nil
	further := proven(t)
	further.Provenance.Further = []Validation{*further.Provenance.Validation, {Opponent: "zhang", Nodes: 4000}}
	rising := proven(t)
	rising.Provenance.FirstNodes = 250
	sets = append(sets, unproven, further, rising)
	for _, s := range sets {
		data := mustMarshal(t, s)
		back, err := Unmarshal(data)
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if !back.Equal(s) {
			t.Errorf("%s: read %+v, wrote %+v", s.Name, back, s)
		}
		if !bytes.Equal(mustMarshal(t, back), data) {
			t.Errorf("%s: equal sets give different bytes", s.Name)
		}
		if !json.Valid(data) || data[len(data)-1] != '\n' {
			t.Errorf("%s: not JSON with a newline at the end", s.Name)
		}
	}
}

func TestProvenanceLayout(t *testing.T) {
	got := string(mustMarshal(t, proven(t)))
	want := `  "provenance": {
    "run": "r1",
    "start": "huang",
    "seed": 18446744073709551615,
    "games": 400,
    "generations": 3,
    "nodes": 1000,
    "optimizer": "ga",
    "engine": "e1",
    "commit": "c1",
    "proven": true,
    "validation": {
      "opponent": "huang <&>",
      "nodes": 1000,
      "pairs": 15,
      "games": 30,
      "pentanomial": [1, 2, 3, 4, 5],
      "elo": 23.46,
      "elo_low": 0.00,
      "elo_high": 48.00,
      "openings": "o1",
      "seed": 7
    }
  }
}
`
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant the end\n%s", got, want)
	}
	if head := `"name": "zhang", "rule": "standard", "size": 20,`; !strings.Contains(got, head) {
		t.Errorf("no line %s", head)
	}
}

// TestUnmarshalRefuses edits a valid file in one place. The error must name the key and its bound.
func TestUnmarshalRefuses(t *testing.T) {
	good := string(mustMarshal(t, proven(t)))
	const four = `"line.four.self": 3000,`
	value := func(v string) [2]string { return [2]string{four, `"line.four.self": ` + v + `,`} }
	tests := []struct {
		name string
		edit [2]string // old text, new text
		want string
	}{
		{"too large", value("90000"), "weights: line.four.self is 90000, outside [0, 20000]"},
		{"negative", value("-1"), "weights: line.four.self is -1, outside [0, 20000]"},
		{"huge", value("99999999999999999999"), "weights: line.four.self is 99999999999999999999, outside [0, 20000]"},
		{"exponent", value("1e999"), "weights: line.four.self is 1e999, not a whole number in [0, 20000]"},
		{"fraction", value("1.5"), "weights: line.four.self is 1.5, not a whole number in [0, 20000]"},
		{"text", value(`"3000"`), "weights: line.four.self is not a number in [0, 20000]"},
		{"null", value("null"), "weights: line.four.self is not a number in [0, 20000]"},
		{"list", value("[3000]"), "weights: line.four.self is not a number in [0, 20000]"},
		{"NaN", value("NaN"), "weights: at line.four.self, line 26: invalid character 'N' at start of value"},
		{"infinity", value("Infinity"), "weights: at line.four.self, line 26: invalid character 'I' at start of value"},
		{"minus infinity", value("-Infinity"), "weights: at line.four.self, line 26: invalid character 'I' in number (expecting digit)"},
		{"deep", value(strings.Repeat("[", 20) + strings.Repeat("]", 20)), "weights: line.four.self is not a number in [0, 20000]"},
		{"deeper", value(strings.Repeat("[", 20000)), "weights: at line.four.self[0][0]"},
		{"missing weight", [2]string{four, ""}, "weights: line.four.self is missing"},
		{"duplicate weight", [2]string{four, four + four}, "weights: line.four.self occurs twice"},
		{"unknown weight", [2]string{four, four + `"line.six.self": 1,`}, `weights: unknown key "line.six.self"`},
		{"case", [2]string{"line.four.self", "line.Four.self"}, `weights: unknown key "line.Four.self" (did you mean "line.four.self"?)`},
		{"values of an engine", [2]string{Format, "quintune.values/1"}, `format is "quintune.values/1", not "quintune.weights/1": values of an engine are played as engine:FILE@VALUES`},
		{"values without a format", [2]string{`"format": "` + Format + `"`, `"values": {}`}, "weights: the file holds values, not weights: values of an engine are played as engine:FILE@VALUES"},
		{"checkpoint", [2]string{Format, "quintune.checkpoint/1"}, "format is \"quintune.checkpoint/1\", not \"quintune.weights/1\": a checkpoint goes on with `tune resume FILE`"},
		{"format", [2]string{Format, "quintune.weights/2"}, `weights: format is "quintune.weights/2", not "quintune.weights/1"`},
		{"schema", [2]string{Fingerprint(), "0123456789abcdef"}, `weights: schema "0123456789abcdef" is unknown here`},
		{"rule", [2]string{`"standard"`, `"Standard"`}, `weights: rule "Standard" is not one of [freestyle standard`},
		{"small board", [2]string{`"size": 20`, `"size": 4`}, "weights: size is 4, outside [5, 22]"},
		{"large board", [2]string{`"size": 20`, `"size": 23`}, "weights: size is 23, outside [5, 22]"},
		{"no name", [2]string{`"name": "zhang"`, `"name": ""`}, "weights: name has 0 bytes, outside [1, 100]"},
		{"escape in the name", [2]string{`"name": "zhang"`, `"name": "\u001b[2J"`}, `weights: name "\x1b[2J" has the unprintable character U+001B`},
		{"missing name", [2]string{`"name": "zhang",`, ``}, "weights: name is missing"},
		{"duplicate key", [2]string{`"name": "zhang",`, `"name": "zhang", "name": "x",`}, "weights: name occurs twice"},
		{"unknown key", [2]string{`"name": "zhang",`, `"name": "zhang", "Name": "x",`}, `weights: unknown key "Name" (did you mean "name"?)`},
		{"weights not an object", [2]string{`"weights": {`, `"weights": 3, "x": {`}, "weights: weights is not an object"},
		{"no comma", [2]string{four, `"line.four.self": 3000`}, "weights: at weights, line 27: invalid character '\"' after object value (expecting ',' or '}')"},
		{"trailing data", [2]string{"  }\n}\n", "  }\n}\n{}"}, "invalid character '{' after top-level value"},
		{"provenance unknown", [2]string{`"run":`, `"host": "h", "run":`}, `weights: unknown key "provenance.host"`},
		{"provenance missing", [2]string{`"run": "r1",`, ``}, "weights: provenance.run is missing"},
		{"provenance games", [2]string{`"games": 400`, `"games": -400`}, "weights: provenance.games is -400, outside [0, 9007199254740992]"},
		{"provenance seed", [2]string{`"seed": 7`, `"seed": -7`}, "weights: provenance.validation.seed is not a whole number in [0, 18446744073709551615]"},
		{"provenance proven", [2]string{`"proven": true`, `"proven": 1`}, "weights: provenance.proven is not true or false"},
		{"elo", [2]string{"23.46", "1e300"}, "weights: provenance.validation.elo is 1e+300, outside [-100000, 100000]"},
		{"short pentanomial", [2]string{"[1, 2, 3, 4, 5]", "[1, 2, 3, 4]"}, "weights: provenance.validation.pentanomial is not a list of 5 values"},
		{"negative pentanomial", [2]string{"[1, 2, 3, 4, 5]", "[1, 2, 3, 4, -5]"}, "weights: provenance.validation.pentanomial[4] is -5, outside [0, 9007199254740992]"},
		{"pairs", [2]string{`"pairs": 15`, `"pairs": 16`}, "weights: provenance.validation.pairs is 16, but the pentanomial has 15"},
		{"not UTF-8", [2]string{"zhang", "zh\xffng"}, "weights: at name, line 4: invalid UTF-8"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			bad := strings.Replace(good, test.edit[0], test.edit[1], 1)
			if bad == good {
				t.Fatalf("the file has no %q", test.edit[0])
			}
			s, err := Unmarshal([]byte(bad))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, %v; want the error %s", s, err, test.want)
			}
			if s != nil {
				t.Errorf("a set comes with the error %v", err)
			}
		})
	}
}

func TestUnmarshalRefusesEveryTruncation(t *testing.T) {
	good := mustMarshal(t, proven(t))
	for n := range len(good) - 2 { // the last two bytes are "}\n"
		if _, err := Unmarshal(good[:n]); err == nil || !strings.Contains(err.Error(), "ends early") {
			t.Fatalf("cut after %d of %d bytes: %v", n, len(good), err)
		}
	}
}

func TestUnmarshalRefusesMissingWeights(t *testing.T) {
	good := mustMarshal(t, mustPreset(t, "huang"))
	for _, d := range Declarations() {
		lines := strings.SplitAfter(string(good), "\n")
		for i, line := range lines {
			if strings.Contains(line, `"`+d.Name+`"`) {
				if !strings.Contains(line, ",") { // the last weight has no comma
					lines[i-1] = strings.Replace(lines[i-1], ",", "", 1)
				}
				lines[i] = ""
			}
		}
		_, err := Unmarshal([]byte(strings.Join(lines, "")))
		if want := "weights: " + d.Name + " is missing"; err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestUnmarshalBoundsTheInput(t *testing.T) {
	good := mustMarshal(t, mustPreset(t, "huang"))
	padded := append(bytes.Clone(good), bytes.Repeat([]byte(" "), MaxFile-len(good))...)
	if _, err := Unmarshal(padded); err != nil {
		t.Errorf("a file of %d bytes: %v", len(padded), err)
	}
	if _, err := Unmarshal(append(padded, ' ')); err == nil {
		t.Errorf("a file of %d bytes was read", len(padded)+1)
	}
}

func TestUnmarshalWithoutProvenance(t *testing.T) {
	good := string(mustMarshal(t, mustPreset(t, "huang")))
	cut := strings.Replace(good, ",\n  \"provenance\": null", "", 1)
	s, err := Unmarshal([]byte(cut))
	if cut == good || err != nil || s.Provenance != nil {
		t.Errorf("got %v, %v", s, err)
	}
}

func TestMarshalRefusesBrokenSets(t *testing.T) {
	tests := []struct {
		name string
		edit func(*Set)
		want string
	}{
		{"value", func(s *Set) { s.Values[0] = -1 }, "weights: line.dead.self is -1, outside [0, 20000]"},
		{"short", func(s *Set) { s.Values = s.Values[:3] }, "weights: a set has 3 values"},
		{"rule", func(s *Set) { s.Rule = 9 }, "weights: rule is 9, outside [0,"},
		{"size", func(s *Set) { s.Size = 0 }, "weights: size is 0, outside [5, 22]"},
		{"name", func(s *Set) { s.Name = strings.Repeat("x", 101) }, "weights: name has 101 bytes"},
		{"NaN", func(s *Set) { s.Provenance.Validation.Elo = math.NaN() }, "weights: provenance.validation.elo is NaN"},
		{"first nodes", func(s *Set) { s.Provenance.FirstNodes = -1 }, "weights: provenance.first_nodes is -1, outside [0,"},
		{"further", func(s *Set) { s.Provenance.Further = []Validation{{}, {Pairs: 3}} }, "weights: provenance.further[1].pairs is 3, but"},
		{"infinite", func(s *Set) { s.Provenance.Validation.EloLow = math.Inf(-1) }, "weights: provenance.validation.elo_low is -Inf"},
		{"text", func(s *Set) { s.Provenance.Start = "a\nb" }, "weights: provenance.start"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := proven(t)
			test.edit(s)
			if _, err := Marshal(s); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want %s", test.name, err, test.want)
			}
		})
	}
}

func FuzzUnmarshal(f *testing.F) {
	f.Add(mustMarshal(f, mustPreset(f, "huang")))
	f.Add(mustMarshal(f, proven(f)))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Unmarshal(data)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "weights: ") {
				t.Errorf("the error %q does not say where it is from", err)
			}
			return
		}
		if !json.Valid(data) {
			t.Error("not JSON, but read")
		}
		back, err := Unmarshal(mustMarshal(t, s))
		if err != nil || !back.Equal(s) {
			t.Errorf("read %+v, wrote and read %+v, %v", s, back, err)
		}
	})
}

func TestLoadNamesTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(path, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{path, path + ".none"} {
		t.Run(p, func(t *testing.T) {
			if _, err := Load(p); err == nil || !strings.Contains(err.Error(), p) {
				t.Errorf("%s: %v", p, err)
			}
		})
	}
}
