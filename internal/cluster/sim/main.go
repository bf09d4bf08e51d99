// Sim simulates a cluster of any size, event by event. It uses the cluster's own code for cutting batches into
// tasks. It prints the time of a generation, the idle time of the workers and the load of the coordinator.
// docs/scaling.md has the results.
//
//	go run ./internal/cluster/sim
//	go run ./internal/cluster/sim -workers 1000,10000 -pairs 28672 -islands 8
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "sim:", err)
		os.Exit(2)
	}
}

// run prints one line for each number of workers.
func run(args []string, out io.Writer) error {
	m := standard()
	flags := flag.NewFlagSet("sim", flag.ContinueOnError)
	flags.SetOutput(out)
	workers := flags.String("workers", "10,100,1000,10000", "numbers of workers")
	flags.IntVar(&m.jobs, "jobs", m.jobs, "pairs that a worker plays at a time")
	flags.IntVar(&m.pairs, "pairs", m.pairs, "pairs of a generation, on each island")
	flags.DurationVar(&m.pair, "pair", m.pair, "mean time of a pair")
	flags.DurationVar(&m.target, "task", m.target, "what a task should take")
	flags.DurationVar(&m.delay, "delay", m.delay, "mean delay of a message, one way")
	flags.Float64Var(&m.lost, "lost", m.lost, "share of tasks whose worker dies or whose result is lost")
	flags.Float64Var(&m.slow, "slow", m.slow, "share of workers that are slow")
	flags.Float64Var(&m.slowness, "slowness", m.slowness, "how many times slower those are")
	flags.Float64Var(&m.audit, "audit", m.audit, "share of tasks that are played twice")
	flags.IntVar(&m.islands, "islands", m.islands, "coordinators, each with its own population and its part of the workers")
	flags.IntVar(&m.inFlight, "in-flight", m.inFlight, "generations that are open at a time")
	flags.IntVar(&m.generations, "generations", m.generations, "generations to simulate")
	flags.Uint64Var(&m.seed, "seed", m.seed, "seed of all lots")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := m.check(); err != nil {
		return err
	}
	fmt.Fprintln(out, "| workers | pairs a generation | generation, s | pairs/s | idle | played twice | tasks | messages/s | coordinator busy | server busy |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|---|")
	for text := range strings.SplitSeq(*workers, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < m.islands {
			return fmt.Errorf("workers %q is not a number of at least %d islands", text, m.islands)
		}
		fmt.Fprintln(out, m.simulate(n).row(n, m))
	}
	return nil
}

// row returns the summary as a line of the table.
func (s summary) row(workers int, m model) string {
	seconds := s.took.Seconds() / float64(m.generations)
	rate := float64(m.islands) / s.took.Seconds()
	return fmt.Sprintf("| %d | %d | %.2f | %.0f | %.1f %% | %.1f %% | %d | %.0f | %.1f %% | %.1f %% |",
		workers, m.islands*m.pairs, seconds, float64(m.generations*m.pairs)*rate, 100*s.idle(), 100*s.again(),
		s.tasks/m.generations*m.islands, float64(s.messages)*rate,
		100*s.coordinator.Seconds()/s.took.Seconds(), 100*float64(m.islands)*s.server.Seconds()/s.took.Seconds())
}

// standard returns the model that docs/scaling.md uses.
func standard() model {
	return model{
		jobs: 1, pairs: 2867, pair: 450 * time.Millisecond, spread: .5, machines: .25, target: 3 * time.Second,
		delay: 10 * time.Millisecond, lost: .002, slow: .02, slowness: 5, audit: .02, slack: time.Second, deadline: time.Minute,
		perTask: 100 * time.Microsecond, perPair: 60 * time.Microsecond, perServed: 70 * time.Microsecond,
		between: 150 * time.Millisecond, islands: 1, inFlight: 1, generations: 5, seed: 1,
	}
}
