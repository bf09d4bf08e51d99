package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"quintune/internal/cluster"
	"quintune/internal/config"
	"quintune/internal/run"
	"quintune/internal/runfolder"
	"quintune/internal/tuner"
	"quintune/selfplay"
)

// executorOptions say where the games of a run are played.
type executorOptions struct {
	Workers       int    // 0: only the workers of a cluster play
	ListenCluster string // "": no server
	NATS          string // "": no cluster but our own
	ClusterDir    string
	Creds         string
	Audit         float64
	TaskTime      time.Duration
	TaskDeadline  time.Duration
}

func (o *executorOptions) Declare(d *config.Declaration) {
	d.Group("Many machines")
	declareWorkers(d, &o.Workers, 0, "; 0 leaves all to the workers of a cluster")
	config.Var(d, &o.ListenCluster, "listen-cluster", "", config.Text("ADDR"), "start a server that workers of other machines join, such as 0.0.0.0:4222")
	config.Var(d, &o.NATS, "nats", "", config.Text("URL"), "play on the workers of the cluster at this address")
	config.Var(d, &o.ClusterDir, "cluster-dir", "", config.Text("DIR"), "folder that \"tune cluster init\" made, for --listen-cluster beyond this machine")
	config.Var(d, &o.Creds, "creds", "", config.Text("FILE"), "credentials of the coordinator, for --nats beyond this machine")
	config.Var(d, &o.Audit, "audit", "0.02", config.Number(0, 1), "share of the tasks of a cluster that a second worker plays too")
	config.Var(d, &o.TaskTime, "task-time", "3s", config.Span(10*time.Millisecond, 10*time.Minute), "what a task of a worker should take")
	config.Var(d, &o.TaskDeadline, "task-deadline", "1m", config.Span(time.Second, time.Hour), "after which a task is given to another worker")
}

// executor plays the games of a run: in this process alone, or with workers on other machines.
type executor struct {
	pool    *selfplay.Pool       // of this process; beside a cluster for players that cannot travel
	cluster *cluster.Coordinator // nil: there is none
}

// newExecutor returns the executor of the options. What happens in the cluster is logged.
func newExecutor(ctx context.Context, o *executorOptions, log *slog.Logger) (*executor, error) {
	e := &executor{pool: selfplay.NewPool(o.Workers)}
	switch {
	case o.ListenCluster != "" && o.NATS != "":
		return nil, config.Usagef("listen-cluster and nats are both given: a run has one server")
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
	e.cluster, err = cluster.Open(ctx, c)
	return e, err
}

// cluster returns how the coordinator of a run reaches its workers.
func (o *executorOptions) cluster(log *slog.Logger) (cluster.Config, error) {
	c := cluster.Config{
		Listen: o.ListenCluster, URL: o.NATS, Jobs: o.Workers, Audit: o.Audit,
		Version: config.Commit(), Log: log,
		Timing: cluster.Timing{Task: o.TaskTime, Deadline: o.TaskDeadline},
	}
	var err error
	if o.ClusterDir != "" {
		if c.Listen == "" {
			return c, config.Usagef("cluster-dir is for --listen-cluster; --nats takes --creds")
		}
		if c.Folder, err = cluster.OpenFolder(o.ClusterDir); err != nil {
			return c, err
		}
		c.Creds, err = cluster.LoadCreds(c.Folder.CredsFile(cluster.CoordinatorName))
		return c, err
	}
	if o.Creds != "" && c.URL == "" {
		return c, config.Usagef("creds is for --nats; --listen-cluster takes --cluster-dir")
	}
	if c.Creds, err = loadCreds(o.Creds); err == nil {
		err = cluster.CheckAddress(c)
	}
	return c, config.Usage(err)
}

// runner returns what plays pairs of our own engine.
func (e *executor) runner() selfplay.Runner {
	if e.cluster != nil {
		return e.cluster
	}
	return e.pool
}

// local returns what plays the pairs of players that cannot travel; nil: the runner does.
func (e *executor) local() selfplay.Runner {
	if e.cluster != nil {
		return e.pool
	}
	return nil
}

// jobs returns how many games are played at a time. It waits for the first worker of a cluster.
func (e *executor) jobs(ctx context.Context) (int, error) {
	if e.cluster != nil {
		return e.cluster.Ready(ctx)
	}
	return e.pool.Workers(), nil
}

// status returns what tells the state of the cluster; nil where there is none.
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

// play plays the run. Where results of a worker turn out to be forged after they were accepted, the run goes
// back to the last state before them.
func (e *executor) play(ctx context.Context, p *playing, s tuner.Setting) (*tuner.Outcome, error) {
	s.Runner, s.Local, s.Audited = e.runner(), e.local(), e.cluster != nil
	if e.cluster == nil {
		return p.run.Run(ctx, s)
	}
	if err := e.cluster.Keep(filepath.Join(p.folder.Path(), "cluster")); err != nil {
		return nil, err
	}
	marked := &markedStore{p.folder, e.cluster}
	s.Store = marked
	if err := marked.mark(p.run.State()); err != nil {
		return nil, err
	}
	for {
		o, err := p.run.Run(ctx, s)
		if err == nil {
			err = e.cluster.Settle(ctx)
		}
		var wrong *cluster.Wrong
		if !errors.As(err, &wrong) {
			return o, err
		}
		if err := e.goBack(p, wrong); err != nil {
			return nil, err
		}
	}
}

// played tells for a log line who has played, and how well they were used; busy is the pool's time in games before.
func (e *executor) played(took, busy time.Duration) []any {
	list := []any{"seconds", int(took.Seconds())}
	if e.cluster == nil {
		share := float64(e.pool.Busy()-busy) / float64(took) / float64(e.pool.Workers())
		return append(list, "workers", e.pool.Workers(), "share_of_workers_time_in_games", fmt.Sprintf("%.3f", share))
	}
	s := e.cluster.Status()
	workers, jobs := s.Working()
	return append(list, "workers", workers, "jobs", jobs, "share_of_jobs_time_in_games", fmt.Sprintf("%.3f", s.Busy()), "pairs", s.Pairs, "tasks", s.Tasks, "reissued", s.Reissued,
		"duplicates", s.Repeated, "audited", s.Audits, "disputes", s.Disputes)
}

// goBack takes a run back to before a batch with forged results.
func (e *executor) goBack(p *playing, wrong *cluster.Wrong) error {
	data, err := e.cluster.Rewind(wrong)
	if err != nil {
		return err
	}
	state, err := p.folder.Rewind(data)
	if err != nil {
		return err
	}
	p.display.log.Warn("the run goes back to before the first forged result", "generation", state.Generations, "games", state.Games, "reason", wrong.Reason)
	p.run, err = tuner.Restore(p.config, state)
	return err
}

// markedStore tells the cluster of every state that is stored, so that the run can come back to it.
type markedStore struct {
	*runfolder.Folder
	cluster *cluster.Coordinator
}

// SaveState closes a step; see tuner.Store.
func (m *markedStore) SaveState(s run.State, closed *run.Generation) error {
	if err := m.Folder.SaveState(s, closed); err != nil {
		return err
	}
	return m.mark(s)
}

func (m *markedStore) mark(s run.State) error {
	data, err := m.Folder.Mark(s)
	if err != nil {
		return err
	}
	if err := m.cluster.Mark(data); err != nil {
		return fmt.Errorf("run %s: %w", m.Name(), err)
	}
	return nil
}
