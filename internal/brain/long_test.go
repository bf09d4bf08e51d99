//go:build long

package brain

import "testing"

func TestHostileLinesLong(t *testing.T) { checkHostileLines(t, 100_000) }
