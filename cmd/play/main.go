// Play lets people and managers play with the engine, analyses positions and tells its signature.
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
	os.Exit(config.Exit(run(ctx, arguments(os.Args), os.Stdin, os.Stdout, os.Stderr)))
}
