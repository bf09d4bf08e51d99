package config

import (
	"context"
	"errors"
	"fmt"
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

// usageError marks a mistake of whoever called the program.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// Usage marks an error as wrong usage; nil stays nil.
func Usage(err error) error {
	if err == nil {
		return nil
	}
	return &usageError{err}
}

// Usagef returns a new error of wrong usage.
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
