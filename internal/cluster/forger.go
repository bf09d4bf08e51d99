//go:build forger

package cluster

import (
	"os"
	"strconv"
)

// builtFault is what the environment wants. This build is for tests of the audits alone: the variable
// FORGE_ENGINE is the signature that the worker claims, FORGE_FROM the number of the first result that it flips.
func builtFault() fault {
	f := fault{engine: os.Getenv("FORGE_ENGINE")}
	if from, err := strconv.ParseInt(os.Getenv("FORGE_FROM"), 10, 64); err == nil {
		f.alter = flipFrom(from)
	}
	return f
}
