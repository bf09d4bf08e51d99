package main

import (
	"slices"
	"strings"

	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/tuner"
)

// anchorsOf returns the fixed opponents of a run beside the start: those of --anchor, or else the tables of the
// literature. The start itself is left out.
func anchorsOf(o *runOptions, c *tuner.Config) ([]tuner.Anchor, error) {
	names := o.Anchor
	if names == nil {
		names = usualAnchors()
	}
	var list []tuner.Anchor
	for _, name := range names {
		a, err := anchorOf(name, c)
		if err != nil {
			return nil, err
		}
		if a.Set == nil || !slices.Equal(a.Set.Values, c.Start.Values) {
			list = append(list, a)
		}
	}
	with := *c
	with.Anchors = list
	return list, allowed(with.Outsiders(), o.Typed(&o.Anchor) || o.AllowCommands)
}

// usualAnchors returns the names of the tables of the literature.
func usualAnchors() []string { return []string{"huang", "zhang", "shapes", "sjtu"} }

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
