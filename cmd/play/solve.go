package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/config"
	"quintune/search"
)

// solution is what --solve prints with --json.
type solution struct {
	Solve     string   `json:"solve"`
	Best      *string  `json:"best"`      // first move of the win, null without one
	Win       *int     `json:"win"`       // plies to the win at the latest, null without one
	Exhausted bool     `json:"exhausted"` // no win, and greater limits find none
	Nodes     int64    `json:"nodes"`
	NPS       int64    `json:"nps"`
	PV        []string `json:"pv"` // the winning sequence, both sides
}

// checkSolve returns an error when an option is set that the solvers have no use for.
func checkSolve(o *analyzeOptions) error {
	switch {
	case o.Solve == "":
		return nil
	case o.IsSet(&o.Depth):
		return config.Usagef("--solve and --depth exclude each other")
	case o.Explain:
		return config.Usagef("--solve and --explain exclude each other")
	}
	return nil
}

// runSolve looks for a forced win with the solver of the given name, within --nodes and --time.
func runSolve(ctx context.Context, o *analyzeOptions, name string, engine *search.Engine, position *board.Board, out io.Writer) error {
	solve := engine.SolveVCF
	if name == "vct" {
		solve = engine.SolveVCT
	}
	limits, limited := o.searchOptions.limits(), ctx
	if limits.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, limits.Time)
		defer cancel()
	}
	start := time.Now()
	s := newSolution(name, solve(limited, position, limits.Nodes), time.Since(start))
	if err := printFound(out, o, s.text(position), s); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return config.ErrInterrupted
	}
	return nil
}

func newSolution(name string, found search.Solution, elapsed time.Duration) solution {
	s := solution{
		Solve: name, Exhausted: found.Exhausted, Nodes: found.Nodes, NPS: speed(found.Nodes, elapsed), PV: names(found.Line),
	}
	if found.Win {
		s.Best, s.Win = &s.PV[0], &found.Plies
	}
	return s
}

// text returns the solution for people.
func (s *solution) text(position *board.Board) string {
	best, found := "-", fmt.Sprintf("no %s found within the limits", s.Solve)
	switch {
	case s.Win != nil:
		best, found = *s.Best, fmt.Sprintf("in %d plies", *s.Win)
	case s.Exhausted:
		found = fmt.Sprintf("no %s", s.Solve)
	}
	return fmt.Sprintf("%s%v to move\nbest   %s\nwin    %s\nnodes  %d\nnps    %d\npv     %s\n",
		draw(position), position.SideToMove(), best, found, s.Nodes, s.NPS, strings.Join(s.PV, " "))
}
