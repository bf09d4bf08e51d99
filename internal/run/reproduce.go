package run

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/book"
	"quintune/internal/fit"
	"quintune/internal/text"
	"quintune/pattern"
	"quintune/weights"
)

// Reproduction returns the command lines that repeat a run up to its present state, and notes on what they need.
func (r *Record) Reproduction(state *State) (commands, notes []string) {
	s := &r.Spec
	budget, ended := s.Budget, state.RepeatedEnd(s.Evolution)
	if len(s.Extended) > 0 {
		budget, ended = s.Extended[0].Budget, s.Extended[0].Evolution
	}
	args := append([]string{"tune", "run"}, startFlags(r)...)
	args = append(args, "--budget", fmt.Sprintf("%dgames", budget), "--seed", strconv.FormatUint(s.Seed, 10),
		"--nodes", strconv.FormatInt(s.Nodes, 10), "--rule", s.Rule, "--size", strconv.Itoa(s.Size))
	if s.FirstNodes > 0 {
		args = append(args, "--first-nodes", strconv.FormatInt(s.FirstNodes, 10))
	}
	args = append(args, methodFlags(s)...)
	args, notes = opponentFlags(s, args, notes)
	args, notes = openingFlags(s, args, notes)
	if ended > 0 {
		args = append(args, "--evolution", strconv.Itoa(ended))
	}
	if s.NoGate {
		args = append(args, "--no-gate")
	}
	resumes, when := r.raises(&state.Outcome)
	commands, notes = append([]string{text.CommandLine(append(args, "--out", r.Out)...)}, resumes...), append(notes, when...)
	if s.StartName != ownStart(s) && startArgument(s) != s.StartName {
		notes = append(notes, fmt.Sprintf("%s is the file of %s as it was then; its values are the column of the start below.", startArgument(s), s.StartName))
	}
	if s.Reproducible && s.Settings.InFlight == 0 && s.Optimizer != fit.Method {
		notes = append(notes, "On a cluster the first command needs --in-flight 1 too.")
	}
	return commands, append(notes, sameProgram(r))
}

// raises returns the commands that raise the budget as it was raised on the way, and notes on when; none where it was not.
func (r *Record) raises(o *Outcome) (commands, notes []string) {
	s := &r.Spec
	for i, e := range s.Extended {
		next := s.Budget
		if i+1 < len(s.Extended) {
			next = s.Extended[i+1].Budget
		}
		resume := []string{"tune", "resume", "RUN", "--budget", fmt.Sprintf("%dgames", next)}
		if s.Outside != nil {
			resume = append(resume, "--engine", r.Engine)
		}
		if slices.ContainsFunc(s.Anchors, Anchor.External) {
			resume = append(resume, "--allow-commands")
		}
		commands = append(commands, text.CommandLine(resume...))
		when := "has to be interrupted there"
		if e.Ended {
			when = "had come to its end"
		}
		notes = append(notes, fmt.Sprintf("The budget was raised from %d to %d games after generation %d: the run %s.", e.Budget, next, e.Generation, when))
		if i > 0 && e.Evolution > 0 {
			notes = append(notes, fmt.Sprintf("Under the budget of %d games %s.", e.Budget, unrepeatableEnd(e.Evolution)))
		}
	}
	if len(s.Extended) > 0 {
		notes = append(notes, "RUN is the name that the run of the first command shows.")
		if end := s.EarlyEnd(o); end != "" {
			notes = append(notes, fmt.Sprintf("Under the budget of %d games %s.", s.Budget, end))
		}
	}
	return commands, notes
}

// EarlyEnd returns after how many of its games the evolution was ended, and how that is repeated. It is "" where it was not, and for a run
// that settled, since that repeats itself.
func (s *Spec) EarlyEnd(o *Outcome) string {
	switch {
	case o.Ended == 0 || o.Settled:
		return ""
	case len(s.Extended) > 0:
		return unrepeatableEnd(o.Ended)
	}
	return fmt.Sprintf("the evolution was ended after %d of its games: --budget %dgames --evolution %d repeats that", o.Ended, s.Budget, o.Ended)
}

// unrepeatableEnd is EarlyEnd where a deadline ended the evolution after the budget had been raised.
func unrepeatableEnd(games int) string {
	return fmt.Sprintf("the evolution was ended after %d of its games: no option of tune resume repeats that", games)
}

// startFlags are those of what is tuned and where it begins.
func startFlags(record *Record) []string {
	s := &record.Spec
	if s.Outside == nil {
		return []string{"--start", startArgument(s)}
	}
	args := []string{"--engine", record.Engine}
	if s.StartName != ownStart(s) {
		args = append(args, "--start", startArgument(s))
	}
	return args
}

// startArgument returns the preset with which a run began, or a word in the place of the file.
func startArgument(s *Spec) string {
	if _, err := weights.Preset(s.StartName); err != nil {
		return "START"
	}
	return s.StartName
}

// ownStart returns the name of the start values of an engine file, "" where weights are tuned.
func ownStart(s *Spec) string {
	if s.Outside == nil {
		return ""
	}
	return s.Outside.Name
}

// UsualGroups returns the groups that a run tunes without --only: of our weights those about which its optimiser can learn.
func (s *Spec) UsualGroups() []string {
	if s.Outside != nil {
		return s.Outside.Groups()
	}
	rule, err := pattern.ParseRule(s.Rule)
	if err != nil {
		return nil // tuner.Open refuses the rule
	}
	groups := weights.DefaultGroups(rule)
	if s.Optimizer == fit.Method {
		groups = slices.DeleteFunc(groups, func(group string) bool { return !fit.Learns([]string{group}) })
	}
	return groups
}

// sameProgram explains which program plays the same games, and how to check that.
func sameProgram(record *Record) string {
	e, former := record.Spec.Outside, record.Spec.former()
	now := record.Spec
	now.Adopt(now.Engine)
	switch {
	case former != "":
		return fmt.Sprintf("The optimizer is gone (%s): only the program of commit %s repeats the run.", former, record.Commit)
	case !record.Spec.Reproducible:
		return fmt.Sprintf("The run is not reproducible, nobody can repeat its games exactly: %s.", record.Spec.Unrepeatable())
	case now.Methods != record.Spec.Methods || now.Fit != record.Spec.Fit || now.Settings.Kin != record.Spec.Settings.Kin || !record.Spec.asNew():
		return fmt.Sprintf("The methods have changed since: only the program of commit %s repeats the run.", record.Commit)
	case !rivalsFirst(record.Spec.Anchors):
		return fmt.Sprintf("A new run has its rivals before the other anchors: only the program of commit %s repeats the run.", record.Commit)
	case e != nil:
		return fmt.Sprintf("Equal values gave equal games when the run began, so the engine %s of the hash %s on %s gives the same bytes: the new run shows the id %s when it begins.",
			e.Name, e.Hash, strings.TrimSpace(record.GoArch+" "+record.GoLevel), record.Run)
	}
	same := fmt.Sprintf("Engine %s on %s gives the same bytes, whatever the number of workers", record.Spec.Engine, strings.TrimSpace(record.GoArch+" "+record.GoLevel))
	if record.Spec.Shares != nil { // a new run is stored without them, so it has another id
		return same + "."
	}
	return fmt.Sprintf("%s: the new run shows the id %s when it begins.", same, record.Run)
}

// asNew reports whether a new run of the same options has the settings and the frozen weights of this one. Those of an engine from outside
// depend on its file.
func (s *Spec) asNew() bool {
	if s.Outside != nil {
		return true
	}
	_, frozen := s.namedFrozen()
	usual, own := DefaultSettings(s.Optimizer, s.Groups, s.WarmStart > 0), &s.Settings
	return frozen && usual.Width == own.Width && usual.Search == own.Search && usual.Perturb == own.Perturb && usual.Rate == own.Rate
}

// rivalsFirst reports whether the rivals come before the other anchors, as in runs that this program begins.
func rivalsFirst(anchors []Anchor) bool {
	others := slices.IndexFunc(anchors, func(a Anchor) bool { return !a.Rival })
	return others < 0 || !slices.ContainsFunc(anchors[others:], func(a Anchor) bool { return a.Rival })
}

// methodFlags are those of the optimiser and of what it tunes.
func methodFlags(s *Spec) []string {
	args := []string{"--optimizer", s.Optimizer}
	if s.Settings.InFlight > 1 {
		args = append(args, "--in-flight", strconv.Itoa(s.Settings.InFlight))
	}
	if !slices.Equal(s.Groups, s.UsualGroups()) {
		args = append(args, "--only", strings.Join(s.Groups, ","))
	}
	named, _ := s.namedFrozen()
	for _, name := range named {
		args = append(args, "--freeze", name)
	}
	if s.WarmStart != DefaultWarmStart(s.Optimizer, s.Groups, s.Outside != nil) {
		args = append(args, "--warm-start", strconv.FormatFloat(s.WarmStart, 'g', -1, 64))
	}
	return args
}

// opponentFlags adds those of the fixed opponents.
func opponentFlags(s *Spec, args, notes []string) (allArgs, allNotes []string) {
	var named, rivals []string
	for i := range s.Anchors {
		name := s.Anchors[i].Player
		if name == "" {
			name = s.Anchors[i].Name
			if _, err := weights.Preset(name); err != nil {
				name = fmt.Sprintf("ANCHOR-%d", i+1)
				notes = append(notes, fmt.Sprintf("%s is the weights file %s as it was then.", name, s.Anchors[i].Name))
			}
		}
		if s.Anchors[i].Rival {
			rivals = append(rivals, "--against", name)
		} else {
			named = append(named, name)
		}
	}
	if usual := slices.DeleteFunc(DefaultAnchors(), func(name string) bool { return startsFrom(s, name) }); s.Outside != nil || !slices.Equal(named, usual) {
		if s.Outside == nil && len(named) == 0 {
			named = []string{startArgument(s)} // which is left out, and with it the usual ones
		}
		for _, name := range named {
			args = append(args, "--anchor", name)
		}
	}
	args = append(args, rivals...)
	if outside := time.Duration(s.OutsideMS) * time.Millisecond; outside > 0 && outside != DefaultOutsideTime {
		args = append(args, "--outside-time", outside.String())
	}
	return args, notes
}

// startsFrom reports whether a run began with the values of a preset.
func startsFrom(s *Spec, preset string) bool {
	start, err := weights.Unmarshal(s.Start)
	if err != nil {
		return false
	}
	set, err := weights.Preset(preset)
	return err == nil && slices.Equal(set.Values, start.Values)
}

// openingFlags adds those of the openings, where the run did not have the embedded ones.
func openingFlags(s *Spec, args, notes []string) (allArgs, allNotes []string) {
	if !embedded(s) {
		args = append(args, "--openings", "OPENINGS")
		notes = append(notes, fmt.Sprintf("OPENINGS is the list that the run was given: %d openings, not the embedded ones.", len(s.Openings)))
	}
	if len(s.GateBook) > 0 {
		args = append(args, "--gate-openings", "GATE-OPENINGS")
		notes = append(notes, fmt.Sprintf("GATE-OPENINGS is the list of %d openings that the gates were given.", len(s.GateBook)))
	}
	return args, notes
}

// embedded reports whether a run had the openings that runs without --openings have. Those are the embedded ones;
// for a board without any, a fixed number of openings is made, of which the first is compared.
func embedded(s *Spec) bool {
	rule, err := pattern.ParseRule(s.Rule)
	if err != nil {
		return false
	}
	own := book.Embedded(rule, s.Size)
	if own == nil {
		if len(s.Openings) != book.DefaultCount {
			return false
		}
		if own, err = book.For(context.Background(), rule, s.Size, 1, nil); err != nil { // a smaller number is the beginning of a greater one
			return false
		}
		return board.FormatMoves(own.Openings[0].Moves) == s.Openings[0]
	}
	return slices.EqualFunc(own.Openings, s.Openings, func(o book.Opening, moves string) bool { return board.FormatMoves(o.Moves) == moves })
}
