// Tune evolves the weights of the engine by self-play, and judges weights by matches.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/player"
)

// interruptGrace is how long a command may take to end after the first interrupt: more than a run takes to save.
const interruptGrace = 15 * time.Second

func main() {
	ctx := interruptible()
	ended := make(chan error, 1)
	go func() { ended <- execute(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr) }()
	os.Exit(config.Exit(config.Await(ctx, ended, interruptGrace)))
}

// execute runs one command line. Results go to out, diagnostics to log.
func execute(ctx context.Context, args []string, in io.Reader, out, log io.Writer) error {
	return config.Execute(ctx, newRoot(), bench.Signature(), args, in, out, log)
}

// newRoot returns the whole command tree; bare `tune` is `tune run`.
func newRoot() *cobra.Command {
	root := runCommand()
	root.Use = "tune"
	root.AddCommand(
		runCommand(), resumeCommand(), listCommand(), showCommand(), reportCommand(), watchCommand(),
		matchCommand(), gateCommand(), sprtCommand(), validateCommand(), sensitivityCommand(), ladderCommand(),
		exportCommand(), importCommand(), pruneCommand(), diffCommand(), openingsCommand(), puzzlesCommand(), configCommand(),
		engineCommand(), workerCommand(), clusterCommand(),
	)
	config.CompletePlayers(root, player.Names(), "match", "gate", "sprt", "validate", "ladder", "diff")
	completeRuns(root, "resume", "show", "report", "watch", "sensitivity", "export", "prune", "diff", "puzzles")
	return root
}

// show writes a command's result: the text, or with --json the object on one line.
func show(cmd *cobra.Command, o *config.Common, text string, object any) error {
	out := cmd.OutOrStdout()
	if !o.JSON {
		_, err := io.WriteString(out, text)
		return err
	}
	return config.WriteJSON(out, object)
}

// interruptible returns a context that the first interrupt or SIGTERM ends; the second ends the program at once.
func interruptible() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals
		os.Exit(config.ExitInterrupted)
	}()
	return ctx
}

// outliveTerminal lets a run go on when its terminal is closed, or when nobody reads what it writes any more.
func outliveTerminal() { signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE) }
