package engine_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"quintune/internal/engine"
)

// good is an engine file without fault; tests change a line of it.
const good = `command: sh brain.sh
pass: info
parameters:
  - {name: attack, kind: int, start: 20, min: 5, max: 80, scale: log, group: eval}
  - name: defence
    kind: float
    start: 0.5
    min: 0
    max: 2
  - {name: depth, kind: int, start: 4, min: 1, max: 9, scale: linear, step: 2, group: search}
`

// write makes a folder with the files and returns the path of the first.
func write(t *testing.T, files ...string) string {
	t.Helper()
	dir := t.TempDir()
	for i := 0; i < len(files); i += 2 {
		if err := os.WriteFile(filepath.Join(dir, files[i]), []byte(files[i+1]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, files[0])
}

// read reads an engine file with a template and a brain beside it.
func read(t *testing.T, text string) (*engine.File, error) {
	t.Helper()
	return engine.Read(write(t, "params.yaml", text, "config.toml.in", template, "brain.sh", "exit 0\n"))
}

const template = "[eval]\nattack = {{attack}}\ndefence = {{ defence }} # of 2\n[search]\ndepth = {{depth}}\n"

func TestReadRefusesByName(t *testing.T) {
	templated := strings.Replace(good, "pass: info", "pass: template\ntemplate: config.toml.in", 1)
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", good + "colour: red\n", "line 11: colour is not a key"},
		{"weights", "{\n  \"format\": \"quintune.weights/1\"\n}\n", "this is a weights file, not an engine file"},
		{"unknown key of a parameter", strings.Replace(good, "    kind: float", "    kind: float\n    low: 1", 1), "line 7: parameters[1].low is not a key"},
		{"doubled key", good + "pass: info\n", "line 11: pass is given twice"},
		{"doubled name", strings.Replace(good, "name: depth", "name: attack", 1), `line 10: parameters[2].name "attack" is given twice`},
		{"start out of bounds", strings.Replace(good, "start: 20", "start: 81", 1), "line 4: attack: start is 81, outside [5, 80]"},
		{"bounds the wrong way", strings.Replace(good, "max: 2", "max: 0", 1), "line 8: defence: min is 0, not below max 0"},
		{"log from 0", strings.Replace(good, "min: 5", "min: 0", 1), "line 4: attack: min is 0: scale log wants a min above 0"},
		{"int with a fraction", strings.Replace(good, "start: 4", "start: 4.5", 1), "line 10: depth: start is 4.5, not a whole number"},
		{"not a number", strings.Replace(good, "start: 4", "start: four", 1), `line 10: depth: start is "four", not a number`},
		{"not finite", strings.Replace(good, "max: 2", "max: .inf", 1), `max is ".inf", not a number`},
		{"step too long", strings.Replace(good, "step: 2", "step: 9", 1), "depth: step is 9, outside [0, max - min = 8]"},
		{"missing bound", strings.Replace(good, "    min: 0\n", "", 1), "line 5: defence: min is missing"},
		{"unknown kind", strings.Replace(good, "kind: float", "kind: real", 1), `line 6: defence: kind is "real", not one of [int float]`},
		{"unknown pass", strings.Replace(good, "pass: info", "pass: file", 1), `line 2: pass is "file", not one of [info argument`},
		{"no pass", strings.Replace(good, "pass: info\n", "", 1), "pass is missing"},
		{"no command", strings.Replace(good, "command: sh brain.sh\n", "", 1), "command is missing"},
		{"no program", strings.Replace(good, "command: sh", "command: ./nobody", 1), `/nobody" cannot be run: no such file`},
		{"no program in PATH", strings.Replace(good, "command: sh", "command: nobody-has-this", 1), `line 1: command: program "nobody-has-this" cannot be run: executable file not found`},
		{"template that is not there", strings.Replace(good, "pass: info", "pass: template\ntemplate: no.toml", 1), "line 3: template: open "},
		{"no parameters", "command: sh\npass: info\nparameters: []\n", "line 3: parameters is not a list"},
		{"key of the protocol", strings.Replace(good, "name: depth", "name: max_node", 1), `line 10: parameters[2].name "max_node" is a key of the protocol itself`},
		{"name with a blank", strings.Replace(good, "name: depth", "name: max depth", 1), `"max depth" is not a letter followed by`},
		{"variable", strings.Replace(strings.Replace(good, "name: depth", "name: max-depth", 1), "pass: info", "pass: environment", 1), `"max-depth" cannot be the name of an environment variable`},
		{"limit", good + "limit: 2h\n", `limit "2h" is neither nodes nor a time`},
		{"template with another pass", good + "template: config.toml.in\n", "line 11: template is not for pass info"},
		{"placeholder of a file that is not written", strings.Replace(good, "brain.sh", "brain.sh {file}", 1), "line 1: command holds {file}"},
		{"unknown placeholder", strings.Replace(templated, "name: depth", "name: plies", 1), "config.toml.in: line 5: placeholder {{depth}} is not a parameter"},
		{"parameter without placeholder", templated + "  - {name: extra, kind: int, start: 1, min: 0, max: 2}\n", "parameter extra has no placeholder {{extra}}"},
		{"no template", strings.Replace(good, "pass: info", "pass: template", 1), "template is missing"},
		{"output in a folder", templated + "file: ../config.toml\n", `file "../config.toml" is not the name of a file`},
		{"reload without a file", templated + "reload: READ\n", "reload is not one line of the protocol with {file} in it"},
		{"not a weight", strings.Replace(good, "pass: info", "pass: weights\nweights: huang", 1), "attack is not a weight"},
		{"second document", good + "---\na: b\n", "a second document follows"},
		{"second document with an error", good + "---\n: : }\n", "did not find expected"},
		{"key of the protocol that we send", strings.Replace(good, "name: depth", "name: show_detail", 1), `"show_detail" is a key of the protocol itself`},
		{"empty", "", "the file is empty"},
		{"a list", "[1, 2]\n", "line 1: the file is not a list of keys and values"},
		{"syntax", "command: [\n", "line 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := read(t, c.text); err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "params.yaml: ") {
				t.Errorf("Read gives %v, want an error of params.yaml with %q", err, c.want)
			}
		})
	}
}

func TestHashCoversWhatDecides(t *testing.T) {
	path := write(t, "params.yaml", strings.Replace(good, "pass: info", "pass: template\ntemplate: config.toml.in", 1),
		"config.toml.in", template, "brain.sh", "exit 0\n")
	hashes := map[string]string{}
	note := func(of string) {
		t.Helper()
		f, err := engine.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		if before, ok := hashes[f.Hash()]; ok {
			t.Errorf("%s has the hash of %s", of, before)
		}
		hashes[f.Hash()] = of
	}
	note("the file")
	for _, change := range []struct{ name, file, from, to string }{
		{"another template", "config.toml.in", "of 2", "of two"},
		{"another executable", "brain.sh", "exit 0", "exit 1"},
		{"another bound", "params.yaml", "max: 80", "max: 81"},
		{"another limit", "params.yaml", "pass: template", "limit: 50ms\npass: template"},
	} {
		t.Run(change.name, func(t *testing.T) {
			changed := filepath.Join(filepath.Dir(path), change.file)
			data, err := os.ReadFile(changed)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(changed, []byte(strings.Replace(string(data), change.from, change.to, 1)), 0o600); err != nil {
				t.Fatal(err)
			}
			note(change.name)
		})
	}
}

func TestSpace(t *testing.T) {
	f, err := read(t, good)
	if err != nil {
		t.Fatal(err)
	}
	space, err := f.Space(f.Start(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		genes []float64
		want  string
	}{
		{[]float64{0, 0, 0}, `{"attack":20,"defence":0.5,"depth":4}`},
		{[]float64{1, 1, 1}, `{"attack":80,"defence":2,"depth":9}`},
		{[]float64{-1, -1, -7}, `{"attack":5,"defence":0,"depth":1}`},
		{[]float64{0.5, 0.1, 0.5}, `{"attack":40,"defence":0.65,"depth":6}`},
	} {
		t.Run(c.want, func(t *testing.T) {
			values, err := space.Decode(c.genes)
			if err != nil {
				t.Fatal(err)
			}
			if got, _ := values.MarshalJSON(); string(got) != c.want {
				t.Errorf("genes %v give %s, want %s", c.genes, got, c.want)
			}
		})
	}
	for _, genes := range [][]float64{{0, 0}, {math.NaN(), 0, 0}} {
		if _, err := space.Decode(genes); err == nil {
			t.Errorf("genes %v are accepted", genes)
		}
	}
	if space, err = f.Space(f.Start(), []string{"search"}); err != nil {
		t.Fatal(err)
	}
	if values, err := space.Decode([]float64{1}); err != nil || !values.Equal(engine.Values{{Name: "attack", Number: 20}, {Name: "defence", Number: 0.5}, {Name: "depth", Number: 9}}) {
		t.Errorf("the group search alone gives %v, %v", values, err)
	}
	base := engine.Values{{Name: "attack", Number: 21}, {Name: "defence", Number: 0.7}, {Name: "depth", Number: 7}}
	if space, err = f.Space(base, []string{"search"}); err != nil {
		t.Fatal(err)
	}
	if values, err := space.Decode(space.Encode(base)); err != nil || !values.Equal(base) {
		t.Errorf("the base %v gives %v, %v", base, values, err)
	}
	if _, err := f.Space(f.Start(), []string{"book"}); err == nil || !strings.Contains(err.Error(), `"book" is not one of [eval all search]`) {
		t.Errorf("an unknown group gives %v", err)
	}
}

func TestValuesEncodeToThemselves(t *testing.T) {
	f, err := read(t, good)
	if err != nil {
		t.Fatal(err)
	}
	space, err := f.Space(f.Start(), nil)
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		values, err := space.Decode(rapid.SliceOfN(rapid.Float64Range(-1, 1), 3, 3).Draw(t, "genes"))
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Check(values); err != nil {
			t.Fatal(err)
		}
		again, err := space.Decode(space.Encode(values))
		if err != nil || !again.Equal(values) {
			t.Fatalf("%v encode to %v, %v", values, again, err)
		}
		data, err := values.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var read engine.Values
		if err := read.UnmarshalJSON(data); err != nil || !read.Equal(values) || read.Hash() != values.Hash() {
			t.Fatalf("%s is read as %v, %v", data, read, err)
		}
	})
}

func TestCheckRefusesValues(t *testing.T) {
	f, err := read(t, good)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ json, want string }{
		{`{"attack":20,"defence":0.5,"depth":10}`, "depth is 10, outside [1, 9]"},
		{`{"attack":20.5,"defence":0.5,"depth":4}`, "attack is 20.5, not a whole number"},
		{`{"attack":20,"defence":0.5}`, "the value of depth is missing"},
		{`{"attack":20,"defence":0.5,"depth":4,"width":1}`, `value "width" is not a parameter`},
		{`{"defence":0.5,"attack":20,"depth":4}`, "value 1 is defence, not attack"},
		{`{"attack":"20"}`, `value "attack" is not a number`},
		{`{"attack":20,"attack":20}`, "duplicate"},
		{`[20]`, "not a JSON object"},
	} {
		t.Run(c.json, func(t *testing.T) {
			var values engine.Values
			err := values.UnmarshalJSON([]byte(c.json))
			if err == nil {
				err = f.Check(values)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s gives %v, want an error with %q", c.json, err, c.want)
			}
		})
	}
}

func TestForm(t *testing.T) {
	for _, c := range []struct{ pass, path, want string }{
		{"info", "best.info", "INFO attack 40\nINFO defence 2.0\nINFO depth 9\n"},
		{"argument", "best.arguments", "--attack=40\n--defence=2.0\n--depth=9\n"},
		{"environment", "best.env", "attack=40\ndefence=2.0\ndepth=9\n"},
		{"template\ntemplate: config.toml.in", "best.toml", "[eval]\nattack = 40\ndefence = 2.0 # of 2\n[search]\ndepth = 9\n"},
		{"template\ntemplate: config.toml.in\nfile: p.json", "best.engine.json", "[eval]\nattack = 40\ndefence = 2.0 # of 2\n[search]\ndepth = 9\n"},
	} {
		t.Run(c.pass, func(t *testing.T) {
			f, err := read(t, strings.Replace(good, "pass: info", "pass: "+c.pass, 1))
			if err != nil {
				t.Fatal(err)
			}
			data, err := f.Form(engine.Values{{Name: "attack", Number: 40}, {Name: "defence", Number: 2}, {Name: "depth", Number: 9}})
			if path := f.FormPath("best.json"); err != nil || path != c.path || string(data) != c.want {
				t.Errorf("pass %s: %q in %s, %v; want %q in %s", c.pass, data, path, err, c.want, c.path)
			}
			if path := f.FormPath(os.DevNull); path != "" {
				t.Errorf("pass %s: beside %s it is in %s, want none", c.pass, os.DevNull, path)
			}
		})
	}
}

// An engine with names of its own gets them in the format of weights files.
func TestFormOfForeignWeights(t *testing.T) {
	f, err := read(t, strings.Replace(good, "pass: info", "pass: weights", 1))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"format":"quintune.weights/1","name":"brain","weights":{"attack":20,"defence":0.5,"depth":4}}`
	data, err := f.Form(f.Start())
	if got := strings.Join(strings.Fields(string(data)), ""); err != nil || f.FormPath("v.json") != "v.weights.json" || got != want {
		t.Errorf("the weights are %s, in %s, %v; want %s", got, f.FormPath("v.json"), err, want)
	}
}

func TestFormOfWeights(t *testing.T) {
	f, err := read(t, `command: sh brain.sh --weights {file}
pass: weights
weights: huang
parameters:
  - {name: search.lmr_base, kind: int, start: 256, min: -2048, max: 4096}
`)
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.Form(engine.Values{{Name: "search.lmr_base", Number: 300}})
	if err != nil || !strings.Contains(string(data), `"search.lmr_base": 300,`) {
		t.Errorf("the weights are %s, %v", data, err)
	}
}
