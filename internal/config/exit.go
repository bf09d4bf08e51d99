package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"time"
)

// Exit statuses of both programs.
const (
	ExitDone        = 0
	ExitFailed      = 1
	ExitUsage       = 2
	ExitInterrupted = 130
)

// ErrInterrupted ends a command that was interrupted and has saved its state. An error that wraps
// context.Canceled counts as the same.
var ErrInterrupted = errors.New("interrupted")

// twin is the time after the first interrupt within which others are the same one: a supervisor that signals a process and its group
// sends two within milliseconds.
const twin = time.Second

// Interruptible returns a context that ends at the first of the signals. A later one ends the program at once, but not within a
// second of the first.
func Interruptible(signals ...os.Signal) context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	received := make(chan os.Signal, 2)
	signal.Notify(received, signals...)
	go func() {
		<-received
		cancel()
		for first := time.Now(); time.Since(first) < twin; {
			<-received
		}
		os.Exit(ExitInterrupted)
	}()
	return ctx
}

// Await returns the error with which a command ended. A command that does not end soon after ctx waits for input,
// for example from a silent pipe. It is abandoned.
func Await(ctx context.Context, ended <-chan error, grace time.Duration) error {
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	select {
	case err := <-ended:
		return err
	case <-time.After(grace):
		return ErrInterrupted
	}
}

// usageError marks an error in the way in which the program was called. A named file that is missing or damaged is a
// failure, not wrong usage, but for mistakes in the configuration, which is a part of the call.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// Usage marks an error as a usage error; nil stays nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

// UsageIf is Usage where the call is wrong; otherwise it returns the error as it is.
func UsageIf(wrong bool, err error) error {
	if wrong {
		return Usage(err)
	}
	return err
}

// UsageOfArgument is Usage, but an error of the file system is a failure: it returns that as it is.
func UsageOfArgument(err error) error {
	var file *fs.PathError
	return UsageIf(!errors.As(err, &file), err)
}

// Usagef returns a new usage error.
func Usagef(format string, args ...any) error { return Usage(fmt.Errorf(format, args...)) }

// Exit returns the exit status that an error stands for: 0 for nil, 2 for wrong usage, 130 for an
// interruption, else 1.
func Exit(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return ExitDone
	case errors.As(err, &usage):
		return ExitUsage
	case errors.Is(err, ErrInterrupted), errors.Is(err, context.Canceled):
		return ExitInterrupted
	}
	return ExitFailed
}
