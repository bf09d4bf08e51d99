package main

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/stats"
	"quintune/internal/text"
)

func showCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:     "show [RUN]",
		Short:   "Show what a run was asked to do and what it has come to, by default the latest",
		Example: "  tune show\n  tune show r-huang-1-0123abcd --json",
		Args:    cobra.MaximumNArgs(1),
	}, &storedOptions{}, showRun)
}

// shown is what `tune show --json` prints.
type shown struct {
	run.Summary
	run.Outcome
	Status     string       `json:"status"` // as in a list
	Groups     []string     `json:"groups"`
	Frozen     []string     `json:"frozen,omitempty"`      // what keeps its value: of --freeze, and what the run keeps by itself
	FirstNodes int64        `json:"first_nodes,omitempty"` // with which the evolution begins; 0: Nodes
	InFlight   int          `json:"in_flight,omitempty"`   // generations that are played at a time, above 1; 0: 1
	Gates      []testReport `json:"gates"`

	Reproducible bool             `json:"reproducible"`      // equal runs give equal games
	Outside      *run.EngineSpec  `json:"outside,omitempty"` // engine whose parameters are tuned; nil: weights are tuned
	Sensitivity  *run.Sensitivity `json:"sensitivity"`       // of the run as it is, null for none

	record   run.Record
	proven   bool
	runs     *runsOption
	outdated bool // there is a sensitivity of the run as it was before
}

func showRun(cmd *cobra.Command, o *storedOptions, args []string) error {
	var stored *runfolder.Stored
	var mattered *run.Sensitivity
	var outdated bool
	var status string
	err := readRuns(o.Runs, func(runs *runfolder.Runs) error {
		name, err := runNamed(runs, args, false)
		if err == nil {
			stored, err = runs.Load(name)
		}
		if err == nil {
			status = runs.Status(&stored.Row)
			mattered, outdated, err = runs.Sensitivity(stored)
		}
		return err
	})
	if err != nil {
		return err
	}
	spec := &stored.Record.Spec
	s := shown{
		Summary: stored.Row.Summary, Outcome: stored.State.Outcome, Status: status,
		Groups: spec.Groups, Frozen: spec.Frozen, FirstNodes: spec.FirstNodes, InFlight: spec.Settings.InFlight, Reproducible: spec.Reproducible, Outside: spec.Outside, Sensitivity: mattered,
		Gates: []testReport{}, record: stored.Record, proven: stored.State.Proven() != nil, runs: &o.runsOption, outdated: outdated,
	}
	for _, g := range stored.State.Gates {
		s.Gates = append(s.Gates, *judged(&g.Report))
	}
	return show(cmd, &o.Common, s.text(), s)
}

// text returns a run for people.
func (s *shown) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s), begun %s, commit %s\n", s.Name, s.Hash, text.Time(s.Begun), s.Commit)
	fmt.Fprintf(&b, "%s of %s from %s, %s on %d×%d, %s a move, seed %d\n",
		s.Optimizer, strings.Join(s.Groups, ","), s.Start, s.Rule, s.Size, s.Size, s.record.Spec.Limit(), s.Seed)
	if e := s.Outside; e != nil {
		fmt.Fprintf(&b, "engine %s, %s, passed by %s\n", e.Name, text.Plural(len(e.Parameters), "parameter"), e.Pass)
	}
	if len(s.Frozen) > 0 {
		fmt.Fprintf(&b, "frozen: %s\n", strings.Join(s.Frozen, ","))
	}
	if s.InFlight > 1 {
		fmt.Fprintf(&b, "%d generations in flight\n", s.InFlight)
	}
	if s.Parent != "" {
		fmt.Fprintf(&b, "forked from run %s\n", s.Parent)
	}
	b.WriteString(s.progress())
	few := false
	for _, c := range s.Checks {
		elo := c.Pairs.Elo()
		few = few || c.Pairs.Pairs() < stats.FewestPairs
		fmt.Fprintf(&b, "check after %d games: %s in %s\n", c.Games, text.Elo(elo.Elo, elo.Low, elo.High), text.Plural(c.Pairs.Pairs(), "pair"))
	}
	if few {
		fmt.Fprintf(&b, "check matches are for watching: an interval says nothing below %d pairs\n", stats.FewestPairs)
	}
	for _, g := range s.Gates {
		if g.Unplayed() {
			fmt.Fprintf(&b, "gate against %s: %s without a game, since the values are the same\n", g.B, g.Plain())
			continue
		}
		fmt.Fprintf(&b, "gate against %s: %s after %s, %s\n", g.B, g.Plain(), text.Plural(g.Pairs, "pair"), text.Elo(g.Elo, g.EloLow, g.EloHigh)+tooFew(&g.Report))
	}
	for i, val := range s.Validations() {
		heading := "validation"
		if i > 0 {
			heading = "further"
		}
		fmt.Fprintf(&b, "%s: %s\n", heading, validationText(val))
	}
	b.WriteString(s.notes())
	if s.Done {
		verdict, candidate := verdictOf(s.record.Spec.NoGate, s.proven), filepath.Join(s.runs.Runs, s.Name, run.Candidate+".json")
		if verdict != verdictNone && sameContent(s.record.Out, candidate) {
			fmt.Fprintf(&b, "%s: %s holds it\n", verdict, s.record.Out)
		} else {
			fmt.Fprintf(&b, "%s: the candidate is %s\n", verdict, candidate)
		}
	}
	if s.Sensitivity != nil {
		b.WriteString("\n" + sensitivityText(s.Name, s.Sensitivity))
	}
	if s.outdated {
		b.WriteString(s.runs.outdated(s.Name, &s.record) + "\n")
	}
	switch s.Status {
	case runfolder.StatusDone:
		b.WriteString(next("writes curves, weights and verdicts to one page", s.runs.withRuns("tune", "report", s.Name, "-o", s.Name+".html")...))
	case runfolder.StatusPlaying:
		b.WriteString(next("shows it in a browser while it is played", s.runs.withRuns("tune", "watch", s.Name)...))
	default:
		b.WriteString(next("goes on with it", s.runs.withRuns(withEngine(s.record.Engine, "tune", "resume", s.Name)...)...))
	}
	return b.String()
}

// measuredEqual is the sentence that the games of an engine from outside can be repeated.
const measuredEqual = "reproducible: equal values gave equal games when the run began\n"

// faultLines returns a line for each kind of fault.
func faultLines(faults []run.Fault) string {
	var b strings.Builder
	for i := range faults {
		b.WriteString(faultLine(&faults[i]))
	}
	return b.String()
}

// faultCounts returns a line for each kind of a player's faults.
func faultCounts(player string, counts map[string]int64) string {
	var b strings.Builder
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		b.WriteString(faultLine(&run.Fault{Player: player, Kind: kind, Count: counts[kind]}))
	}
	return b.String()
}

// faultLine returns a line about one kind of fault. Its texts come from engines and workers.
func faultLine(f *run.Fault) string {
	line := fmt.Sprintf("faults of %s: %d × %s", f.Player, f.Count, f.Kind)
	if f.First != "" {
		line += ", first " + f.First
	}
	return text.Printable(line) + "\n"
}

// notes returns how the evolution ended early, which faults there were, and whether the run can be repeated.
func (s *shown) notes() string {
	var b strings.Builder
	if s.Settled {
		fmt.Fprintf(&b, "%s at %s: the evolution ended after %d games\n", run.SettledWords, s.record.Spec.Limit(), s.Ended)
	}
	if end := s.record.Spec.EarlyEnd(&s.Outcome); end != "" {
		b.WriteString(end + "\n")
	}
	b.WriteString(faultLines(s.Faults))
	for _, worker := range s.Dropped {
		fmt.Fprintf(&b, "%s was dropped: its games came out differently when replayed\n", worker)
	}
	switch {
	case !s.Reproducible:
		fmt.Fprintf(&b, "not reproducible: %s\n", s.record.Spec.Unrepeatable())
	case s.Outside != nil:
		b.WriteString(measuredEqual)
	}
	return b.String()
}

// progress returns how far the run has come.
func (s *shown) progress() string {
	switch {
	case s.Done:
		earlier := ""
		if s.Games > s.Budget {
			earlier = "; gate and validation of an earlier end are not in the budget"
		}
		return fmt.Sprintf("done: %d of %d games, %s%s\n", s.Games, s.Budget, text.Plural(s.Generations, "generation"), earlier)
	case s.AllGames() == 0:
		return fmt.Sprintf("begun, but no pair is finished yet; the budget is %d games\n", s.Budget)
	}
	state := "unfinished"
	if s.Status == runfolder.StatusPlaying {
		state = "being played"
	}
	return fmt.Sprintf("%s: %d of %d games, %s closed, %d games of open steps\n",
		state, s.AllGames(), s.Budget, text.Plural(s.Generations, "generation"), s.Open)
}
