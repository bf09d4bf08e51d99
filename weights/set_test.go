package weights

import (
	"strings"
	"testing"

	"quintune/pattern"
)

func TestGetAndWith(t *testing.T) {
	s := proven(t)
	changed, err := s.With("line.four.self", 20000)
	if err != nil {
		t.Fatal(err)
	}
	old, _ := s.Get("line.four.self")
	now, _ := changed.Get("line.four.self")
	if old != 3000 || now != 20000 || changed.Provenance != nil || s.Provenance == nil {
		t.Errorf("four is %d and %d, provenance %v and %v", old, now, s.Provenance, changed.Provenance)
	}
	for name, want := range map[string]string{
		"line.four.self": "weights: line.four.self is 20001, outside [0, 20000]",
		"line.FOUR.self": `weights: unknown weight "line.FOUR.self" (did you mean "line.four.self"?)`,
		"nothing":        `weights: unknown weight "nothing"`,
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := s.With(name, 20001); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		})
	}
	if _, err := s.Get("nothing"); err == nil {
		t.Error("an unknown weight has a value")
	}
}

func TestCloneIsDeep(t *testing.T) {
	s := proven(t)
	c := s.Clone()
	if !c.Equal(s) {
		t.Fatal("a clone differs")
	}
	c.Values[0]++
	c.Provenance.Validation.Pairs++
	if s.Values[0] == c.Values[0] || s.Provenance.Validation.Pairs == c.Provenance.Validation.Pairs {
		t.Error("a clone shares its values")
	}
}

func TestEqualSeesEveryField(t *testing.T) {
	edits := map[string]func(*Set){
		"name":       func(s *Set) { s.Name = "x" },
		"rule":       func(s *Set) { s.Rule = pattern.Freestyle },
		"size":       func(s *Set) { s.Size = 15 },
		"value":      func(s *Set) { s.Values[5]++ },
		"run":        func(s *Set) { s.Provenance.Run = "x" },
		"pairs":      func(s *Set) { s.Provenance.Validation.Pairs = 0 },
		"elo":        func(s *Set) { s.Provenance.Validation.Elo++ },
		"validation": func(s *Set) { s.Provenance.Validation = nil },
		"games":      func(s *Set) { s.Provenance.Games++ },
		"seed":       func(s *Set) { s.Provenance.Seed-- },
		"nodes":      func(s *Set) { s.Provenance.FirstNodes = 1 },
		"proven":     func(s *Set) { s.Provenance.Proven = false },
		"further":    func(s *Set) { s.Provenance.Further = make([]Validation, 1) },
		"provenance": func(s *Set) { s.Provenance = nil },
	}
	for name, edit := range edits {
		s, c := proven(t), proven(t)
		edit(c)
		if s.Equal(c) || c.Equal(s) {
			t.Errorf("%s: unequal sets are equal", name)
		}
	}
}

// TestTables finds every weight of a set in the tables, by class and column.
func TestTables(t *testing.T) {
	s := New("numbered", pattern.Freestyle, 15)
	for i := range s.Values {
		s.Values[i] = int32(i)
	}
	common := s.Tables(pattern.Free)
	line, order, cell, tempo := common.Line, common.Order, common.Cell, common.Tempo
	black := s.Tables(pattern.Restricted)
	tables := map[string]int32{
		"black_line.four.self":          black.Line[pattern.Four][Self],
		"black_order.five.opponent":     black.Order[pattern.Five][Opponent],
		"black_cell.forbidden.opponent": black.Cell[pattern.CellForbidden][Opponent],
		"black_tempo.four.self":         black.Tempo[pattern.CellFour][Self],
		"line.dead.self":                line[pattern.Dead][Self],
		"line.open_four.self":           line[pattern.OpenFour][Self],
		"line.open_four.opponent":       line[pattern.OpenFour][Opponent],
		"order.overline.opponent":       order[pattern.Overline][Opponent],
		"order.open_two_3.self":         order[pattern.OpenTwo3][Self],
		"cell.two.self":                 cell[pattern.CellTwo][Self],
		"cell.four_three.opponent":      cell[pattern.CellFourThree][Opponent],
		"tempo.five.opponent":           tempo[pattern.CellFive][Opponent],
		"search.candidates":             s.Search("candidates"),
	}
	for name, got := range tables {
		if want, err := s.Get(name); err != nil || got != want {
			t.Errorf("%s is %d in the table, %d, %v by name", name, got, want, err)
		}
	}
	if none := [...][NumColumns]int32{cell[pattern.CellNone], cell[pattern.CellForbidden], black.Cell[pattern.CellNone]}; none != [3][NumColumns]int32{} {
		t.Errorf("classes without weights are worth %v", none)
	}
}

// TestDeclaration checks the groups: number of weights, number of genes, order.
func TestDeclaration(t *testing.T) {
	weights, genes := map[string]int{}, map[string]int{}
	var order []string
	for _, d := range Declarations() {
		if weights[d.Group] == 0 {
			order = append(order, d.Group)
		}
		weights[d.Group]++
		if d.Gene {
			genes[d.Group]++
		}
	}
	if got, want := strings.Join(order, " "), "line cell order tempo pair search black_line black_cell black_order black_tempo black_pair"; got != want {
		t.Errorf("groups %s, want %s", got, want)
	}
	for group, want := range map[string][2]int{
		"line": {28, 22}, "order": {28, 22}, "cell": {24, 22}, "tempo": {24, 22}, "pair": {110, 110},
		"black_line": {28, 22}, "black_order": {28, 22}, "black_cell": {26, 24}, "black_tempo": {24, 22}, "black_pair": {110, 110},
	} {
		t.Run(group, func(t *testing.T) {
			if got := [2]int{weights[group], genes[group]}; got != want {
				t.Errorf("%s has %v weights and genes, want %v", group, got, want)
			}
		})
	}
	count := 0
	for d, v := range mustPreset(t, "huang").All() {
		if d.Group == "search" && v != d.Neutral {
			t.Errorf("%s is %d in a preset, neutral is %d", d.Name, v, d.Neutral)
		}
		count++
	}
	if count != len(Declarations()) {
		t.Errorf("All walked over %d of %d weights", count, len(Declarations()))
	}
}
