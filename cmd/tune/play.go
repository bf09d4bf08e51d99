package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/tuner"
	"quintune/selfplay"
	"quintune/weights"
)

// playing is a run with the place where it is played.
type playing struct {
	run     *tuner.Run
	config  *tuner.Config
	folder  *tuner.Folder
	out     string
	pool    *selfplay.Pool
	display *display
}

// Verdicts of a run.
const (
	verdictProven      = "proven gain"
	verdictNone        = "no proven gain"
	verdictUnproven    = "unproven" // no gate was wanted
	verdictInterrupted = "interrupted"
)

// runResult is what `tune run --json` prints.
type runResult struct {
	Run         string            `json:"run"`
	Name        string            `json:"name"`
	Out         *string           `json:"out"` // null where nothing was proven
	Candidate   string            `json:"candidate"`
	Games       int               `json:"games"`
	Generations int               `json:"generations"`
	Elo         *float64          `json:"elo"` // of the validation, null without one
	EloLow      *float64          `json:"elo_low"`
	EloHigh     *float64          `json:"elo_high"`
	Verdict     string            `json:"verdict"`
	Gate        *tuner.GateReport `json:"gate"`
	Validation  *tuner.Report     `json:"validation"`
}

// playRun plays a run to its end, writes --out where it may, and shows what came out.
func playRun(cmd *cobra.Command, v *config.Values, p *playing) error {
	began, busy := time.Now(), p.pool.Busy()
	o, err := p.run.Run(cmd.Context(), tuner.Setting{
		Runner: p.pool, Store: p.folder, Commit: config.Commit(), Watch: p.display.event,
	})
	p.display.end()
	if o == nil {
		return err
	}
	took := time.Since(began)
	share := float64(p.pool.Busy()-busy) / float64(took) / float64(p.pool.Workers())
	p.display.log.Info("played", "seconds", int(took.Seconds()), "workers", p.pool.Workers(), "share_of_workers_time_in_games", fmt.Sprintf("%.3f", share))
	result := runResult{
		Run: o.Run, Name: p.folder.Name(), Candidate: o.Place, Games: o.Games, Generations: o.Generations,
		Verdict: p.verdict(o), Gate: o.Gate, Validation: o.Validation,
	}
	if val := o.Validation; val != nil {
		result.Elo, result.EloLow, result.EloHigh = &val.Elo, &val.EloLow, &val.EloHigh
	}
	if err == nil && result.Verdict != verdictNone {
		if err := weights.Save(p.out, o.Set, true); err != nil {
			return err
		}
		result.Out = &p.out
	}
	if err := show(cmd, v, result.text(), result); err != nil {
		return err
	}
	if errors.Is(err, context.Canceled) {
		again := "tune resume " + result.Name
		if v.IsSet("runs") {
			again += " --runs " + v.String("runs")
		}
		return fmt.Errorf("%w: go on with `%s`", config.ErrInterrupted, again)
	}
	return err
}

func (p *playing) verdict(o *tuner.Outcome) string {
	switch {
	case o.Interrupted:
		return verdictInterrupted
	case p.config.NoGate:
		return verdictUnproven
	case o.Proven:
		return verdictProven
	}
	return verdictNone
}

// text tells the result to people.
func (r *runResult) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %s: %d games, %d generations\n", r.Name, r.Games, r.Generations)
	if g := r.Gate; g != nil {
		fmt.Fprintf(&b, "gate: %s after %d pairs, LLR %.2f of [%.2f, %.2f]\n", g.Verdict, g.Pairs, g.LLR, g.Lower, g.Upper)
	}
	if val := r.Validation; val != nil {
		fmt.Fprintf(&b, "validation: %s against %s, %d games at %d nodes a move on openings made for this run\n",
			interval(val.Elo, val.EloLow, val.EloHigh), val.B, val.Games, val.Nodes)
	}
	switch {
	case r.Out != nil:
		fmt.Fprintf(&b, "%s: %s written\n", r.Verdict, *r.Out)
	default:
		fmt.Fprintf(&b, "%s: the candidate is %s\n", r.Verdict, r.Candidate)
	}
	return b.String()
}

// interval writes an Elo with its 95 % interval.
func interval(elo, low, high float64) string {
	return fmt.Sprintf("%+.1f Elo [%+.1f, %+.1f]", elo, low, high)
}
