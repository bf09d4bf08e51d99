package weights

import (
	"embed"
	"fmt"
	"math"
	"slices"

	"quintune/pattern"
)

// evolved are the sets that runs of the tuner made, by file: default for freestyle on 15 × 15, and others for what
// their names say.
//
//go:embed default.json freestyle20.json standard15.json renju15.json
var evolved embed.FS

// evolvedNames returns the names of the evolved sets, default first.
func evolvedNames() []string { return []string{"default", "freestyle20", "standard15", "renju15"} }

// maxPreset is the greatest weight below five in a preset; larger tables are scaled down to it.
const maxPreset = 16000

// preset is a table of the literature as far as line weights can express it. Its order weights are
// its line weights, cell and tempo are zero, search weights are the references.
type preset struct {
	name    string
	source  string // what docs/weights.md says about it, Markdown
	rescale bool   // bring the greatest weight below five to maxPreset even where it is smaller
	rows    []presetRow
}

// presetRow maps one shape of an author to one line class.
type presetRow struct {
	class pattern.LineClass
	shape string // the author's word for it
	score [NumColumns]float64
}

// EvolvedFor returns the name of the evolved set to play with on a board: that of the rule, for freestyle the one whose
// board is nearest in size.
func EvolvedFor(rule pattern.Rule, size int) string {
	switch {
	case rule == pattern.Standard:
		return "standard15"
	case rule == pattern.Renju:
		return "renju15"
	case rule == pattern.Freestyle && size > (15+20)/2:
		return "freestyle20"
	}
	return "default"
}

// PresetNames returns the names that Preset knows: the evolved sets with the default first, then the literature,
// then flat.
func PresetNames() []string {
	list := evolvedNames()
	for _, p := range presets() {
		list = append(list, p.name)
	}
	return list
}

// Preset returns a new copy of the named built-in set, freestyle 15 × 15 (an evolved one: what its run
// was made for). An unknown name is an error that lists the names.
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
			return p.set(), nil
		}
	}
	return nil, fmt.Errorf("weights: preset %s is not one of %v", quote(name), PresetNames())
}

func (p *preset) set() *Set {
	s := New(p.name, pattern.Freestyle, 15)
	factor := p.factor()
	for _, row := range p.rows {
		for column, score := range row.score {
			v := int32(min(math.Round(score*factor), tableMax))
			for _, group := range []string{"line", "order"} {
				s.Values[current.index[tableName(group, row.class.String(), column)]] = v
			}
		}
	}
	current.mirror(s)
	return s
}

// factor is what the author's scores are multiplied by.
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
