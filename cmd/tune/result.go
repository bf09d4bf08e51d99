package main

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/stats"
	"quintune/internal/text"
	"quintune/internal/tuner"
)

// Verdicts of a run.
const (
	verdictProven      = "proven gain"
	verdictNone        = "no proven gain"
	verdictUnproven    = "unproven" // the run had no gate
	verdictInterrupted = "interrupted"
)

// runResult is what `tune run --json` and `tune resume --json` print.
type runResult struct {
	run.Outcome
	Run       string          `json:"run"`
	Name      string          `json:"name"`
	Open      int             `json:"open"` // stored games of the interrupted step and of generations in flight, beside Games
	Out       *string         `json:"out"`  // file that holds the result, null where none does
	Candidate string          `json:"candidate"`
	Elo       *float64        `json:"elo"` // of the validation, null without one
	EloLow    *float64        `json:"elo_low"`
	EloHigh   *float64        `json:"elo_high"`
	Verdict   string          `json:"verdict"`
	Gate      *testReport     `json:"gate"`
	Values    json.RawMessage `json:"values,omitempty"` // recommended values of an engine from outside
	Form      string          `json:"form,omitempty"`   // file of these values in the engine's own form
	// Reproducible is false where an external engine played that does not repeat its games.
	Reproducible bool `json:"reproducible"`

	record  run.Record
	runs    *runsOption
	again   []string      // command that continues the run
	note    string        // sentence for people about --out; "": none
	earlier bool          // Out was written when the run ended, before
	shipped *match.Report // against the embedded set of the board; nil: there is none

	embedded string // name of the embedded weights of the board
}

// result returns the outcome of a run in the form in which it is shown.
func (p *playing) result(o *tuner.Outcome) *runResult {
	r := &runResult{
		Outcome: o.Outcome, Run: o.Run, Name: p.folder.Name(), Candidate: o.Path, Verdict: p.verdict(o), Gate: judged(o.Gate),
		Reproducible: p.record.Spec.Reproducible, record: p.record, runs: &p.options.runsOption, again: p.again(), Open: o.Open, embedded: p.config.Embedded(), Form: p.delivery.Form,
	}
	r.record.Engine = p.engine()
	if p.config.Outside != nil {
		r.Values = candidateValues(o.Path)
	}
	if n := len(o.Further); p.config.Shipped != nil && n > 0 && o.Further[n-1].B == p.config.Shipped.Name {
		r.shipped = &o.Further[n-1]
	}
	if val := o.Validation; val != nil {
		if p.config.Outside == nil && val.B == r.embedded { // the start is the embedded set
			r.shipped = val
		}
		if !val.Unplayed() {
			r.Elo, r.EloLow, r.EloHigh = &val.Elo, &val.EloLow, &val.EloHigh
		}
	}
	switch {
	case p.delivery.Done:
		r.Out = &p.record.Out
	case p.delivery.Kept && len(p.config.Unmet(p.record.Out)) == 0:
		r.note = fmt.Sprintf("%s was not replaced: it holds neither weights nor values.\n", p.record.Out)
	case p.delivery.Kept:
		held, ours := heldBy(p.record.Out, p.config)
		r.note = fmt.Sprintf("%s was not replaced: it holds %s, which this run has not met.\n", p.record.Out, held)
		if ours && p.config.Outside == nil {
			r.note += fmt.Sprintf("`%s` compares them.\n", text.CommandLine(append([]string{"tune", "match", o.Path, p.record.Out}, r.on()...)...))
		}
	}
	return r
}

// verdict returns what came of the run, in two words or three.
func (p *playing) verdict(o *tuner.Outcome) string {
	if o.Interrupted {
		return verdictInterrupted
	}
	return verdictOf(p.config.NoGate, o.Proven)
}

// verdictOf returns the verdict of a finished run.
func verdictOf(noGate, proven bool) string {
	switch {
	case noGate:
		return verdictUnproven
	case proven:
		return verdictProven
	}
	return verdictNone
}

// text returns the result for people.
func (r *runResult) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %s: %d games, %d generations\n", r.Name, r.Games+r.Open, r.Generations)
	if r.Settled {
		fmt.Fprintf(&b, "%s %s\n", run.SettledWords, r.deeper())
	}
	if end := r.record.Spec.EarlyEnd(&r.Outcome); end != "" {
		b.WriteString(end + "\n")
	}
	switch g := r.Gate; {
	case g == nil:
	case g.Unplayed():
		fmt.Fprintf(&b, "gate: %s without a game: the values are the same\n", g.Plain())
	default:
		fmt.Fprintf(&b, "gate: %s after %s, LLR %s of [%.2f, %.2f]\n", g.Plain(), text.Plural(g.Pairs, "pair"), text.Hundredths(g.LLR), g.Lower, g.Upper)
	}
	if g := r.Gate; g != nil && !g.Passed && r.Verdict == verdictProven {
		fmt.Fprintf(&b, "%s, which passed a gate before, was not beaten and stays the champion\n", g.B)
	}
	switch val := r.Validation; {
	case val == nil:
	case val.Unplayed():
		fmt.Fprintf(&b, "validation: %s\n", validationText(val))
	default:
		fmt.Fprintf(&b, "validation: %s, on openings that no book holds\n", validationText(val))
	}
	for i := range r.Further {
		fmt.Fprintf(&b, "further: %s\n", validationText(&r.Further[i]))
	}
	b.WriteString(faultLines(r.Faults))
	switch {
	case !r.Reproducible:
		fmt.Fprintf(&b, "not reproducible: %s\n", r.record.Spec.Unrepeatable())
	case r.Values != nil:
		b.WriteString(measuredEqual)
	}
	switch {
	case r.earlier:
		fmt.Fprintf(&b, "%s: %s holds it\n", r.Verdict, *r.Out)
	case r.Out != nil:
		fmt.Fprintf(&b, "%s: %s written\n", r.Verdict, *r.Out)
	default:
		fmt.Fprintf(&b, "%s: the candidate is %s\n", r.Verdict, r.Candidate)
	}
	if r.Form != "" {
		fmt.Fprintf(&b, "%s has the values in the engine's own form\n", r.Form)
	}
	b.WriteString(r.comparison())
	b.WriteString(r.note)
	b.WriteString(r.explanation())
	b.WriteString(r.next())
	return b.String()
}

// deeper returns at which limit of a move the run has settled, and the command that goes on with more nodes, where nodes
// are the limit.
func (r *runResult) deeper() string {
	s := &r.record.Spec
	ended := fmt.Sprintf("at %s: the evolution ended after %d games", s.Limit(), r.Evolution)
	if s.Outside != nil && s.Outside.TimeMS > 0 {
		return ended
	}
	command := append([]string{"tune", "run", "--start", r.Candidate, "--nodes", strconv.FormatInt(4*s.Nodes, 10)}, r.on()...)
	return fmt.Sprintf("%s; `%s` goes deeper", ended, text.CommandLine(withEngine(r.record.Engine, command...)...))
}

// extend returns the command that continues the run with a greater budget.
func (r *runResult) extend() string { return text.CommandLine(append(r.again, "--budget", "MORE")...) }

// on returns the flags for the board of the run.
func (r *runResult) on() []string { return on(r.record.Spec.Rule, r.record.Spec.Size) }

// measure returns the command that compares a file of the run with the embedded weights of its board.
func (r *runResult) measure(file string) []string {
	return measure(file, r.embedded, r.record.Spec.Rule, r.record.Spec.Size)
}

// next returns the next command after a run.
func (r *runResult) next() string {
	file := r.Candidate
	if r.Out != nil && player.IsFile(*r.Out) {
		file = *r.Out
	}
	switch {
	case r.Verdict == verdictInterrupted:
		return next("goes on with it", r.again...)
	case r.Out == nil:
		return next("shows all curves and figures", r.runs.withRuns("tune", "report", r.Name, "-o", r.Name+".html")...)
	case r.record.Engine != "":
		return next("shows which parameters mattered", r.runs.withRuns("tune", "sensitivity", r.Name, "--engine", r.record.Engine)...)
	case r.shipped != nil && r.shipped.Shown() < 0:
		return next("plays with the embedded weights, which are stronger", append([]string{"play", "--weights", r.shipped.B}, r.on()...)...)
	case r.Verdict == verdictUnproven:
		return next("measures it", r.measure(file)...)
	}
	return next("plays with it", append([]string{"play", "--weights", file}, r.on()...)...)
}

// furtherPairs is the number of pairs of a match that asks further than a shorter validation. Every embedded book has as many.
const furtherPairs = 1000

// comparison returns a sentence about whether the result or the embedded set of the board is stronger, and what
// to do.
func (r *runResult) comparison() string {
	v := r.shipped
	if v == nil {
		return ""
	}
	file := r.Candidate
	if r.Out != nil {
		file = *r.Out
	}
	if v.Unplayed() {
		began := ""
		if v.B == r.record.Spec.StartName {
			began = ", with which the run began: nothing better was found"
		}
		return fmt.Sprintf("%s holds the weights of the embedded `%s`%s.\n", file, v.B, began)
	}
	interval := func(elo, low, high float64) string {
		if least, only := v.Least(); only {
			return fmt.Sprintf("more than %.0f Elo", math.Abs(least))
		}
		return fmt.Sprintf("%.0f Elo [%.0f, %.0f]", elo, low, high)
	}
	switch v.Shown() {
	case -1:
		return fmt.Sprintf("%s is %s weaker than the embedded `%s`: play with --weights %s, and begin the next run without --start, with another --out.\n",
			file, interval(-v.Elo, -v.EloHigh, -v.EloLow), v.B, v.B)
	case 1:
		return fmt.Sprintf("%s is %s stronger than the embedded `%s`: play with --weights %s.\n%s",
			file, interval(v.Elo, v.EloLow, v.EloHigh), v.B, text.CommandLine(file), r.notDeeper(v))
	}
	equal := fmt.Sprintf("%s and the embedded `%s` are not told apart, %s in %s, %s", file, v.B, v.Precisely(), text.Plural(v.Games, "game"), v.Doubt())
	if v.Pairs >= furtherPairs {
		return equal + ".\n"
	}
	command := r.measure(file)
	if nodes := strconv.FormatInt(v.Nodes, 10); v.Nodes > 0 && nodes != matchNodes {
		command = append(command, "--nodes", nodes)
	}
	return fmt.Sprintf("%s: `%s --pairs %d` asks further.\n", equal, text.CommandLine(command...), furtherPairs)
}

// notDeeper returns a sentence where a gain in a validation is not shown against the same player at more nodes, "" otherwise.
func (r *runResult) notDeeper(v *match.Report) string {
	for i := range r.Further {
		f := &r.Further[i]
		if f.B != v.B || f.Nodes <= v.Nodes || f.Unplayed() || f.Shown() > 0 {
			continue
		}
		found := "no gain is shown"
		if f.Shown() < 0 {
			found = "it is weaker"
		}
		return fmt.Sprintf("At %s %s: %s.\n", f.Limit(), found, f.Precisely())
	}
	return ""
}

// explanation returns why the validation proves nothing where the gate was not passed, and how to go on.
func (r *runResult) explanation() string {
	val, refused := r.Validation, r.Gate != nil && r.Gate.Plain() == match.NotPassed
	if r.Verdict != verdictNone || val == nil || val.Elo <= 0 {
		return ""
	}
	const looksGood = "The validation looks good, but only a passed gate counts as proof, and this one "
	why := "Neither the gate nor the validation had games enough to tell."
	switch {
	case val.Shown() > 0 && refused:
		why = looksGood + "decided against the candidate."
	case val.Shown() > 0:
		why = looksGood + "ended before it could tell."
	case refused:
		return "" // an interval that holds 0 does not contradict the gate
	}
	return fmt.Sprintf("%s `%s` goes on from here.\n", why, r.extend())
}

// validationText returns one validation for people.
func validationText(v *match.Report) string {
	if v.Unplayed() {
		return fmt.Sprintf("none against %s at %s, %s", v.B, v.Limit(), v.Doubt())
	}
	return fmt.Sprintf("%s against %s, %d games at %s", v.Precisely(), v.B, v.Games, v.Limit()) + tooFew(v)
}

// tooFew returns a clause that warns of the interval of too few pairs, "" where there are enough.
func tooFew(v *match.Report) string {
	if v.Pairs < stats.FewestPairs {
		return ", " + v.Doubt()
	}
	return ""
}
