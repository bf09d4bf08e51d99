package weights

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"quintune/pattern"
)

// TestPresetValues compares weights with values computed by hand from the authors' tables.
func TestPresetValues(t *testing.T) {
	tests := []struct {
		preset, class  string
		self, opponent int32
	}{
		{"huang", "open_four", 4750, 3600},
		{"huang", "open_three_2", 1730, 1425},
		{"huang", "open_three", 1550, 1150},
		{"huang", "open_two", 260, 240},
		{"huang", "open_two_3", 260, 240},
		{"huang", "closed_one", 15, 10},
		{"huang", "dead", 0, 0},
		{"huang", "five", 20000, 15000},
		{"zhang", "open_four", 10000, 4000},
		{"zhang", "open_three", 1700, 1000},
		{"zhang", "five", 20000, 20000},
		{"shapes", "open_four", 16000, 80},
		{"shapes", "four", 11, 8},
		{"shapes", "closed_two", 1, 1},
		{"shapes", "open_two", 2, 2},
		{"shapes", "open_one", 0, 0},
		{"shapes", "five", 20000, 20000},
		{"sjtu", "open_four", 16000, 16000},
		{"sjtu", "four", 4000, 4000},
		{"sjtu", "open_three", 400, 400},
		{"sjtu", "closed_three", 240, 240},
		{"flat", "closed_one", 100, 100},
		{"flat", "open_four", 100, 100},
		{"flat", "dead", 0, 0},
	}
	for _, test := range tests {
		t.Run(test.preset, func(t *testing.T) {
			s := mustPreset(t, test.preset)
			for _, group := range []string{"line", "order"} {
				self, _ := s.Get(group + "." + test.class + ".self")
				opponent, _ := s.Get(group + "." + test.class + ".opponent")
				if self != test.self || opponent != test.opponent {
					t.Errorf("%s: %s.%s is %d, %d, want %d, %d", test.preset, group, test.class, self, opponent, test.self, test.opponent)
				}
			}
		})
	}
}

func TestPresetsAreSound(t *testing.T) {
	for _, name := range PresetNames() {
		s := mustPreset(t, name)
		if err := s.Check(); err != nil || s.Name != name {
			t.Errorf("%s: name %s, %v", name, s.Name, err)
		}
		for d, v := range s.All() {
			zero := d.Group == "cell" || d.Group == "tempo"
			if zero && s.Provenance == nil && v != 0 || d.Gene && d.Group != "search" && v > maxPreset {
				t.Errorf("%s: %s is %d", name, d.Name, v)
			}
		}
	}
}

func TestEvolvedFor(t *testing.T) {
	for _, test := range []struct {
		rule pattern.Rule
		size int
		want string
	}{
		{pattern.Freestyle, 5, "default"},
		{pattern.Freestyle, 15, "default"},
		{pattern.Freestyle, 17, "default"},
		{pattern.Freestyle, 18, "freestyle20"},
		{pattern.Freestyle, 22, "freestyle20"},
		{pattern.Standard, 15, "standard15"},
		{pattern.Standard, 20, "standard20"},
		{pattern.Renju, 15, "renju15"},
		{pattern.Renju, 20, "renju20"},
	} {
		t.Run(fmt.Sprintf("%v %d", test.rule, test.size), func(t *testing.T) {
			if got := EvolvedFor(test.rule, test.size); got != test.want || !slices.Contains(PresetNames(), got) {
				t.Errorf("%v on %d×%d: %s, want %s", test.rule, test.size, test.size, got, test.want)
			}
		})
	}
}

func TestPresetNames(t *testing.T) {
	names := PresetNames()
	for _, want := range []string{"default", "freestyle20", "standard15", "standard20", "renju15", "renju20", "former", "former15", "former20", "former-standard20", "former-renju20", "huang", "zhang", "shapes", "sjtu", "flat", "huang-search"} {
		t.Run(want, func(t *testing.T) {
			if !slices.Contains(names, want) {
				t.Errorf("%v lacks %s", names, want)
			}
		})
	}
	_, err := Preset("Huang")
	if err == nil || !strings.Contains(err.Error(), `preset "Huang" is not one of [default freestyle20`) {
		t.Errorf("got %v", err)
	}
	a, b := mustPreset(t, "default"), mustPreset(t, "default")
	if a.Values[0]++; a.Values[0] == b.Values[0] {
		t.Error("two copies of a preset share their values")
	}
}

var update = flag.Bool("update", false, "rewrite docs/weights.md and the pinned fingerprint")

// TestEvolvedFiles: every shipped evolved set was made for the board in its name, and is proven against another preset, so that
// anybody can play its validation again.
func TestEvolvedFiles(t *testing.T) {
	made := map[string]struct {
		rule pattern.Rule
		size int
	}{
		"default": {pattern.Freestyle, 15}, "freestyle20": {pattern.Freestyle, 20}, "standard15": {pattern.Standard, 15},
		"standard20": {pattern.Standard, 20}, "renju15": {pattern.Renju, 15}, "renju20": {pattern.Renju, 20}, "former": {pattern.Freestyle, 15}, "former15": {pattern.Freestyle, 15},
		"former20": {pattern.Freestyle, 20}, "former-standard20": {pattern.Standard, 20}, "former-renju20": {pattern.Renju, 20},
	}
	for _, name := range evolvedNames() {
		s, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if p := s.Provenance; p == nil || !p.Proven || p.Start == name || !slices.Contains(PresetNames(), p.Start) || p.Validation == nil || p.Validation.EloLow <= 0 {
			t.Errorf("%s: nothing is proven of it: %+v", name, p)
		}
		if m, known := made[name]; !known || s.Rule != m.rule || s.Size != m.size {
			t.Errorf("%s is for %v on %d×%d", name, s.Rule, s.Size, s.Size)
		}
	}
}

func TestHuangSearchHasTheSearchOfDefault(t *testing.T) {
	got, tables, search := mustPreset(t, "huang-search"), mustPreset(t, "huang"), mustPreset(t, "default")
	for i, d := range Declarations() {
		want := tables.Values[i]
		if d.Group == "search" {
			want = search.Values[i]
		}
		if got.Values[i] != want {
			t.Errorf("%s is %d, want %d", d.Name, got.Values[i], want)
		}
	}
	if got.Values[0]++; got.Values[0] == mustPreset(t, "huang-search").Values[0] {
		t.Error("two copies of the preset share their values")
	}
}
