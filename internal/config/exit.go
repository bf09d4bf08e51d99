package config

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
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
// failure, not wrong usage.
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

// maxDistance is the number of letters in which a misspelt name may differ from the one suggested.
const maxDistance = 2

// DidYouMean returns the end of an error that suggests the most similar name, "" where none is similar.
func DidYouMean(name string, names []string) string {
	best, least := "", maxDistance+1
	for _, candidate := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(candidate)); d < least {
			best, least = candidate, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(": did you mean %q?", best)
}

// distance returns the least number of letters to insert, delete, replace or swap with their neighbour (optimal
// string alignment).
func distance(a, b string) int {
	cost := make([][]int, len(a)+1) // [letters of a][letters of b]
	for i := range cost {
		cost[i] = make([]int, len(b)+1)
		for j := range cost[i] {
			if i == 0 || j == 0 {
				cost[i][j] = i + j
				continue
			}
			replace := cost[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			cost[i][j] = min(cost[i-1][j]+1, cost[i][j-1]+1, replace)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cost[i][j] = min(cost[i][j], cost[i-2][j-2]+1)
			}
		}
	}
	return cost[len(a)][len(b)]
}
