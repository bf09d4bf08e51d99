package player

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/weights"
)

// WeightsFile is the name of the weights file that is found without being named.
const WeightsFile = "weights.json"

// boardFile returns the name of the file that is found before WeightsFile, for one class of boards alone.
func boardFile(rule pattern.Rule, size int) string {
	return "weights-" + weights.EvolvedFor(rule, size) + ".json"
}

// Choose returns the player to use on a board. It is the first of these that there is: the named preset or
// weights file; weights-CLASS.json or weights.json in the folder; the embedded set for the board. A file that
// was found in the folder is not used if it was measured to be weaker than the embedded set; see OnBoard.
// Caution warns where it was not measured, or no difference was shown.
func Choose(name, folder string, rule pattern.Rule, size int) (*Player, error) {
	found := name == ""
	name, err := weightsName(name, folder, rule, size)
	if err != nil {
		return nil, err
	}
	load := Load
	if found && !isPreset(name) {
		load = LoadRegular
	}
	set, err := load(name)
	if err != nil {
		return nil, err
	}
	if isPreset(name) {
		return Of(name, set), nil
	}
	p := OfFile(name, set)
	p.found = found
	return p, nil
}

// embedded returns the name of the embedded set for the board that the player's weights are for.
func (p *Player) embedded() string { return weights.EvolvedFor(p.Weights.Rule, p.Weights.Size) }

// measured returns the match of the player's weights against the embedded set of their board that their provenance holds;
// nil where it holds none.
func (p *Player) measured() *weights.Validation {
	made, embedded := p.Weights.Provenance, p.embedded()
	if made == nil {
		return nil
	}
	for i := range made.Further {
		if made.Further[i].Opponent == embedded {
			return &made.Further[i]
		}
	}
	if v := made.Validation; v != nil && v.Opponent == embedded {
		return v
	}
	return nil
}

// shown returns whose superiority a validation shows, see stats.Estimate.
func shown(v *weights.Validation) int {
	return stats.Estimate{Elo: v.Elo, Low: v.EloLow, High: v.EloHigh}.Shown(v.Pairs)
}

// givesWay reports whether the weights are from a file in the folder, not named by the user, and weaker than the
// embedded set of their board.
func (p *Player) givesWay() bool { return p.found && p.Weaker() != "" }

// Weaker returns a sentence about weights of a file that were measured to be weaker than the embedded set of their board,
// which therefore plays wherever the user did not name the file; "" for others.
func (p *Player) Weaker() string {
	v := p.measured()
	if v == nil || shown(v) >= 0 {
		return ""
	}
	return fmt.Sprintf("%s is weaker than the embedded set %s, %s in %d games: the embedded set plays here, and %s plays the file",
		p.Name, v.Opponent, text.Elo(v.Elo, v.EloLow, v.EloHigh), v.Games, text.CommandLine("--weights", p.file))
}

// Caution returns a warning where the weights come from a file that the user did not name, and no match has told them and the
// embedded set of their board apart; "" otherwise.
func (p *Player) Caution() string {
	if !p.found {
		return ""
	}
	embedded := p.embedded()
	if set, err := weights.Preset(embedded); err == nil && slices.Equal(set.Values, p.Weights.Values) {
		return ""
	}
	compare := fmt.Sprintf("`%s` compares them; %s plays the file without this warning, --weights %s the embedded set",
		text.CommandLine("tune", "match", p.file, embedded, "--rule", p.Weights.Rule.String(), "--size", strconv.Itoa(p.Weights.Size)),
		text.CommandLine("--weights", p.file), embedded)
	switch v := p.measured(); {
	case v == nil:
		return fmt.Sprintf("%s was never measured against the embedded set %s and may be weaker: %s", p.Name, embedded, compare)
	case shown(v) == 0:
		return fmt.Sprintf("%s and the embedded set %s are not told apart, %s in %d games: %s", p.Name, embedded, text.Elo(v.Elo, v.EloLow, v.EloHigh), v.Games, compare)
	}
	return ""
}

// weightsName returns the name that is given, else the file in the folder, else the embedded set of the board.
func weightsName(name, folder string, rule pattern.Rule, size int) (string, error) {
	if name != "" {
		return name, nil
	}
	for _, name := range []string{boardFile(rule, size), WeightsFile} {
		file := filepath.Join(folder, name)
		_, err := os.Stat(file)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return weights.EvolvedFor(rule, size), nil
}

// Load reads a preset, whatever files there are, or a file. A bare word that is neither is taken for a preset that was mistyped.
func Load(name string) (*weights.Set, error) {
	if isPreset(name) || filepath.Base(name) == name && !IsFile(name) && !fileExists(name) {
		return Weights(name)
	}
	return weights.Load(name)
}

// LoadRegular reads a file that nobody named on the command line. It refuses what is not a regular file, such as a named pipe: to open
// one may take for ever.
func LoadRegular(path string) (*weights.Set, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("weights: %s is not a regular file", path)
	}
	return weights.Load(path)
}

func isPreset(name string) bool { return slices.Contains(weights.PresetNames(), name) }
