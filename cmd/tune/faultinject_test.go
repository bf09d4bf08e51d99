//go:build system || long

package main

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"strconv"

	"quintune/internal/cluster"
	"quintune/internal/cluster/faultinjecttest"
)

// injectFaults runs `tune worker` with false results where the environment says so, and else reports that there is nothing to do.
func injectFaults(args []string) (done bool, err error) {
	c := cluster.WorkerConfig{Engine: os.Getenv("FAULT_ENGINE"), Log: slog.New(slog.NewTextHandler(os.Stderr, nil))}
	if from, err := strconv.ParseInt(os.Getenv("FAULT_FROM"), 10, 64); err == nil {
		c.Player = faultinjecttest.FlipFrom(from)
	}
	if c.Engine == "" && c.Player == nil {
		return false, nil
	}
	flags := flag.NewFlagSet("worker with faults", flag.ContinueOnError)
	flags.StringVar(&c.URL, "nats", "", "")
	flags.StringVar(&c.Name, "name", "", "")
	flags.IntVar(&c.Jobs, "jobs", 1, "")
	creds := flags.String("creds", "", "")
	if err = flags.Parse(args); err != nil {
		return true, err
	}
	if c.Creds, err = cluster.LoadCreds(*creds); err != nil {
		return true, err
	}
	_, err = cluster.Work(context.Background(), c)
	return true, err
}
