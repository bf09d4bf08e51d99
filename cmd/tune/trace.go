package main

import (
	"errors"
	"fmt"
	"os"

	"quintune/board"
	"quintune/selfplay"
)

// trace appends a line to a file for every pair that the pool begins: what for, which of the pairs that are left to
// play, and its opening. Without a path it does nothing. stop closes the file and returns the first error.
func trace(pool *selfplay.Pool, path string) (stop func() error, err error) {
	if path == "" {
		return func() error { return nil }, nil
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("trace: %w", err)
	}
	failed := make(chan error, 1)
	pool.Begun = func(batch *selfplay.Batch, index int) {
		p := &batch.Pairings[index]
		_, err := fmt.Fprintf(f, "%s\t%d\t%s\t%d\n", batch.Purpose, index, board.FormatMoves(p.Opening), p.Seed)
		if err != nil {
			select {
			case failed <- err:
			default:
			}
		}
	}
	return func() error {
		select {
		case err = <-failed:
		default:
		}
		if err = errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("trace: %w", err)
		}
		return nil
	}, nil
}
