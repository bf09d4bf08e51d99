package main

import (
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"

	"quintune/internal/player"
	"quintune/pattern"
	"quintune/weights"
)

// weightsFile is the name of the weights file that is found without being named.
const weightsFile = "weights.json"

// boardFile returns the name of the file that is found before weightsFile, for one class of boards alone.
func boardFile(rule pattern.Rule, size int) string {
	return "weights-" + weights.EvolvedFor(rule, size) + ".json"
}

// chosenWeights returns the player of the name that --weights gives, else of weights-CLASS.json or weights.json in the
// folder, else of the set that the program carries for such a board.
func chosenWeights(name, folder string, rule pattern.Rule, size int) (*player.Player, error) {
	name, err := weightsName(name, folder, rule, size)
	if err != nil {
		return nil, err
	}
	set, err := loadWeights(name)
	if err != nil {
		return nil, err
	}
	if isPreset(name) {
		return player.Of(name, set), nil
	}
	return player.OfFile(name, set), nil
}

// onBoard returns who plays on a board where p was chosen, and logs whose weights these are.
func onBoard(p *player.Player, rule pattern.Rule, size int, log *slog.Logger) (*player.Player, error) {
	p, err := p.OnBoard(size, rule)
	if err == nil {
		tellWeights(log, p)
	}
	return p, err
}

// weightsName returns the name that is given, else the file in the folder, else the embedded set of the board.
func weightsName(name, folder string, rule pattern.Rule, size int) (string, error) {
	if name != "" {
		return name, nil
	}
	for _, name := range []string{boardFile(rule, size), weightsFile} {
		file := filepath.Join(folder, name)
		_, err := os.Stat(file)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return weights.EvolvedFor(rule, size), nil
}

// loadWeights reads a preset, whatever files there are, or a file.
func loadWeights(name string) (*weights.Set, error) {
	if isPreset(name) {
		return weights.Preset(name)
	}
	return weights.Load(name)
}

func isPreset(name string) bool { return slices.Contains(weights.PresetNames(), name) }

// tellWeights logs which weights play, in whose place, and what was proven of them.
func tellWeights(log *slog.Logger, p *player.Player) {
	if instead := p.Instead(); instead != "" {
		log.Warn(instead)
	}
	log.Info("weights", "from", p.Name, "name", p.Weights.Name, "proven", p.Proven)
}
