package engine

import (
	"context"
	"strconv"
	"strings"

	"quintune/board"
	"quintune/search"
	"quintune/weights"
)

// Node limits for checking an announced win, about those of one move of a test.
const (
	refereeFours   = 1000
	refereeThreats = 4000
)

// referee decides what an engine's announced wins and losses count.
type referee struct {
	wins  Wins
	solve *search.Engine // solver of Confirmed
	eval  string         // of the engine's last message, such as "+M5"
}

func newReferee(c Conditions) (*referee, error) {
	r := &referee{wins: c.Wins}
	if c.Wins != Confirmed {
		return r, nil
	}
	set, err := weights.Preset("default")
	if err != nil {
		return nil, err
	}
	r.solve, err = search.NewEngine(set, c.Size, c.Rule, search.Options{TableEntries: 1})
	return r, err
}

// forget drops the announcement for the move before.
func (r *referee) forget() { r.eval = "" }

// hear takes a line of the engine that is not an answer, such as "MESSAGE Depth 7 | Eval +M5 | Time 12ms".
func (r *referee) hear(line string) {
	if _, eval, found := strings.Cut(line, "Eval "); found {
		r.eval, _, _ = strings.Cut(eval, " ")
	}
}

// claim returns the plies in which the side to move wins, negative where it loses; 0 where the engine has
// announced nothing that counts.
func (r *referee) claim(ctx context.Context, position *board.Board) int {
	win := strings.HasPrefix(r.eval, "+M")
	switch r.wins {
	case Announced:
		if plies, err := strconv.Atoi(strings.Replace(r.eval, "M", "", 1)); err == nil && (win || strings.HasPrefix(r.eval, "-M")) {
			return plies
		}
	case Confirmed:
		if !win {
			return 0
		}
		if s := r.solve.SolveVCF(ctx, position, refereeFours); s.Win {
			return s.Plies
		}
		return r.solve.SolveVCT(ctx, position, refereeThreats).Plies
	}
	return 0
}
