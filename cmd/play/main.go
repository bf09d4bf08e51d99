// Play lets people and Gomocup managers play against the engine, analyses positions and prints the engine's
// signature.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"quintune/internal/bench"
	"quintune/internal/config"
	"quintune/internal/player"
)

// interruptGrace is the time that a command has to end after the first interrupt. The page's open requests get
// two seconds of it.
const interruptGrace = 3 * time.Second

func main() {
	ctx := config.Interruptible(interrupts()...)
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, arguments(os.Args), os.Stdin, os.Stdout, os.Stderr) }()
	os.Exit(config.Exit(config.Await(ctx, ended, interruptGrace)))
}

// interrupts are the signals after which a command saves what it has and ends. That of a terminal that is closed is none where the
// program was told to ignore it, as by nohup.
func interrupts() []os.Signal {
	list := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		list = append(list, syscall.SIGHUP)
	}
	return list
}

// run executes one command line. Results go to out, diagnostics to log.
func run(ctx context.Context, args []string, in io.Reader, out, log io.Writer) error {
	return config.Execute(ctx, newRoot(), bench.Signature(), args, in, out, log)
}

// newRoot returns the whole command tree; bare `play` is the board in the terminal.
func newRoot() *cobra.Command {
	root := terminalCommand()
	root.AddCommand(webCommand(), gomocupCommand(), analyzeCommand(), benchCommand())
	config.CompletePlayers(root, player.Names())
	return root
}

// brainPrefix begins the file names of engines that Gomocup managers start without arguments.
const brainPrefix = "pbrain-"

// arguments returns the command line without the program's name. If the name begins with brainPrefix, the
// program runs as a Gomocup engine.
func arguments(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	if strings.HasPrefix(strings.ToLower(filepath.Base(argv[0])), brainPrefix) {
		return append([]string{"gomocup"}, argv[1:]...)
	}
	return argv[1:]
}
