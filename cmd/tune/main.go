// Tune evolves the weights of the engine by self-play, and judges weights by matches.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"quintune/internal/config"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the second interrupt ends the program at once
	os.Exit(config.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)))
}
