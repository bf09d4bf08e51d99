//go:build !forger

package cluster

// builtFault is none: only the build tag forger makes workers that lie.
func builtFault() fault { return fault{} }
