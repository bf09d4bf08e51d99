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

// chosenWeights returns the player of the name that --weights gives, else of weights.json in the folder, else of the set
// that the program carries for such a board (own).
func chosenWeights(name, folder string, rule pattern.Rule, size int) (p *player.Player, own bool, err error) {
	if name, err = weightsName(name, folder); err != nil {
		return nil, false, err
	}
	if own = name == ""; own {
		name = weights.EvolvedFor(rule, size)
	}
	set, err := loadWeights(name)
	if err != nil {
		return nil, false, err
	}
	if isPreset(name) {
		return player.Of(name, set), own, nil
	}
	return player.OfFile(name, set), own, nil
}

// onBoard returns who plays on a board where p was chosen, and logs whose weights these are.
func onBoard(p *player.Player, rule pattern.Rule, size int, log *slog.Logger) (*player.Player, error) {
	p, err := p.OnBoard(size, rule)
	if err == nil {
		tellWeights(log, p)
	}
	return p, err
}

// weightsName returns the name that is given, or else the file in the folder, or else "" for the program's own set.
func weightsName(name, folder string) (string, error) {
	if name != "" {
		return name, nil
	}
	file := filepath.Join(folder, weightsFile)
	_, err := os.Stat(file)
	switch {
	case err == nil:
		return file, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	}
	return "", err
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
