package main

import (
	"context"
	"fmt"
	"os"
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

// seat gives the match its two players under its rule and time control.
func seat(m *match.Match, a, b string) (err error) {
	if m.A, err = side(a, m.Rule, m.TimeControl); err != nil {
		return err
	}
	m.B, err = side(b, m.Rule, m.TimeControl)
	return err
}

// side returns the player of an argument for a match under the rule and the time control.
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

// contender returns the player of an argument. Weights made for another rule are refused.
func contender(argument string, rule pattern.Rule) (*player.Player, error) {
	p, err := player.Parse(argument)
	if err != nil {
		return nil, unless(player.IsFile(argument), err)
	}
	if p.Weights != nil {
		err = player.CheckRule(argument, p.Weights, rule)
	}
	return p, err
}

// unless makes an error wrong usage unless it is of a file.
func unless(file bool, err error) error {
	if file {
		return err
	}
	return config.Usage(err)
}

// startOf is player.Start; what is not a file is wrong usage.
func startOf(argument string, rule pattern.Rule, size int) (name string, set *weights.Set, err error) {
	name, set, err = player.Start(argument, rule, size)
	return name, set, unless(player.IsFile(argument), err)
}

// bookOf returns the openings of the file at the path, or else those for the rule and size; where these have to be
// made, as book.CountFor says.
func bookOf(ctx context.Context, d *display, path string, g *gameOptions, pairs int) (*book.Book, error) {
	if path != "" {
		f, err := os.Open(path)
		if err != nil {
			return nil, fmt.Errorf("openings: %w", err)
		}
		defer f.Close()
		return book.Parse(f, path, g.Rule, g.Size)
	}
	b, err := book.For(ctx, g.Rule, g.Size, book.CountFor(pairs), d.making())
	d.end()
	return b, err
}

// partOf returns the openings of a match: all of --openings, or else the part of the embedded ones.
func partOf(ctx context.Context, o *matchOptions, d *display, part book.Part) (*book.Book, error) {
	b, err := bookOf(ctx, d, o.Openings, &o.gameOptions, o.Pairs)
	if err == nil && o.Openings == "" {
		b = b.Part(part)
	}
	return b, err
}

// anchorsOf returns the fixed opponents of a run beside the start: those of --anchor, or else the tables of the
// literature. The start itself is left out.
func anchorsOf(o *runOptions, c *tuner.Config) ([]tuner.Anchor, error) {
	names := o.Anchor
	if names == nil && c.Outside == nil {
		names = run.UsualAnchors()
	}
	names = append(slices.Clone(names), o.Against...)
	var list []tuner.Anchor
	for _, name := range names {
		a, err := anchorOf(name, c)
		if err != nil {
			return nil, err
		}
		if a.Set == nil || c.Start == nil || !slices.Equal(a.Set.Values, c.Start.Values) {
			list = append(list, a)
		}
	}
	with := *c
	with.Anchors = list
	typed := (o.Anchor == nil || o.Typed(&o.Anchor))
	return list, allowed(with.External(), typed || o.AllowCommands)
}

// shippedFor returns the embedded set of a run's board, which the result meets at the end; nil where there is no
// validation, or where the run begins with it.
func shippedFor(c *tuner.Config) (*tuner.Anchor, error) {
	if c.NoGate || c.Outside != nil {
		return nil, nil
	}
	a, err := anchorOf(weights.EvolvedFor(c.Rule, c.Size), c)
	if err != nil || slices.Equal(a.Set.Values, c.Start.Values) {
		return nil, err
	}
	return &a, nil
}

// anchorOf returns the fixed opponent of a player argument.
func anchorOf(argument string, c *tuner.Config) (tuner.Anchor, error) {
	p, err := player.Parse(argument)
	if err != nil {
		return tuner.Anchor{}, config.Usage(err)
	}
	if p.Weights == nil {
		return tuner.Anchor{Name: p.Name, Player: argument}, nil
	}
	name, set, err := startOf(argument, c.Rule, c.Size)
	return tuner.Anchor{Name: name, Set: set}, err
}

// allowed refuses to start commands unless the user has typed them or allows them.
func allowed(commands []string, allow bool) error {
	if len(commands) == 0 || allow {
		return nil
	}
	return config.Usagef("%s would start a program that was not typed on this command line: allow it with --allow-commands",
		strings.Join(commands, ", "))
}
