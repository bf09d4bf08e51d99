package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/notify"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/stats"
	"quintune/internal/store"
	"quintune/internal/text"
	"quintune/internal/tuner"
	"quintune/internal/webui/guard"
)

// playOptions are the options of the commands that play a run.
type playOptions struct {
	config.Common
	runsOption
	executorOptions
	pageOptions
	Engine        string            // "": weights are tuned
	Deadline      *config.TimeOfDay // nil: none
	AllowCommands bool
	Trace         string // "": none
	Stay          bool
	Notify        string // "": nobody

	page *guard.Site // nil: none, or not yet opened
}

func (o *playOptions) Declare(d *config.Declaration) {
	d.Group("The run")
	config.Var(d, &o.Engine, "engine", "", config.Text("FILE"), "engine file of an engine from outside, whose parameters are tuned in the place of weights", config.FlagOnly)
	config.Var(d, &o.Deadline, "deadline", "", config.LocalTime(), "end the evolution at this time of the local clock, and go on with gate and validation; a generation that is being played is finished first, and so is a round of a fit, which may take long")
	config.Var(d, &o.AllowCommands, "allow-commands", "false", config.Switch(), "start gomocup: commands that a configuration or a stored run names", config.FlagOnly)
	o.executorOptions.Declare(d)
	o.pageOptions.declare(d, "", "show the run on a page at this address, such as 127.0.0.1:8090")
	config.Var(d, &o.Stay, "stay", "false", config.Switch(), "when the run has ended, go on serving its page until Ctrl-C", config.FlagOnly)
	d.Group("The end of the run")
	config.Var(d, &o.Notify, "notify", "", config.Optional(config.Text("URL|desktop").Where(notify.Check)), "tell of the end: send the object of --json to an address, or show a note on the desktop")
	config.Var(d, &o.Trace, "trace", "", config.Text("FILE"), "append a line to the file for every pair that is begun, for debugging", config.FlagOnly)
	o.runsOption.Declare(d)
}

// playing is a run with everything that plays and shows it.
type playing struct {
	options  *playOptions
	run      *tuner.Run
	config   *tuner.Config
	folder   *runfolder.Folder
	record   run.Record
	executor *executor
	display  *display

	deadline time.Time // of the evolution, zero: none

	state run.State        // closed before, the zero value for a new run
	past  []run.Generation // closed before

	outside outside // zero: weights are tuned

	delivery tuner.Delivery // zero: nothing is played
}

// staged starts what plays and shows the run, calls body, and ends it. Errors in the options of either come up
// before the first game.
func (p *playing) staged(cmd *cobra.Command, body func() error) (err error) {
	if err := p.options.openPage(cmd.Context()); err != nil {
		return err
	}
	defer closePage(p.options.page)
	p.display, p.deadline = newDisplay(cmd, &p.options.Common), p.options.Deadline.After(time.Now())
	if p.executor, err = newExecutor(cmd.Context(), p.options, p.outside, p.display.log); err != nil {
		return err
	}
	stopTrace, err := trace(p.executor.pool, p.options.Trace)
	if err != nil {
		return errors.Join(err, p.executor.close())
	}
	return errors.Join(body(), stopTrace(), p.executor.close())
}

// Verdicts of a run.
const (
	verdictProven      = "proven gain"
	verdictNone        = "no proven gain"
	verdictUnproven    = "unproven" // the run had no gate
	verdictInterrupted = "interrupted"
)

// runResult is what `tune run --json` prints.
type runResult struct {
	run.Outcome
	Run       string            `json:"run"`
	Name      string            `json:"name"`
	Out       *string           `json:"out"` // null where it was not written
	Candidate string            `json:"candidate"`
	Elo       *float64          `json:"elo"` // of the validation, null without one
	EloLow    *float64          `json:"elo_low"`
	EloHigh   *float64          `json:"elo_high"`
	Verdict   string            `json:"verdict"`
	Gate      *match.GateReport `json:"gate"`
	Values    json.RawMessage   `json:"values,omitempty"` // recommended values of an engine from outside
	Form      string            `json:"form,omitempty"`   // file of these values in the engine's own form
	// Reproducible is false where an external engine played that does not repeat its games.
	Reproducible bool `json:"reproducible"`

	record  run.Record
	stored  *runsOption
	again   []string      // command that continues the run
	open    int           // games of the interrupted step that are stored
	note    string        // sentence for people about --out; "": none
	shipped *match.Report // against the embedded set of the board; nil: not played

	embedded string // name of the embedded weights of the board
}

// playRun plays a run to its end and shows the result.
func playRun(cmd *cobra.Command, p *playing) (err error) {
	log := newRunLog(p.folder.Path())
	defer func() { err = errors.Join(err, log.Close()) }()
	warnOfLittleRoom(p.display.log, &p.options.runsOption, p.config.Budget)
	warnOfEnding(p.display.log, p.record.Out)
	p.delivery = p.run.Delivery(p.record.Out)
	began, busy := time.Now(), p.executor.pool.Busy()
	ctx, interrupt := context.WithCancel(cmd.Context())
	defer interrupt()
	shown, err := p.show(cmd, interrupt)
	if err != nil {
		return err
	}
	log.Info("begun", "run", p.folder.Name(), "id", p.run.ID(), "commit", config.Commit(), "workers", p.executor.pool.Workers())
	o, err := p.executor.play(ctx, p, tuner.Environment{
		Store: p.folder, Labels: filepath.Join(p.folder.Path(), "labels"), Commit: config.Commit(), Deadline: p.deadline, Deliver: p.delivery.Deliver,
		Watch: func(e run.Event) {
			log.event(e)
			shown.event(e)
		},
		Warn: func(message string) {
			log.Warn(message)
			p.display.log.Warn(message)
		},
	})
	shown.leave()
	defer shown.end()
	if o == nil {
		log.Error(err.Error())
		if errors.Is(err, store.ErrDamaged) {
			return err
		}
		return fmt.Errorf("%w; what was stored is safe: when the cause is gone go on with `%s`", err, text.CommandLine(p.again()...))
	}
	p.display.log.Info("played", p.executor.played(time.Since(began), busy)...)
	result := p.result(o)
	log.Info("ended", "verdict", result.Verdict, "games", o.Games, "candidate", o.Place)
	showing := show(cmd, &p.options.Common, result.text(), result) // ignored: the output may have no reader any more
	if err == nil {
		p.notify(cmd.Context(), result)
		shown.stay(cmd.Context(), p.options.Stay)
	}
	if errors.Is(err, context.Canceled) {
		err = fmt.Errorf("%w: go on with `%s`", config.ErrInterrupted, text.CommandLine(p.again()...))
	}
	return errors.Join(err, showing)
}

// notify sends the result to the address or desktop of --notify. If that fails, it logs a warning.
func (p *playing) notify(ctx context.Context, r *runResult) {
	if p.options.Notify == "" {
		return
	}
	message := &notify.Message{Title: "Quintune: run " + r.Name, Words: r.text(), Object: r}
	if err := notify.Send(ctx, p.options.Notify, message); err != nil {
		p.display.log.Warn("nobody was told of the end of the run", "error", err)
	}
}

// result returns the outcome of a run in the form in which it is shown.
func (p *playing) result(o *tuner.Outcome) *runResult {
	r := &runResult{
		Outcome: o.Outcome, Run: o.Run, Name: p.folder.Name(), Candidate: o.Place, Verdict: p.verdict(o), Gate: o.Gate,
		Reproducible: p.record.Spec.Reproducible, record: p.record, stored: &p.options.runsOption, again: p.again(), open: o.Open, embedded: p.config.Embedded(), Form: p.delivery.Form,
	}
	r.record.Engine = p.engine()
	if p.config.Outside != nil {
		r.Values = candidateValues(o.Place)
	}
	if n := len(o.Further); p.config.Shipped != nil && n > 0 && o.Further[n-1].B == p.config.Shipped.Name {
		r.shipped = &o.Further[n-1]
	}
	if val := o.Validation; val != nil {
		if p.config.Outside == nil && val.B == r.embedded { // the start is the embedded set
			r.shipped = val
		}
		r.Elo, r.EloLow, r.EloHigh = &val.Elo, &val.EloLow, &val.EloHigh
	}
	switch {
	case p.delivery.Done:
		r.Out = &p.record.Out
	case p.delivery.Kept && len(p.config.Rival(p.record.Out)) == 0:
		r.note = fmt.Sprintf("%s was not replaced: it holds neither weights nor values.\n", p.record.Out)
	case p.delivery.Kept && p.config.Outside != nil:
		r.note = fmt.Sprintf("%s was not replaced: it holds values that this run has not met.\n", p.record.Out)
	case p.delivery.Kept:
		r.note = fmt.Sprintf("%s was not replaced: it holds weights that this run has not met. Compare them with `%s`.\n",
			p.record.Out, text.CommandLine(append([]string{"tune", "match", o.Place, p.record.Out}, r.on()...)...))
	}
	return r
}

// engine returns the engine file as it was typed, else as it is stored; "" where weights are tuned.
func (p *playing) engine() string { return cmp.Or(p.options.Engine, p.record.Engine) }

// again returns the command that continues the run.
func (p *playing) again() []string {
	return p.options.withRuns(withEngine(p.engine(), "tune", "resume", p.folder.Name())...)
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

// text returns the result for people.
func (r *runResult) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "run %s: %d games, %d generations\n", r.Name, r.Games+r.open, r.Generations)
	if r.Settled {
		fmt.Fprintf(&b, "nothing more to gain %s\n", r.deeper())
	}
	if end := r.record.Spec.EarlyEnd(&r.Outcome); end != "" {
		b.WriteString(end + "\n")
	}
	switch g := r.Gate; {
	case g == nil:
	case g.Unplayed():
		fmt.Fprintf(&b, "gate: %s without a game: the weights are the same\n", g.Plain())
	default:
		fmt.Fprintf(&b, "gate: %s after %s, LLR %.2f of [%.2f, %.2f]\n", g.Plain(), text.Plural(g.Pairs, "pair"), g.LLR, g.Lower, g.Upper)
	}
	if g := r.Gate; g != nil && !g.Passed && r.Verdict == verdictProven {
		fmt.Fprintf(&b, "%s, which passed a gate before, was not beaten and stays the champion\n", g.B)
	}
	switch val := r.Validation; {
	case val == nil:
	case val.Unplayed():
		fmt.Fprintf(&b, "validation: %s\n", validationText(val))
	default:
		fmt.Fprintf(&b, "validation: %s, on openings made for this run\n", validationText(val))
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

// deeper returns at which limit of a move nothing more was to be gained, and the command that goes on with more nodes, where nodes
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
		return next("shows all curves and figures", r.stored.withRuns("tune", "report", r.Name, "-o", r.Name+".html")...)
	case r.record.Engine != "":
		return next("shows which parameters mattered", r.stored.withRuns("tune", "sensitivity", r.Name, "--engine", r.record.Engine)...)
	case r.shipped != nil && r.shipped.Shown() < 0:
		return next("plays with the embedded weights, which are stronger", append([]string{"play", "--weights", r.shipped.B}, r.on()...)...)
	case r.Verdict == verdictUnproven:
		return next("measures it", r.measure(file)...)
	}
	return next("plays with it", append([]string{"play", "--weights", file}, r.on()...)...)
}

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
	if r.Gate != nil && r.Gate.Unplayed() && v.B == r.record.Spec.StartName {
		return fmt.Sprintf("%s holds the weights of the embedded `%s`, with which the run began: nothing better was found.\n", file, v.B)
	}
	interval := func(elo, low, high float64) string { return fmt.Sprintf("%.0f Elo [%.0f, %.0f]", elo, low, high) }
	switch v.Shown() {
	case -1:
		return fmt.Sprintf("%s is %s weaker than the embedded `%s`: play with --weights %s, and begin the next run without --start.\n",
			file, interval(-v.Elo, -v.EloHigh, -v.EloLow), v.B, v.B)
	case 1:
		return fmt.Sprintf("%s is %s stronger than the embedded `%s`: play with --weights %s.\n",
			file, interval(v.Elo, v.EloLow, v.EloHigh), v.B, text.CommandLine(file))
	}
	command := r.measure(file)
	if nodes := strconv.FormatInt(v.Nodes, 10); v.Nodes > 0 && nodes != matchNodes {
		command = append(command, "--nodes", nodes)
	}
	return fmt.Sprintf("%s and the embedded `%s` are not told apart, %s in %s, %s: `%s --pairs 1000` asks further.\n",
		file, v.B, text.Elo(v.Elo, v.EloLow, v.EloHigh), text.Plural(v.Games, "game"), v.Doubt(), text.CommandLine(command...))
}

// explanation returns why the validation proves nothing where the gate was not passed, and how to go on.
func (r *runResult) explanation() string {
	val, refused := r.Validation, r.Gate != nil && r.Gate.Verdict == stats.AcceptH0.String()
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
		return fmt.Sprintf("none against %s, %s", v.B, v.Doubt())
	}
	return fmt.Sprintf("%s against %s, %d games at %s", text.Elo(v.Elo, v.EloLow, v.EloHigh), v.B, v.Games, v.Limit()) + tooFew(v)
}

// tooFew returns a clause that warns of the interval of too few pairs, "" where there are enough.
func tooFew(v *match.Report) string {
	if v.Pairs < stats.FewestPairs {
		return ", " + v.Doubt()
	}
	return ""
}
