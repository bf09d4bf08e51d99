//go:build long

package main

// kills is how often the run is killed.
const kills = 30

// killArguments are those of a run of some minutes.
func killArguments() []string { return []string{"run", "--budget", "3000games", "--nodes", "1000"} }
