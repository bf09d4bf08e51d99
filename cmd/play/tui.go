package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"

	"quintune/board"
	"quintune/internal/baseline"
	"quintune/internal/console/tui"
	"quintune/internal/player"
	"quintune/internal/session"
	"quintune/weights"
)

// runBoard shows the board in a terminal until the person leaves, and tells where the game is.
func runBoard(ctx context.Context, o *terminalOptions, s *seated, in io.Reader, out io.Writer) error {
	choices, err := opponents(s)
	if err != nil {
		return err
	}
	c := tui.Config{
		Game: s.game, Opponent: s.opponent, Adviser: s.adviser, Weights: s.own.Weights, Advice: s.advice, Choices: choices, Save: s.saver.save,
		Look: tui.Look{ASCII: o.ASCII, Plain: os.Getenv("NO_COLOR") != "", Notation: s.notation},
	}
	game, saved, err := tui.Run(ctx, c, in, out)
	s.game = game
	if saved != "" && !o.Quiet {
		fmt.Fprintf(out, "saved as %s\n", saved)
	}
	return err
}

// opponents returns whom a new game can be played against: the present opponent, our own weights, the
// presets and the baselines.
func opponents(s *seated) ([]tui.Choice, error) {
	var choices []tui.Choice
	add := func(p *player.Player) {
		if !slices.ContainsFunc(choices, func(c tui.Choice) bool { return c.Player.Name == p.Name }) {
			choices = append(choices, tui.Choice{Name: session.Label(p), Player: p})
		}
	}
	for _, colour := range []board.Colour{board.White, board.Black} {
		if seat := s.game.Seats[colour]; !seat.Person() {
			add(seat.Player.Chosen())
		}
	}
	add(s.own.Chosen())
	var arguments []string
	arguments = append(arguments, weights.PresetNames()...)
	for _, name := range baseline.Names() {
		arguments = append(arguments, "baseline:"+name)
	}
	for _, argument := range arguments {
		p, err := player.Parse(argument)
		if err != nil {
			return nil, err
		}
		add(p)
	}
	return choices, nil
}
