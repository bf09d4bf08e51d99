//go:build system && !long

package main

// kills is how often a program is killed, damages the number of damaged databases.
const (
	kills   = 5
	damages = 15
)

// killArguments are those of a short run with a gate and validations.
func killArguments() []string {
	return []string{"run", "--budget", "300games", "--size", "9", "--nodes", "1000", "--openings", "openings.txt"}
}
