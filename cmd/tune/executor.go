package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"quintune/internal/cluster"
	"quintune/internal/config"
	"quintune/internal/tuner"
	"quintune/selfplay"
)

// executorOptions choose where the games of a run are played.
type executorOptions struct {
	Workers       int    // 0: only the workers of a cluster play
	ListenCluster string // "": no server
	NATS          string // "": no outside server
	ClusterDir    string
	Creds         string
	Audit         float64
	TaskTime      time.Duration
	TaskDeadline  time.Duration
}

func (o *executorOptions) Declare(d *config.Declaration) {
	d.Group("Many machines")
	declareWorkers(d, &o.Workers, 0, "; 0 leaves all to the workers of a cluster")
	config.Var(d, &o.ListenCluster, "listen-cluster", "", config.Text("ADDR"), "start a server that workers of other machines join, such as 0.0.0.0:4222", config.YieldsTo("nats"))
	config.Var(d, &o.NATS, "nats", "", config.Text("URL"), "play on the workers of the cluster at this address", config.YieldsTo("listen-cluster"))
	config.Var(d, &o.ClusterDir, "cluster-dir", "", config.Text("DIR"), "folder that \"tune cluster init\" made, for --listen-cluster beyond this machine", config.YieldsTo("nats"))
	config.Var(d, &o.Creds, "creds", "", config.Text("FILE"), "credentials of the coordinator, for --nats beyond this machine", config.YieldsTo("listen-cluster"))
	config.Var(d, &o.Audit, "audit", "0.02", config.Number(0, 1), "share of the tasks of a cluster that a second worker plays too")
	config.Var(d, &o.TaskTime, "task-time", "3s", config.Span(10*time.Millisecond, 10*time.Minute), "what a task of a worker should take")
	config.Var(d, &o.TaskDeadline, "task-deadline", "1m", config.Span(time.Second, time.Hour), "after which a task is given to another worker")
}

// withCluster adds the typed flags of a cluster to a command that continues a run on it. Parts of an address that could be secret
// are left out.
func (o *playOptions) withCluster(command ...string) []string {
	if o.ListenCluster == "" && o.NATS == "" {
		return command
	}
	flags := []string{"workers", "listen-cluster", "nats", "cluster-dir", "creds", "audit", "task-time", "task-deadline"}
	for _, e := range o.Entries() {
		if !e.Typed() || !slices.Contains(flags, e.Name) {
			continue
		}
		if e.Name == "nats" {
			e.Value = cluster.ShownURL(e.Value)
		}
		command = append(command, "--"+e.Name, e.Value)
	}
	return command
}

// executor plays the games of a run, in this process only or with workers on other machines.
type executor struct {
	pool    *selfplay.Pool       // pool of this process; with a cluster it plays the games of players that cannot be sent to workers
	cluster *cluster.Coordinator // nil: there is none
}

// newExecutor returns the executor that the options choose. engine is the engine from outside that the run
// tunes, if any. Events of the cluster are logged.
func newExecutor(ctx context.Context, o *playOptions, engine outside, log *slog.Logger) (*executor, error) {
	e := &executor{pool: selfplay.NewPool(o.Workers)}
	switch {
	case o.ListenCluster != "" && o.NATS != "":
		return nil, config.Usagef("listen-cluster and nats are both given: a run has one server")
	case o.Typed(&o.ClusterDir) && o.ClusterDir != "" && o.ListenCluster == "": // the file and the variable may be for other commands
		return nil, config.Usagef("cluster-dir is for --listen-cluster; --nats takes --creds")
	case o.Typed(&o.Creds) && o.Creds != "" && o.NATS == "":
		return nil, config.Usagef("creds is for --nats; --listen-cluster takes --cluster-dir")
	case o.ListenCluster == "" && o.NATS == "":
		if o.Workers == 0 {
			return nil, config.Usagef("workers is 0, which takes --listen-cluster or --nats: nobody would play")
		}
		return e, nil
	}
	c, err := o.cluster(log)
	if err != nil {
		return nil, err
	}
	c.Outside = engine.remote
	e.cluster, err = cluster.Open(ctx, c)
	return e, err
}

// cluster returns the configuration of the run's coordinator.
func (o *executorOptions) cluster(log *slog.Logger) (cluster.Config, error) {
	c := cluster.Config{
		Listen: o.ListenCluster, URL: o.NATS, Jobs: o.Workers, Audit: o.Audit,
		Version: config.Commit(), Log: log,
		Timing: cluster.Timing{Task: o.TaskTime, Deadline: o.TaskDeadline},
	}
	var err error
	if o.ListenCluster != "" {
		if o.ClusterDir != "" {
			if c.Folder, err = cluster.OpenFolder(o.ClusterDir); err != nil {
				return c, err
			}
		}
		if err := cluster.CheckListen(o.ListenCluster, c.Folder); err != nil || c.Folder == nil {
			return c, config.Usage(err)
		}
		c.Creds, err = cluster.LoadCreds(c.Folder.CredsFile(cluster.CoordinatorName))
		return c, err
	}
	if c.Creds, err = loadCreds(o.Creds); err != nil {
		return c, err
	}
	return c, config.Usage(cluster.CheckURL(o.NATS, c.Creds))
}

// runner returns the runner for pairs of our own engine.
func (e *executor) runner() selfplay.Runner {
	if e.cluster != nil {
		return e.cluster
	}
	return e.pool
}

// jobs returns the number of games played at a time. With a cluster it waits for the first worker.
func (e *executor) jobs(ctx context.Context) (int, error) {
	if e.cluster != nil {
		return e.cluster.Ready(ctx)
	}
	return e.pool.Workers(), nil
}

// status returns the function that reports the state of the cluster; nil if there is none.
func (e *executor) status() func() *cluster.Status {
	if e.cluster == nil {
		return nil
	}
	return func() *cluster.Status {
		s := e.cluster.Status()
		return &s
	}
}

// close releases the workers.
func (e *executor) close() error {
	if e.cluster == nil {
		return nil
	}
	return e.cluster.Close()
}

// play plays the run.
func (e *executor) play(ctx context.Context, p *playing, s tuner.Environment) (*tuner.Outcome, error) {
	ledger, err := p.folder.Ledger()
	if e.cluster == nil {
		if err == nil { // else it is of an older version
			if err := warnUnchecked(ledger, p.outside.remote, s.Warn); err != nil {
				return nil, err
			}
		}
		s.Runner = e.pool
		return p.run.Run(ctx, s)
	}
	if err == nil {
		err = e.cluster.Keep(ledger)
	}
	if err != nil {
		return nil, err
	}
	s.Local = e.pool
	return tuner.RunOn(ctx, e.cluster, p.run, p.folder, s)
}

// warnUnchecked warns of results that only a cluster would check, before a run goes on without one.
func warnUnchecked(ledger cluster.Journal, outside *cluster.Outside, warn func(string)) error {
	pairs, err := cluster.Unchecked(ledger, outside)
	if err == nil && pairs > 0 {
		warn(fmt.Sprintf("%d pairs of quarantined workers are believed unchecked: with --listen-cluster 127.0.0.1:0 they are played again first", pairs))
	}
	return err
}

// jobTime is the time of jobs, s.
type jobTime struct{ present, busy float64 }

// jobTime returns how long the jobs of a cluster have been present, and how long all jobs have been in games.
func (e *executor) jobTime() (t jobTime) {
	if e.cluster == nil {
		return jobTime{busy: e.pool.Busy().Seconds()}
	}
	t.present, t.busy = e.cluster.Times()
	return t
}

// played returns fields for a log line: who has played, and how busy they were since the time before.
func (e *executor) played(took time.Duration, before jobTime) []any {
	list := []any{"seconds", int(took.Seconds())}
	now := e.jobTime()
	present, busy := now.present-before.present, now.busy-before.busy
	if e.cluster == nil {
		share := busy / took.Seconds() / float64(e.pool.Workers())
		return append(list, "workers", e.pool.Workers(), "share_of_workers_time_in_games", fmt.Sprintf("%.3f", share))
	}
	s := e.cluster.Status()
	workers, jobs := s.Working()
	list = append(list, "workers", workers, "jobs", jobs)
	if present > 0 { // a worker that is found lost was present until its last heartbeat
		list = append(list, "share_of_jobs_time_in_games", fmt.Sprintf("%.3f", min(max(0, busy/present), 1)))
	}
	return append(list, "pairs", s.Pairs, "tasks", s.Tasks, "reissued", s.Reissued,
		"duplicates", s.Repeated, "audited", s.Audits, "disputes", s.Disputes)
}
