package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"quintune/internal/config"
)

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
