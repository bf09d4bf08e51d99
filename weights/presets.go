package weights

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"quintune/pattern"
)

// evolved holds the sets that runs of the tuner have made, by file name: default for freestyle on 15 × 15,
// others for the board in their name, and those that were there before: former15 for the default,
// former for that one, former20, former-standard20 and former-renju20 for freestyle20, standard20 and renju20.
//
//go:embed default.json freestyle20.json standard15.json standard20.json renju15.json renju20.json former.json former15.json former20.json former-standard20.json former-renju20.json
var evolved embed.FS

// evolvedNames returns the names of the evolved sets, default first.
func evolvedNames() []string {
	return []string{"default", "freestyle20", "standard15", "standard20", "renju15", "renju20", "former", "former15", "former20", "former-standard20", "former-renju20"}
}

// maxPreset is the greatest weight below a five in a preset. Tables with greater ones are scaled down.
const maxPreset = 16000

// preset is a table of the literature, as far as line weights can express it. Its order weights equal its line
// weights; cell, tempo and pair weights are zero.
type preset struct {
	name    string
	source  string // description in docs/weights.md, Markdown
	rescale bool   // scale the table up, too, until its greatest weight below a five is maxPreset
	rows    []presetRow
	search  string // evolved set whose search weights it has; the references where it is empty
}

// presetRow maps one shape of an author to one line class.
type presetRow struct {
	class pattern.LineClass
	shape string // name of the shape in the source
	score [NumColumns]float64
}

// EvolvedFor returns the name of the evolved set for a board: the set of its rule whose board is nearest in size.
func EvolvedFor(rule pattern.Rule, size int) string {
	large := size > (15+20)/2
	switch {
	case rule == pattern.Freestyle && !large:
		return "default"
	case large:
		return rule.String() + "20"
	}
	return rule.String() + "15"
}

// PresetNames returns the names that Preset knows: the evolved sets with the default first, then the literature,
// then flat and huang-search.
func PresetNames() []string {
	list := evolvedNames()
	for _, p := range presets() {
		list = append(list, p.name)
	}
	return list
}

// Preset returns a new copy of the named built-in set. It is for freestyle 15 × 15; an evolved set is for the
// board of its run. An error for an unknown name lists the names.
func Preset(name string) (*Set, error) {
	if slices.Contains(evolvedNames(), name) {
		file, err := evolved.ReadFile(name + ".json")
		if err != nil {
			return nil, err
		}
		return Unmarshal(file)
	}
	for _, p := range presets() {
		if p.name == name {
			return p.set()
		}
	}
	return nil, fmt.Errorf("weights: preset %s is not one of %v", quote(name), PresetNames())
}

func (p *preset) set() (*Set, error) {
	s := New(p.name, pattern.Freestyle, 15)
	if p.search != "" {
		from, err := Preset(p.search)
		if err != nil {
			return nil, err
		}
		for i, d := range Declarations() {
			if d.Group == SearchGroup {
				s.Values[i] = from.Values[i]
			}
		}
	}
	factor := p.factor()
	for _, row := range p.rows {
		for column, score := range row.score {
			v := int32(min(math.Round(score*factor), tableMax))
			for _, group := range []string{"line", "order"} {
				s.Values[current.index[TableName(group, row.class.String(), column)]] = v
			}
		}
	}
	current.mirror(s)
	return s, nil
}

// factor returns the factor by which the author's scores are multiplied.
func (p *preset) factor() float64 {
	largest := 0.0
	for _, row := range p.rows {
		if row.class != pattern.Five {
			largest = max(largest, row.score[Self], row.score[Opponent])
		}
	}
	if largest > maxPreset || p.rescale {
		return maxPreset / largest
	}
	return 1
}

// presets returns the tables of the literature, the flat start and huang's tables with an evolved search.
func presets() []preset {
	return []preset{huang(), zhang(), shapes(), sjtu(), flat(), huangSearch()}
}

// scores is a pair of points [self, opponent].
type scores = [NumColumns]float64

func huang() preset {
	return preset{
		name: "huang",
		source: "K. Huang, 2018: scores of the lines through a cell if we, or the opponent, play there, which is what our classes say. " +
			"Both live threes and both jump twos of ours share his.",
		rows: []presetRow{
			{pattern.ClosedOne, "sleep one", scores{15, 10}},
			{pattern.OpenOne, "live one", scores{40, 25}},
			{pattern.ClosedTwo, "sleep two", scores{120, 75}},
			{pattern.OpenTwo, "(big) jump live two", scores{260, 240}},
			{pattern.OpenTwo3, "jump live two", scores{260, 240}},
			{pattern.OpenTwo4, "live two", scores{450, 415}},
			{pattern.ClosedThree, "sleep three", scores{650, 500}},
			{pattern.OpenThree, "jump live three", scores{1550, 1150}},
			{pattern.OpenThree2, "live three", scores{1730, 1425}},
			{pattern.Four, "flush four", scores{2450, 1750}},
			{pattern.OpenFour, "live four", scores{4750, 3600}},
			{pattern.Five, "five", scores{20000, 15000}},
		},
	}
}

func zhang() preset {
	return preset{
		name: "zhang",
		source: "Y. Zhang, 2018: own and opponent's score of a cell by (stones linked if we play there, empty ends). " +
			"Not expressible: that a kind counts at most twice over the four directions, and the bonus for stones on both sides of the cell. " +
			"His five (1 000 000 and 30 000) is cut to the bound.",
		rows: []presetRow{
			{pattern.ClosedOne, "1 stone, 1 end", scores{2, 1}},
			{pattern.OpenOne, "1 stone, 2 ends", scores{5, 3}},
			{pattern.ClosedTwo, "2 stones, 1 end", scores{20, 10}},
			{pattern.OpenTwo, "2 stones, 2 ends", scores{70, 60}},
			{pattern.OpenTwo3, "2 stones, 2 ends", scores{70, 60}},
			{pattern.OpenTwo4, "2 stones, 2 ends", scores{70, 60}},
			{pattern.ClosedThree, "3 stones, 1 end", scores{50, 40}},
			{pattern.OpenThree, "3 stones, 2 ends", scores{1700, 1000}},
			{pattern.OpenThree2, "3 stones, 2 ends", scores{1700, 1000}},
			{pattern.Four, "4 stones, 1 end", scores{3000, 1800}},
			{pattern.OpenFour, "4 stones, 2 ends", scores{10000, 4000}},
			{pattern.Five, "5 stones", scores{1e6, 30000}},
		},
	}
}

func shapes() preset {
	return preset{
		name: "shapes",
		source: "A blog's JavaScript engine: score of a run of stones on the board by (stones, open ends, whose turn). " +
			"Such a run shows in our classes as the empty cells that extend it. So a run of n stones gives the weight of the class of n+1. " +
			"Self is the score with its owner to move, opponent with the other side to move. " +
			"Scaled so that the open four is 16 000, which keeps the halves apart; fours on the board (10⁸ and 5·10⁵) are cut to the bound. " +
			"Not expressible: that with the other side to move a four with one open end is worth only 50; runs of none are worth nothing, so both ones are zero.",
		rescale: true,
		rows: []presetRow{
			{pattern.ClosedTwo, "1 stone, 1 end", scores{0.5, 0.5}},
			{pattern.OpenTwo, "1 stone, 2 ends", scores{1, 1}},
			{pattern.OpenTwo3, "1 stone, 2 ends", scores{1, 1}},
			{pattern.OpenTwo4, "1 stone, 2 ends", scores{1, 1}},
			{pattern.ClosedThree, "2 stones, 1 end", scores{2, 2}},
			{pattern.OpenThree, "2 stones, 2 ends", scores{5, 5}},
			{pattern.OpenThree2, "2 stones, 2 ends", scores{5, 5}},
			{pattern.Four, "3 stones, 1 end", scores{7, 5}},
			{pattern.OpenFour, "3 stones, 2 ends", scores{1e4, 50}},
			{pattern.Five, "4 stones, 2 ends", scores{1e8, 5e5}},
		},
	}
}

func sjtu() preset {
	return preset{
		name: "sjtu",
		source: "Course project at SJTU, 2019: expert table over five-cell patterns on the board, ours minus theirs, so both columns are alike. " +
			"As with shapes, a pattern of n stones gives the weight of the class of n+1. H is open, M half open, S dead. " +
			"Scaled so that the open four is 16 000. H4 (10 000) makes five and is cut to the bound, as C4 (100) would make five too and a table has one five. " +
			"Not expressible: −5 for dead patterns (a dead line is worth 0); one stone has no score, so twos and ones are zero.",
		rescale: true,
		rows: []presetRow{
			{pattern.ClosedThree, "M2", scores{3, 3}},
			{pattern.OpenThree, "H2", scores{5, 5}},
			{pattern.OpenThree2, "H2", scores{5, 5}},
			{pattern.Four, "M3", scores{50, 50}},
			{pattern.OpenFour, "H3", scores{200, 200}},
			{pattern.Five, "H4", scores{1e4, 1e4}},
		},
	}
}

// flat gives a line that can still become five the same weight whatever is on it. Runs that start from it show
// what evolution finds by itself.
func flat() preset {
	p := preset{
		name:   "flat",
		source: "No knowledge: every living line is worth the same. For tests and for runs from nothing.",
		rows:   []presetRow{{pattern.Five, "five", scores{20000, 15000}}},
	}
	for _, row := range lineRows {
		if row.gene {
			p.rows = append(p.rows, presetRow{row.class, "any", scores{100, 100}})
		}
	}
	return p
}

// huangSearch is where the sets that ship begin: the tables are learned anew, and the search is kept. A default with another
// search changes this start, and then the validations of those sets can no longer be played again.
func huangSearch() preset {
	p := huang()
	p.name = "huang-search"
	p.source = "The tables of `huang` with the search weights of `default`, from which runs evolve the sets that ship."
	p.search = "default"
	return p
}
