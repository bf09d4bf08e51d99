package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"quintune/internal/book"
	"quintune/internal/config"
	"quintune/internal/match"
	"quintune/internal/player"
	"quintune/internal/run"
	"quintune/internal/tuner"
	"quintune/pattern"
	"quintune/weights"
)

// setPlayers sets the two players of the match, under its rule and time control.
func setPlayers(m *match.Match, a, b string) (err error) {
	if m.A, err = side(a, m.Rule, m.TimeControl); err != nil {
		return err
	}
	m.B, err = side(b, m.Rule, m.TimeControl)
	return err
}

// warnOfBoard warns of weights in a file that play would not take on a board, since they are for another class of boards.
func (d *display) warnOfBoard(file string, rule pattern.Rule, size int) {
	if !player.IsFile(file) {
		return
	}
	set, err := player.Weights(file)
	if err != nil {
		return // a player without weights, or an error that comes up where the file is used
	}
	if here := weights.EvolvedFor(rule, size); weights.EvolvedFor(set.Rule, set.Size) != here {
		d.log.Warn(fmt.Sprintf("%s is for %v %d×%d: on this board `play` takes %s in its place", file, set.Rule, set.Size, set.Size, here))
	}
}

// side returns the player of an argument as a side of a match, under the rule and the time control.
func side(argument string, rule pattern.Rule, tc player.TimeControl) (match.Side, error) {
	p, err := contender(argument, rule)
	if err != nil {
		return match.Side{}, err
	}
	return sideOf(argument, p, tc), nil
}

// sideOf returns the player of an argument as a side under the time control.
func sideOf(argument string, p *player.Player, tc player.TimeControl) match.Side {
	return match.Side{Name: p.Name, Player: p.Contestant(tc), Identity: p.Identity(argument)}
}

// contender returns the player of an argument. It refuses weights made for another rule and systems that do not play the rule.
func contender(argument string, rule pattern.Rule) (*player.Player, error) {
	p, err := player.Parse(argument)
	if err != nil {
		return nil, config.UsageIf(player.Misused(err), err)
	}
	if p.Weights != nil {
		return p, config.Usage(player.CheckRule(argument, p.Weights, rule))
	}
	return p, config.Usage(p.CheckRule(rule))
}

// startOf is player.Start; an error of the argument itself is a usage error.
func startOf(argument string, rule pattern.Rule, size int) (name string, set *weights.Set, err error) {
	name, set, err = player.Start(argument, rule, size)
	return name, set, config.UsageIf(player.Misused(err), err)
}

// bookOf returns the openings of the file at the path, or else those for the rule and size. If none are
// embedded, it makes the number that book.CountFor returns.
func bookOf(ctx context.Context, d *display, path string, g *gameOptions, pairs int) (*book.Book, error) {
	if path != "" {
		return book.Load(path, g.Rule, g.Size)
	}
	b, err := book.For(ctx, g.Rule, g.Size, book.CountFor(pairs), d.making())
	d.end()
	return b, err
}

// partOf returns the openings of a match: all of --openings, or else the part of the embedded ones. Where none are embedded, the
// usual number is made if it has enough of them, so that a ladder can go on with more pairs.
func partOf(ctx context.Context, o *matchOptions, d *display, part book.Part) (*book.Book, error) {
	b, err := bookOf(ctx, d, o.Openings, &o.gameOptions, 0)
	if err != nil || o.Openings != "" {
		return b, err
	}
	if b = b.Part(part); len(b.Openings) >= o.Pairs || book.Embedded(o.Rule, o.Size) != nil {
		return b, nil
	}
	if b, err = bookOf(ctx, d, "", &o.gameOptions, o.Pairs); err != nil {
		return nil, err
	}
	return b.Part(part), nil
}

// draw gives the match its openings, drawn for a purpose from a part of the list that partOf returns, and returns that part.
func (o *matchOptions) draw(ctx context.Context, d *display, m *match.Match, part book.Part, purpose string) (*book.Book, error) {
	b, err := partOf(ctx, o, d, part)
	if err != nil {
		return nil, err
	}
	o.Pairs = cmp.Or(o.Pairs, mostGatePairs) // 0: a gate without --pairs, for which partOf makes no more openings than usual
	m.Openings, err = b.Series(m.Seed, purpose, o.within(len(b.Openings)))
	return b, config.Usage(err)
}

// anchorsOf returns the fixed opponents of a run besides the start. They are those of --against, which come first since a small budget
// validates against the first ones alone, and those of --anchor (by default, where weights are tuned, the tables of the literature). The
// start itself is left out. start is nil where an engine is tuned.
func anchorsOf(o *runOptions, start *weights.Set) ([]run.Anchor, error) {
	names := o.Anchor
	if names == nil && start != nil {
		names = run.DefaultAnchors()
	}
	var list []run.Anchor
	for _, name := range o.Against {
		a, err := anchorOf(name, o, nil)
		if err != nil {
			return nil, err
		}
		a.Rival = true
		list = append(list, *a)
	}
	for _, name := range names {
		a, err := anchorOf(name, o, start)
		if err != nil {
			return nil, err
		}
		if a != nil {
			list = append(list, *a)
		}
	}
	typed := (o.Anchor == nil || o.Typed(&o.Anchor))
	return list, allowed(tuner.External(list), typed || o.AllowCommands)
}

// anchorOf returns the fixed opponent of a player argument, nil for the start itself. It refuses systems that do not play the rule.
func anchorOf(argument string, o *runOptions, start *weights.Set) (*run.Anchor, error) {
	p, err := player.Parse(argument)
	if err != nil {
		return nil, config.UsageIf(player.Misused(err), err)
	}
	if p.Weights == nil {
		return &run.Anchor{Name: p.Name, Player: argument}, config.Usage(p.CheckRule(o.Rule))
	}
	name, set, err := startOf(argument, o.Rule, o.Size)
	if err != nil || start != nil && slices.Equal(set.Values, start.Values) {
		return nil, err
	}
	file, err := weights.Marshal(set)
	return &run.Anchor{Name: name, Weights: file}, err
}

// allowed refuses commands that the user has neither typed nor allowed.
func allowed(commands []string, allow bool) error {
	if len(commands) == 0 || allow {
		return nil
	}
	return config.Usagef("%s would start a program that was not typed on this command line: allow it with --allow-commands",
		strings.Join(commands, ", "))
}
