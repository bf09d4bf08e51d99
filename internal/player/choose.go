package player

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"quintune/pattern"
	"quintune/weights"
)

// WeightsFile is the name of the weights file that is found without being named.
const WeightsFile = "weights.json"

// boardFile returns the name of the file that is found before WeightsFile, for one class of boards alone.
func boardFile(rule pattern.Rule, size int) string {
	return "weights-" + weights.EvolvedFor(rule, size) + ".json"
}

// Choose returns the player of a preset or weights file that is named, else of weights-CLASS.json or weights.json in the
// folder, else of the set that the program carries for such a board.
func Choose(name, folder string, rule pattern.Rule, size int) (*Player, error) {
	name, err := weightsName(name, folder, rule, size)
	if err != nil {
		return nil, err
	}
	set, err := Load(name)
	if err != nil {
		return nil, err
	}
	if isPreset(name) {
		return Of(name, set), nil
	}
	return OfFile(name, set), nil
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

// Load reads a preset, whatever files there are, or a file.
func Load(name string) (*weights.Set, error) {
	if isPreset(name) {
		return weights.Preset(name)
	}
	return weights.Load(name)
}

func isPreset(name string) bool { return slices.Contains(weights.PresetNames(), name) }
