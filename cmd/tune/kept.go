package main

import (
	"context"
	"errors"
	"fmt"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/journal"
	"quintune/internal/match"
	"quintune/internal/record"
	"quintune/internal/stats"
	"quintune/selfplay"
)

// keptHelp is part of the help of commands that play matches.
const keptHelp = `Finished pairs are kept in the database of --runs, for these players, limits, openings, seed and bounds. After an interruption
the same command goes on with what is left; with --nodes the result is that of an undisturbed match. Once all is played it
shows the same result again.`

// keptMatch is a match with its finished pairs in the database of --runs, and its games in --records.
type keptMatch struct {
	*match.Match
	selfplay.Runner // plays what is not stored

	journal *journal.Journal
	records *record.Writer // nil: none
	stored  int            // number of pairs that were stored before and are not void
	played  bool           // some pair was not stored
	display *display
}

// keepMatch opens the database and the records of a match. test is zero where all pairs are played.
func keepMatch(o *matchOptions, m *match.Match, test stats.SPRT, d *display) (*keptMatch, error) {
	k := &keptMatch{Match: m, display: d}
	var err error
	if k.records, err = keepGames(o.Records, m); err != nil {
		return nil, err
	}
	k.journal, err = journal.OpenMatch(o.Runs, &journal.Match{Match: m, Test: test, Engine: bench.Signature(), Commit: config.Commit()})
	if err != nil {
		return nil, errors.Join(err, k.records.Discard())
	}
	if k.stored, err = k.journal.Counted(); err != nil {
		return nil, errors.Join(err, k.journal.Close(), k.records.Discard())
	}
	k.Runner = k.journal.Runner(match.FailFast(selfplay.NewPool(o.Workers), k.stored), k.begins)
	return k, nil
}

// begins reports at which pair a match continues.
func (k *keptMatch) begins(stored, all int) {
	k.played = true
	if stored > 0 {
		k.display.log.Info(fmt.Sprintf("continues at pair %d of %d", stored+1, all), "state", k.journal.Path())
	}
}

// end closes the journal and the game records, which are written only after the whole match: the same command has those
// of the stored pairs too. stopped is the error of an interrupted match that has figures to show; err is any other
// error.
func (k *keptMatch) end(playing error, pairs int64) (stopped, err error) {
	k.display.end()
	path := k.journal.Path()
	records := k.records.Commit
	if playing != nil {
		records = k.records.Discard
	}
	err = errors.Join(k.journal.End(playing), records())
	switch {
	case errors.Is(playing, context.Canceled):
		stopped = fmt.Errorf("%w after %d of %d pairs, which are kept in %s: the same command goes on", config.ErrInterrupted, pairs, len(k.Openings), path)
	case playing != nil:
		err = errors.Join(playing, err)
	case !k.played && k.stored > 0:
		k.display.log.Info("this match was played before: no game is played, and another --seed plays another match", "pairs", pairs, "state", path)
	}
	return stopped, err
}
