//go:build long

package selfplay_test

import "testing"

// This test takes a minute and therefore has a build tag: go test -tags long -run Long -v ./selfplay

// docs/results/renju.md reports the results of this test.
func TestRenjuGamesLong(t *testing.T) { checkRenju(t, 500) }
