package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

	"github.com/spf13/cobra"

	"quintune/internal/cluster"
	"quintune/internal/config"
	"quintune/internal/text"
)

// serverOptions are the options of the commands that join a cluster.
type serverOptions struct {
	NATS  string
	Creds string // "": none
}

func (o *serverOptions) declare(d *config.Declaration, creds string) {
	d.Group("The cluster")
	config.Var(d, &o.NATS, "nats", "nats://127.0.0.1:4222", config.Text("URL"), "address of the cluster")
	config.Var(d, &o.Creds, "creds", "", config.Text("FILE"), creds)
}

// workerOptions are the options of `tune worker`.
type workerOptions struct {
	config.Common
	serverOptions
	Jobs   int
	Name   string // "": the host name
	Engine string // "": the worker plays only our own engine
}

func (o *workerOptions) Declare(d *config.Declaration) {
	o.declare(d, "credentials of this worker, for a cluster beyond this machine")
	config.Var(d, &o.Jobs, "jobs", strconv.Itoa(min(runtime.GOMAXPROCS(0), cluster.MaxJobs)), config.Whole(1, cluster.MaxJobs), "pairs at a time", config.Varies("the number of processors"))
	config.Var(d, &o.Engine, "engine", "", config.Text("FILE"), "engine file: play for runs that tune this engine", config.FlagOnly)
	config.Var(d, &o.Name, "name", "", config.Text("NAME"), "name of this machine for people; without it the host's", config.FlagOnly)
}

func workerCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "worker",
		Short: "Play games for a run on another machine",
		Long: `Plays pairs for whatever run uses the cluster at --nats, until it is told to end (Ctrl-C, SIGTERM): then the pairs in
hand are ended and sent. It waits for a server or a run that is not there yet, and comes back after interruptions. Before
its first game it proves that its engine is that of the run. With --engine it plays for runs that tune the same engine from
outside, whose program and files have the same bytes; the command is that of its own file. One process a machine is enough: --jobs pairs at a time.`,
		Example: "  tune worker --nats tls://host.example:4222 --creds worker-0.creds --jobs 8",
		Args:    cobra.NoArgs,
	}, &workerOptions{}, playForOthers)
}

// workerResult is what `tune worker --json` prints at its end.
type workerResult struct {
	Name  string `json:"name"`  // of the machine
	Pairs int64  `json:"pairs"` // that were played
}

func playForOthers(cmd *cobra.Command, o *workerOptions, _ []string) error {
	outliveTerminal()
	c := cluster.WorkerConfig{
		URL: o.NATS, Jobs: o.Jobs, Name: o.Name, Version: config.Commit(),
		Log: config.NewLogger(cmd.ErrOrStderr(), &o.Common),
	}
	if c.Name == "" {
		var err error
		if c.Name, err = os.Hostname(); err != nil {
			c.Name = "unnamed"
		}
	}
	var err error
	if c.Creds, err = loadCreds(o.Creds); err != nil {
		return err
	}
	if err := cluster.CheckURL(c.URL, c.Creds); err != nil {
		return config.Usage(err)
	}
	engine, err := openOutside(o.Engine, o.Jobs)
	if err != nil {
		return err
	}
	c.Outside = engine.remote
	pairs, err := cluster.Work(cmd.Context(), c)
	if err := errors.Join(err, engine.close()); err != nil {
		return err
	}
	return show(cmd, &o.Common, fmt.Sprintf("This worker played %s.\n", text.Plural(pairs, "pair")), workerResult{c.Name, pairs})
}

// loadCreds reads a file of credentials; nil where no file is given.
func loadCreds(path string) (*cluster.Creds, error) {
	if path == "" {
		return nil, nil
	}
	return cluster.LoadCreds(path)
}
