package main

import (
	"quintune/internal/config"
	"quintune/internal/record"
	"quintune/internal/tuner"
	"quintune/selfplay"
)

// keepGames makes the match write its games to the records at the path, in the order of the openings; nothing where it
// is empty. done closes the records.
func keepGames(path string, m *tuner.Match) (done func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	w, err := record.Create(path)
	if err != nil {
		return nil, config.Usage(err)
	}
	m.Keep = func(index int, r *selfplay.Result) error {
		games := m.Games(index, r)
		for i := range games {
			if err := w.Add(&games[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return w.Close, nil
}
