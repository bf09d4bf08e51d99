package weights

import (
	"os"
	"slices"
	"strings"
	"testing"

	"quintune/pattern"
)

// TestFingerprintsArePinned fails when names, order or bounds change. With -update it appends new fingerprints,
// but never changes those of earlier schemas.
func TestFingerprintsArePinned(t *testing.T) {
	const path = "testdata/fingerprints"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pinned := strings.Fields(string(data))
	for i, fingerprint := range current.past[:min(len(current.past), len(pinned))] {
		if fingerprint != pinned[i] {
			t.Fatalf("schema %d is %s, pinned is %s: new weights are since schema %d; where one that files have was altered, see alteredSchemas",
				i+1, fingerprint, pinned[i], len(pinned)+1)
		}
	}
	got := append(slices.Clone(current.past), current.fingerprint)
	switch {
	case *update && len(got) >= len(pinned):
		if err := os.WriteFile(path, []byte(strings.Join(got, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	case !slices.Equal(got, pinned):
		t.Errorf("schemas 1 to %d are %v, pinned are %v", SchemaNumber(), got, pinned)
	}
}

// A weight counts where its group does.
func TestWeightsCountWithTheirGroups(t *testing.T) {
	for _, g := range Groups() {
		for _, d := range Declarations() {
			for rule := range pattern.Rule(pattern.NumRules) {
				if d.Group == g.Name && d.Counts(rule) != g.counts(rule) {
					t.Errorf("%s counts under %v: %v, its group: %v", d.Name, rule, d.Counts(rule), g.counts(rule))
				}
			}
		}
	}
}

// TestClassesAreSinceTheirSchema declares one class of lines and one of cells later than the others.
func TestClassesAreSinceTheirSchema(t *testing.T) {
	lines, cells := slices.Clone(lineRows[:]), slices.Clone(cellRows[:])
	lines[pattern.OpenTwo].since, cells[0].since = 7, 8
	for _, test := range []struct {
		decls []Decl
		class string // of the late weights
		since [2]int // of the others, of the late ones
	}{
		{lineDecls("line", lines), "open_two", [2]int{1, 7}},
		{cellDecls("tempo", "best cell", cells), cells[0].class.String(), [2]int{1, 8}},
		{pairDecls(lines), "open_two", [2]int{6, 7}},
		{blackDecls(lineDecls("order", lines)), "open_two", [2]int{2, 7}},
		{forbiddenDecls(), "forbidden", [2]int{0, 2}},
	} {
		t.Run(test.decls[0].Group, func(t *testing.T) {
			late := 0
			for _, d := range test.decls {
				_, class, _ := strings.Cut(d.class(), ".")
				want := test.since[0]
				if slices.Contains(strings.Split(class, "_and_"), test.class) {
					want = test.since[1]
					late++
				}
				if d.Since != want {
					t.Errorf("%s is since schema %d, want %d", d.Name, d.Since, want)
				}
			}
			if late == 0 {
				t.Errorf("no weight of %s", test.class)
			}
		})
	}
}

var testGroups = []Group{{Name: "a"}, {Name: "b"}}

func testDecl(name string, since int, neutral int32) Decl {
	return Decl{
		Name: name, Group: name[:1], Min: -5, Max: 50, Scale: Log, Ref: 10, Gene: true, Since: since, Neutral: neutral,
	}
}

func TestFingerprintCoversNamesOrderBounds(t *testing.T) {
	x, y := testDecl("a.x", 1, 0), testDecl("a.y", 1, 0)
	moved, renamed, documented := x, x, x
	moved.Max++
	renamed.Name = "a.z"
	documented.Doc, documented.Ref, documented.Scale = "other", 7, Linear
	base := mustSchema(testGroups, []Decl{x, y}, nil).fingerprint
	for name, test := range map[string]struct {
		decls []Decl
		same  bool
	}{
		"same":  {[]Decl{x, y}, true},
		"doc":   {[]Decl{documented, y}, true},
		"order": {[]Decl{y, x}, false},
		"bound": {[]Decl{moved, y}, false},
		"name":  {[]Decl{renamed, y}, false},
		"fewer": {[]Decl{x}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := mustSchema(testGroups, test.decls, nil).fingerprint; (got == base) != test.same {
				t.Errorf("%s: fingerprint %s against %s", name, got, base)
			}
		})
	}
}

func TestNewSchemaRefuses(t *testing.T) {
	edit := func(f func(*Decl)) []Decl {
		d := testDecl("a.x", 1, 0)
		f(&d)
		return []Decl{testDecl("a.w", 1, 0), testDecl("b.w", 1, 0), d}
	}
	tests := []struct {
		name  string
		decls []Decl
		want  string
	}{
		{"twice", edit(func(d *Decl) { d.Name = "a.w" }), "a.w is declared twice"},
		{"group in the name", edit(func(d *Decl) { d.Group = "b" }), "a.x is not named after its group"},
		{"no group", edit(func(d *Decl) { d.Name, d.Group = "c.x", "c" }), `group "c", which is not declared`},
		{"before the first", edit(func(d *Decl) { d.Since = 0 }), "a.x is since schema 0, the first is 1"},
		{"gap", edit(func(d *Decl) { d.Since = 3 }), "nothing is new in schema 2"},
		{"ends before it begins", edit(func(d *Decl) { d.Since, d.Until = 3, 2 }), "a.x ends with schema 2, before its first, 3"},
		{"reference", edit(func(d *Decl) { d.Ref = 51 }), "a.x is 51, outside [-5, 50]"},
		{"neutral", edit(func(d *Decl) { d.Neutral = -6 }), "a.x is -6, outside [-5, 50]"},
		{"no room", edit(func(d *Decl) { d.Min, d.Max, d.Ref = 0, 0, 0 }), "a.x is a gene with no room in [0, 0]"},
		{"log of zero", edit(func(d *Decl) { d.Ref = 0 }), "a.x has reference 0"},
		{"unknown predecessor", edit(func(d *Decl) { d.Above = "a.z" }), `a.x is above "a.z"`},
		{"other group", edit(func(d *Decl) { d.Above = "b.w" }), `a.x is above "b.w"`},
		{"linear with predecessor", edit(func(d *Decl) { d.Above, d.Scale = "a.w", Linear }), `a.x is above "a.w"`},
		{"scale", edit(func(d *Decl) { d.Scale = numScales }), "a.x has scale 3, outside [0, 2]"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if _, err := newSchema(testGroups, test.decls, nil); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, want %s", test.name, err, test.want)
			}
		})
	}
}

// TestUpgrade reads files of older schemas. Schema 1 has a.x, schema 2 also a.y, schema 3 also b.x and another order, and
// schema 4 adds b.y. The list of altered schemas identifies the first two; the others follow from the declaration.
func TestUpgrade(t *testing.T) {
	x, y, bx := testDecl("a.x", 1, 0), testDecl("a.y", 2, 7), testDecl("b.x", 3, -3)
	first := mustSchema(testGroups, []Decl{x}, nil)
	second := mustSchema(testGroups, []Decl{x, y}, nil)
	third := mustSchema(testGroups, []Decl{y, bx, x}, []string{first.fingerprint, second.fingerprint})
	fourth := mustSchema(testGroups, []Decl{y, bx, x, testDecl("b.y", 4, 9)}, third.past)
	file := func(s *schema, values ...int32) []byte {
		data, err := s.marshal(&Set{Name: "old", Rule: pattern.Freestyle, Size: 15, Values: values})
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	relabel := func(data []byte, from, to *schema) []byte {
		return []byte(strings.Replace(string(data), from.fingerprint, to.fingerprint, 1))
	}
	tests := []struct {
		name   string
		reader *schema
		data   []byte
		values []int32 // nil: the file is refused
		err    string
	}{
		{"first by first", first, file(first, 4), []int32{4}, ""},
		{"first by second", second, file(first, 4), []int32{4, 7}, ""},
		{"first by third", third, file(first, 4), []int32{7, -3, 4}, ""},
		{"second by third", third, file(second, 4, 5), []int32{5, -3, 4}, ""},
		{"third by third", third, file(third, 5, 6, 4), []int32{5, 6, 4}, ""},
		{"first by fourth", fourth, file(first, 4), []int32{7, -3, 4, 9}, ""},
		{"second by fourth", fourth, file(second, 4, 5), []int32{5, -3, 4, 9}, ""},
		{"third by fourth", fourth, file(third, 5, 6, 4), []int32{5, 6, 4, 9}, ""},
		{"second by first", first, file(second, 4, 5), nil, "is unknown here"},
		{"missing under its own schema", third, relabel(file(first, 4), first, second), nil, "a.y is missing"},
		{"too new for its schema", third, relabel(file(second, 4, 5), second, first), nil, `unknown key "a.y"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, err := test.reader.unmarshal(test.data)
			switch {
			case test.values == nil:
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("%s: got %v, want %s", test.name, err, test.err)
				}
			case err != nil || !slices.Equal(s.Values, test.values):
				t.Errorf("%s: got %v, %v, want %v", test.name, s, err, test.values)
			}
		})
	}
}
