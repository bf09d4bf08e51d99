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
	"quintune/internal/store"
	"quintune/internal/tuner"
	"quintune/selfplay"
)

// crew is who plays the games of a run: this process alone, or with workers on other machines.
type crew struct {
	pool    *selfplay.Pool       // of this process; beside a cluster for players that cannot travel
	cluster *cluster.Coordinator // nil: there is none
}

// newCrew returns who plays by --workers, --listen-cluster and --nats. What happens in the cluster is logged.
func newCrew(ctx context.Context, v *config.Values, log *slog.Logger) (*crew, error) {
	c := &crew{pool: selfplay.NewPool(v.Int("workers"))}
	listen, url := v.String("listen-cluster"), v.String("nats")
	switch {
	case listen != "" && url != "":
		return nil, config.Usagef("listen-cluster and nats are both given: a run has one server")
	case listen == "" && url == "":
		if v.Int("workers") == 0 {
			return nil, config.Usagef("workers is 0, which takes --listen-cluster or --nats: nobody would play")
		}
		return c, nil
	}
	settings, err := clusterSettings(v, log)
	if err != nil {
		return nil, err
	}
	c.cluster, err = cluster.Open(ctx, settings)
	return c, err
}

// clusterSettings returns how the coordinator of a run reaches its workers.
func clusterSettings(v *config.Values, log *slog.Logger) (cluster.Config, error) {
	c := cluster.Config{
		Listen: v.String("listen-cluster"), URL: v.String("nats"), Jobs: v.Int("workers"), Audit: v.Float("audit"),
		Version: config.Commit(), Log: log,
		Timing: cluster.Timing{Task: v.Duration("task-time"), Deadline: v.Duration("task-deadline")},
	}
	var err error
	if dir := v.String("cluster-dir"); dir != "" {
		if c.Listen == "" {
			return c, config.Usagef("cluster-dir is for --listen-cluster; --nats takes --creds")
		}
		if c.Folder, err = cluster.OpenFolder(dir); err != nil {
			return c, err
		}
		c.Creds, err = cluster.LoadCreds(c.Folder.CredsFile(cluster.CoordinatorName))
		return c, err
	}
	if creds := v.String("creds"); creds != "" {
		if c.URL == "" {
			return c, config.Usagef("creds is for --nats; --listen-cluster takes --cluster-dir")
		}
		c.Creds, err = cluster.LoadCreds(creds)
	}
	if err == nil {
		err = cluster.CheckAddress(c)
	}
	return c, config.Usage(err)
}

// runner returns who plays pairs of our own engine.
func (c *crew) runner() selfplay.Runner {
	if c.cluster != nil {
		return c.cluster
	}
	return c.pool
}

// near returns who plays the pairs of players that cannot travel; nil: the runner does.
func (c *crew) near() selfplay.Runner {
	if c.cluster != nil {
		return c.pool
	}
	return nil
}

// jobs returns how many games are played at a time. It waits for the first worker of a cluster.
func (c *crew) jobs(ctx context.Context) (int, error) {
	if c.cluster != nil {
		return c.cluster.Ready(ctx)
	}
	return c.pool.Workers(), nil
}

// status returns what tells the state of the cluster; nil where there is none.
func (c *crew) status() func() *cluster.Status {
	if c.cluster == nil {
		return nil
	}
	return func() *cluster.Status {
		s := c.cluster.Status()
		return &s
	}
}

// close lets everybody go.
func (c *crew) close() error {
	if c.cluster == nil {
		return nil
	}
	return c.cluster.Close()
}

// play plays the run. Where results of a worker turn out to be forged after they were believed, the run goes
// back to the last state before them.
func (c *crew) play(ctx context.Context, p *playing, s tuner.Setting) (*tuner.Outcome, error) {
	s.Runner, s.Local, s.Audited = c.runner(), c.near(), c.cluster != nil
	if c.cluster == nil {
		return p.run.Run(ctx, s)
	}
	if err := c.cluster.Keep(filepath.Join(p.folder.Path(), "cluster")); err != nil {
		return nil, err
	}
	marked := &markedStore{p.folder, c.cluster}
	s.Store = marked
	if err := marked.mark(p.run.State()); err != nil {
		return nil, err
	}
	for {
		o, err := p.run.Run(ctx, s)
		if err == nil {
			err = c.cluster.Settle(ctx)
		}
		var wrong *cluster.Wrong
		if !errors.As(err, &wrong) {
			return o, err
		}
		if err := c.goBack(p, wrong); err != nil {
			return nil, err
		}
	}
}

// played tells for a log line who has played, and how well they were used; busy is the pool's time in games before.
func (c *crew) played(took, busy time.Duration) []any {
	list := []any{"seconds", int(took.Seconds())}
	if c.cluster == nil {
		share := float64(c.pool.Busy()-busy) / float64(took) / float64(c.pool.Workers())
		return append(list, "workers", c.pool.Workers(), "share_of_workers_time_in_games", fmt.Sprintf("%.3f", share))
	}
	s := c.cluster.Status()
	workers, jobs := s.Working()
	return append(list, "workers", workers, "jobs", jobs, "share_of_jobs_time_in_games", fmt.Sprintf("%.3f", s.Busy()), "pairs", s.Pairs, "tasks", s.Tasks, "reissued", s.Reissued,
		"duplicates", s.Repeated, "audited", s.Audits, "disputes", s.Disputes)
}

// goBack takes a run back to before a batch with forged results.
func (c *crew) goBack(p *playing, wrong *cluster.Wrong) error {
	data, err := c.cluster.Rewind(wrong)
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
	*tuner.Folder
	cluster *cluster.Coordinator
}

// SaveState closes a step; see tuner.Store.
func (m *markedStore) SaveState(s tuner.State, closed *store.Generation) error {
	if err := m.Folder.SaveState(s, closed); err != nil {
		return err
	}
	return m.mark(s)
}

func (m *markedStore) mark(s tuner.State) error {
	data, err := m.Folder.Mark(s)
	if err != nil {
		return err
	}
	if err := m.cluster.Mark(data); err != nil {
		return fmt.Errorf("run %s: %w", m.Name(), err)
	}
	return nil
}
