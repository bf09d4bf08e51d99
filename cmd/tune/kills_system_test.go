//go:build system && !long

package main

// kills is the number of times that a program is killed, damages the number of databases that are damaged.
const (
	kills   = 5
	damages = 15
)

// killArguments returns the arguments of a short run with a gate and validations.
func killArguments() []string {
	return []string{"run", "--budget", "300games", "--size", "9", "--nodes", "1000", "--openings", "openings.txt"}
}
