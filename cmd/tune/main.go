// Tune evolves the weights of the engine by self-play, and compares weights in matches.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/player"
	"quintune/internal/text"
)

// interruptGrace is the time that a command has to end after the first interrupt, more than a run needs to save.
const interruptGrace = 15 * time.Second

func main() {
	ctx := config.Interruptible(os.Interrupt, syscall.SIGTERM)
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

// show writes a command's result as lines of printable text, or with --json as one line of JSON. Parts of the text may come from
// elsewhere: a run, a checkpoint, a worker.
func show(cmd *cobra.Command, o *config.Common, told string, object any) error {
	if o.JSON {
		return config.WriteJSON(cmd.OutOrStdout(), object)
	}
	lines := strings.Split(told, "\n")
	for i := range lines {
		lines[i] = text.Printable(lines[i])
	}
	_, err := io.WriteString(cmd.OutOrStdout(), strings.Join(lines, "\n"))
	return err
}

// outliveTerminal makes a run, or its part on another machine, continue when its terminal is closed, or when its output has no reader any more.
func outliveTerminal() { signal.Ignore(syscall.SIGHUP, syscall.SIGPIPE) }
