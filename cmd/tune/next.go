package main

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/spf13/cobra"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/weights"
)

// next returns the last line of a command's text for people: the next command to type, and what it does.
func next(does string, args ...string) string {
	return fmt.Sprintf("Next: `%s` %s.\n", text.CommandLine(args...), does)
}

// on returns the flags for a board, none for the default board.
func on(rule string, size int) []string {
	if rule == pattern.Freestyle.String() && size == config.DefaultSize {
		return nil
	}
	return boardFlags(rule, size)
}

// boardFlags returns the flags for a board, of which a configuration or weights may name another than the default.
func boardFlags(rule string, size int) []string {
	return []string{"--rule", rule, "--size", strconv.Itoa(size)}
}

// measure returns the command that compares the weights of a file with the embedded ones of their board.
func measure(path, embedded, rule string, size int) []string {
	return append([]string{"tune", "match", path, embedded}, on(rule, size)...)
}

// measureSet is measure for a file that holds the set.
func measureSet(path string, set *weights.Set) []string {
	return measure(path, weights.EvolvedFor(set.Rule, set.Size), set.Rule.String(), set.Size)
}

// played describes a match and the command that plays it, for the choice of the next command.
type played struct {
	cmd      *cobra.Command
	args     []string // as they were typed
	a, b     string   // player arguments
	match    *match.Match
	openings int      // number of openings available for another match; 0: no bound
	unnamed  []string // flags of conditions that were not typed

	published *weights.Validation // what a validation repeats, nil for nothing
}

func newPlayed(cmd *cobra.Command, args []string, m *match.Match, b *book.Book) *played {
	return &played{cmd: cmd, args: args, a: args[0], b: args[1], match: m, openings: len(b.Openings)}
}

// again returns the command as it was typed.
func (p *played) again() string {
	return next("goes on with what is left", config.Repeat(p.cmd, p.args)...)
}

// further returns a command for four times the pairs that were played, and four times more until they are enough, or for more
// openings where there are too few. does is what more pairs do.
func (p *played) further(does string, enough func(pairs int64) bool) string {
	n := 4 * len(p.match.Openings)
	for n < maxPairs && !enough(int64(n)) {
		n *= 4
	}
	pairs := strconv.Itoa(min(n, maxPairs))
	if p.openings == 0 || n <= p.openings {
		more := append(config.Repeat(p.cmd, p.args, "pairs", "records"), p.unnamed...)
		return next(does, append(more, "--pairs", pairs)...)
	}
	return next("makes openings for a longer match, with --openings more.txt",
		append([]string{"tune", "openings", "--count", pairs, "--out", "more.txt"}, p.board()...)...)
}

// afterMatch returns the next command after a match of all pairs.
func (p *played) afterMatch(r *match.Report) string {
	switch {
	case r.Shown() > 0 && hasWeights(p.a):
		return p.playWith(p.a)
	case r.Shown() < 0 && hasWeights(p.b):
		return p.playWith(p.b)
	}
	return p.further("narrows the interval", func(pairs int64) bool { return pairs >= stats.FewestPairs })
}

// afterTest returns the next command after a sequential test, "" after one that needed no game.
func (p *played) afterTest(g *match.GateReport) string {
	switch plain := g.Plain(); {
	case g.Unplayed():
		return ""
	case plain == match.NotPassed && hasWeights(p.b):
		return next("looks for better weights", append([]string{"tune", "run", "--start", p.b}, p.board()...)...)
	case plain == match.Passed || plain == match.NotPassed:
		return next("measures by how much",
			slices.Concat([]string{"tune", "validate", p.a, "--against", p.b}, p.board(), p.conditions())...)
	}
	test := stats.SPRT{NElo0: g.NElo0, NElo1: g.NElo1, Alpha: g.Alpha, Beta: g.Beta}
	return p.further("lets the test go on", func(pairs int64) bool { return match.Passable(test, pairs) })
}

// board returns the flags for the board of the match.
func (p *played) board() []string { return boardFlags(p.match.Rule.String(), p.match.Size) }

// conditions returns the flags of limits, threads and database that were typed.
func (p *played) conditions() []string {
	var list []string
	for _, name := range []string{"nodes", "time", "tc", "threads", "runs"} {
		if f := p.cmd.Flags().Lookup(name); f != nil && f.Changed {
			list = append(list, "--"+name, f.Value.String())
		}
	}
	return list
}

func (p *played) playWith(argument string) string {
	return next("plays with the stronger", append([]string{"play", "--weights", argument}, on(p.match.Rule.String(), p.match.Size)...)...)
}

// hasWeights reports whether a player argument names a preset or a weights file.
func hasWeights(argument string) bool {
	_, err := player.Weights(argument)
	return err == nil
}
