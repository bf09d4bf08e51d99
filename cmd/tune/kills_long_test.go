//go:build long

package main

// kills is the number of times that a program is killed, damages the number of databases that are damaged.
const (
	kills   = 30
	damages = 60
)

// killArguments returns the arguments of a run of some minutes.
func killArguments() []string { return []string{"run", "--budget", "3000games", "--nodes", "1000"} }
