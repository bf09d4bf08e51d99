package main

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/brain"
	"quintune/internal/config"
	"quintune/internal/gomocup"
	"quintune/internal/player"
	"quintune/pattern"
)

// gomocupOptions are the options of `play gomocup`.
type gomocupOptions struct {
	config.Common
	weightsOption
	Engine string
	Seed   uint64
}

func (o *gomocupOptions) Declare(d *config.Declaration) {
	o.weightsOption.Declare(d)
	config.Var(d, &o.Engine, "engine", "", config.Player(), "player to put behind the protocol, instead of --weights", config.YieldsTo("weights"))
	config.Var(d, &o.Seed, "seed", "1", config.Seed(), "of a player of --engine that chooses at random")
}

func gomocupCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "gomocup",
		Short: "Run as a Gomocup engine, on stdin and stdout",
		Long: "Speaks the Gomocup (pbrain) protocol. Weights are those of --weights, else weights-CLASS.json\n" +
			"(CLASS: default, freestyle20, standard15, standard20, renju15, renju20) or weights.json beside the\n" +
			"program, else those within for the board. A program file named pbrain-… does so without the command's name.\n" +
			"--engine puts another player behind the protocol, a system of the literature say, whose lots --seed draws.\n\n" +
			player.Help(),
		Example: "  play gomocup --weights weights.json\n  play gomocup --engine baseline:zhang\n  cp play pbrain-quintune64 && ./pbrain-quintune64",
		Args:    cobra.NoArgs,
	}, &gomocupOptions{}, func(cmd *cobra.Command, o *gomocupOptions, _ []string) error {
		in, out := cmd.InOrStdin(), cmd.OutOrStdout()
		if in == io.Reader(os.Stdin) && out == io.Writer(os.Stdout) {
			in, out = gomocup.Streams()
		}
		return runGomocup(cmd.Context(), o, in, out, cmd.ErrOrStderr())
	})
}

func runGomocup(ctx context.Context, o *gomocupOptions, in io.Reader, out, log io.Writer) error {
	engine, err := newEngine(o, config.NewLogger(log, &o.Common))
	if err != nil {
		return err
	}
	b, own := engine.(*brain.Brain)
	name := "Quintune"
	if !own {
		name += " " + o.Engine
	}
	err = gomocup.Serve(ctx, in, out, engine, gomocup.ServeOptions{About: gomocup.About{
		Name: name, Version: bench.Signature(), Author: "The Quintune authors", Country: "none",
		WWW: "none", Email: "none",
	}})
	if own && err == nil {
		err = b.Broken()
	}
	return err
}

// newEngine returns the engine for the protocol. It does not fail when weights cannot be read: the engine
// reports this to the manager at START, since nobody reads what a manager's engine writes to stderr. The program
// exits with an error when the manager is gone.
func newEngine(o *gomocupOptions, log *slog.Logger) (gomocup.Engine, error) {
	if o.Engine != "" {
		return engineOf(o, log)
	}
	folder, err := programFolder()
	if err != nil {
		return nil, err
	}
	choose := func(rule pattern.Rule, size int) (*player.Player, error) {
		return o.choose(folder, rule, size)
	}
	return brain.New(choose, teller(log)), nil
}

// engineOf returns the engine of --engine.
func engineOf(o *gomocupOptions, log *slog.Logger) (gomocup.Engine, error) {
	if o.Weights != "" {
		return nil, config.Usagef("engine and weights exclude each other")
	}
	p, err := player.Parse(o.Engine)
	if err != nil {
		return nil, config.UsageIf(player.Misused(err), err)
	}
	switch {
	case p.External():
		return nil, config.Usagef("engine %s speaks the protocol itself", p.Name)
	case p.Weights == nil:
		return brain.NewBaseline(p, o.Seed), nil
	}
	return brain.New(brain.Always(p), teller(log)), nil
}

// teller returns a function that logs which weights play.
func teller(log *slog.Logger) func(*player.Player) {
	return func(p *player.Player) { tellWeights(log, p) }
}

// programFolder returns the folder of the program's file.
func programFolder() (string, error) {
	file, err := os.Executable()
	if err != nil {
		return "", err
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return "", err
	}
	return filepath.Dir(file), nil
}
