//go:build long

package main

// kills is how often a program is killed, damages the number of damaged databases.
const (
	kills   = 30
	damages = 60
)

// killArguments are those of a run of some minutes.
func killArguments() []string { return []string{"run", "--budget", "3000games", "--nodes", "1000"} }
