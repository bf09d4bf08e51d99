package main

import (
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/record"
	"quintune/selfplay"
)

// keepGames makes the match write its games to --records, in the order of the openings, where that
// is given. done closes the records.
func keepGames(v *config.Values, m *match.Match) (done func() error, err error) {
	path := v.String("records")
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
