package main

import (
	"os"

	"github.com/spf13/cobra"

	"quintune/internal/cluster"
	"quintune/internal/config"
)

func workerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "Play games for a run on another machine",
		Long: `Plays pairs for whatever run uses the cluster at --nats, until it is told to end (Ctrl-C, SIGTERM): then the pairs in
hand are ended and sent. It waits for a server or a run that is not there yet, and comes back after interruptions. Before
its first game it proves that its engine is that of the run. One process a machine is enough: --jobs pairs at a time.`,
		Example: "  tune worker --nats tls://host.example:4222 --creds worker-0.creds --jobs 8",
		Args:    cobra.NoArgs,
		RunE:    config.Loaded(playForOthers),
	}
	config.Declare(cmd, "tune worker")
	return cmd
}

func playForOthers(cmd *cobra.Command, v *config.Values, _ []string) error {
	c := cluster.WorkerConfig{
		URL: v.String("nats"), Jobs: v.Int("jobs"), Name: v.String("name"), Version: config.Commit(),
		Log: config.NewLogger(cmd.ErrOrStderr(), v),
	}
	if c.Name == "" {
		var err error
		if c.Name, err = os.Hostname(); err != nil {
			c.Name = "unnamed"
		}
	}
	var err error
	if c.Creds, err = credsOf(v); err != nil {
		return err
	}
	if err := cluster.CheckAddress(cluster.Config{URL: c.URL, Creds: c.Creds}); err != nil {
		return config.Usage(err)
	}
	return cluster.Work(cmd.Context(), c)
}

// credsOf reads the credentials of --creds, nil where none are given.
func credsOf(v *config.Values) (*cluster.Creds, error) {
	path := v.String("creds")
	if path == "" {
		return nil, nil
	}
	return cluster.LoadCreds(path)
}
