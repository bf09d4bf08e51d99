//go:build long

package selfplay_test

import "testing"

// A minute, hence behind a build tag: go test -tags long -run Long -v ./selfplay

// docs/results/renju.md has the figures of this test.
func TestRenjuGamesLong(t *testing.T) { checkRenju(t, 500) }
