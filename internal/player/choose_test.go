package player

import (
	"path/filepath"
	"strings"
	"testing"

	"quintune/pattern"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// A weights file that the user did not name plays only with a note on how it compares with the embedded set. It
// does not play if it was measured to be weaker.
func TestWeakerWeightsDoNotPlayWithoutAWord(t *testing.T) {
	against := func(opponent string, elo, low, high float64) *weights.Validation {
		return &weights.Validation{Opponent: opponent, Nodes: 1000, Pairs: 200, Games: 400, Pentanomial: [5]int64{50, 0, 100, 0, 50}, Elo: elo, EloLow: low, EloHigh: high}
	}
	for _, test := range []struct {
		name       string
		named      bool
		values     string // preset
		provenance *weights.Provenance
		plays      string // "file" or "default"
		instead    string
		caution    string
	}{
		{name: "no provenance", values: "huang", plays: "file", caution: "never measured against the embedded set default"},
		{name: "the embedded values", values: "default", plays: "file"},
		{
			name: "measured against the start alone", values: "huang", plays: "file", caution: "never measured",
			provenance: &weights.Provenance{Proven: true, Validation: against("huang", 80, 60, 100)},
		},
		{
			name: "weaker", values: "huang", plays: "default", instead: "is weaker than the embedded set default, -53.0 Elo [-80.0, -26.0] in 400 games",
			provenance: &weights.Provenance{Proven: true, Validation: against("huang", 80, 60, 100), Further: []weights.Validation{*against("default", -53, -80, -26)}},
		},
		{
			name: "weaker, but named", named: true, values: "huang", plays: "file",
			provenance: &weights.Provenance{Further: []weights.Validation{*against("default", -53, -80, -26)}},
		},
		{
			name: "not told apart", values: "huang", plays: "file", caution: "are not told apart, +3.0 Elo [-20.0, +26.0] in 400 games",
			provenance: &weights.Provenance{Validation: against("default", 3, -20, 26)},
		},
		{
			name: "stronger", values: "huang", plays: "file",
			provenance: &weights.Provenance{Proven: true, Validation: against("default", 30, 9, 51)},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			set := weightstest.Preset(t, test.values)
			set.Provenance = test.provenance
			folder := t.TempDir()
			file := filepath.Join(folder, WeightsFile)
			weightstest.Save(t, file, set)
			name := ""
			if test.named {
				name = file
			}
			p, err := Choose(name, folder, pattern.Freestyle, 15)
			if err != nil {
				t.Fatal(err)
			}
			if p, err = p.OnBoard(15, pattern.Freestyle); err != nil {
				t.Fatal(err)
			}
			plays := "file"
			if p.Chosen() != p {
				plays = p.Name
			}
			if plays != test.plays {
				t.Errorf("%s plays, want %s", plays, test.plays)
			}
			if got := p.Chosen().Caution(); p.Chosen() != p && got != "" {
				t.Errorf("of weights that give way it warns %q, want nothing: their difference was shown", got)
			}
			for _, words := range []struct{ got, want string }{{p.Instead(), test.instead}, {p.Caution(), test.caution}} {
				if !strings.Contains(words.got, words.want) || words.want == "" && words.got != "" {
					t.Errorf("it says %q, want %q", words.got, words.want)
				}
			}
		})
	}
}
