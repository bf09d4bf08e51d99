// Tune evolves the weights of the engine by self-play, and judges weights by matches.
package main

import (
	"os"

	"quintune/internal/config"
)

func main() {
	os.Exit(config.Exit(run(interruptible(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)))
}
