package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"quintune/internal/cluster"
	"quintune/internal/config"
)

func clusterCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "cluster",
		Short:   "Keys, server and state of runs on many machines",
		Example: "  tune cluster init --hosts host.example --machines big,small\n  tune cluster status --creds cluster/observer.creds --nats tls://host.example:4222",
	}
	cmd.AddCommand(clusterInitCommand(), clusterAddCommand(), clusterRevokeCommand(), clusterServeCommand(), clusterStatusCommand())
	return cmd
}

func clusterInitCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make keys, certificates and a sample configuration",
		Long: `Makes a certificate authority, a server certificate for --hosts, and one file of credentials for the coordinator, for an
observer and for each of --machines, all readable by their owner alone; and nats-server.conf, a configuration of a server
that lets in exactly these. A worker needs its own file and nothing else.`,
		Example: "  tune cluster init --hosts host.example,10.0.0.1 --machines big,small --cluster-dir cluster",
		Args:    cobra.NoArgs,
		RunE: config.Loaded(func(cmd *cobra.Command, v *config.Values, _ []string) error {
			machines := commaList(v.String("machines"))
			f, err := cluster.InitFolder(v.String("cluster-dir"), commaList(v.String("hosts")), machines, v.Duration("valid"))
			if err != nil {
				return err
			}
			return showParties(cmd, v, f)
		}),
	}
	config.Declare(cmd, "tune cluster init")
	return cmd
}

func clusterAddCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "add NAME...",
		Short:   "Make credentials of more workers",
		Example: "  tune cluster add third --cluster-dir cluster",
		Args:    cobra.MinimumNArgs(1),
		RunE: changeParties(func(v *config.Values, f *cluster.Folder, name string) error {
			return f.Add(name, cluster.RoleWorker, v.Duration("valid"))
		}),
	}
	config.Declare(cmd, "tune cluster add")
	return cmd
}

func clusterRevokeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "revoke NAME|KEY...",
		Short: "Let a worker in no more",
		Long: `Takes keys out of the list of the folder. A server of ours ("tune run --listen-cluster", "tune cluster serve") ends their
connections within seconds; tell a nats-server to reload its configuration.`,
		Example: "  tune cluster revoke small",
		Args:    cobra.MinimumNArgs(1),
		RunE: changeParties(func(_ *config.Values, f *cluster.Folder, name string) error {
			return f.Revoke(name)
		}),
	}
	config.Declare(cmd, "tune cluster revoke")
	return cmd
}

// changeParties is a command that does something to each named party of the cluster in --cluster-dir, then lists all.
func changeParties(change func(v *config.Values, f *cluster.Folder, name string) error) func(*cobra.Command, []string) error {
	return config.Loaded(func(cmd *cobra.Command, v *config.Values, args []string) error {
		f, err := cluster.OpenFolder(v.String("cluster-dir"))
		if err != nil {
			return err
		}
		for _, name := range args {
			if err := change(v, f, name); err != nil {
				return err
			}
		}
		return showParties(cmd, v, f)
	})
}

// showParties lists who is let in, and where their credentials are.
func showParties(cmd *cobra.Command, v *config.Values, f *cluster.Folder) error {
	parties, err := f.Parties()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, p := range parties {
		state := "until " + p.Expires.Format("2006-01-02")
		if p.Revoked {
			state = "revoked"
		}
		fmt.Fprintf(&b, "%-20s %-12s %s %s %s\n", p.Name, p.Role, p.Key, state, f.CredsFile(p.Name))
	}
	fmt.Fprintf(&b, "server configuration: %s\n", f.ConfFile())
	return show(cmd, v, b.String(), map[string]any{"parties": parties, "configuration": f.ConfFile()})
}

func clusterServeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "serve",
		Short:   "Run the server of a cluster, where there is no nats-server",
		Long:    "Runs a NATS server with JetStream for the parties of --cluster-dir until it is told to end. Revoked keys are thrown out within seconds.",
		Example: "  tune cluster serve --cluster-dir cluster --listen-cluster 0.0.0.0:4222 --store jetstream",
		Args:    cobra.NoArgs,
		RunE: config.Loaded(func(cmd *cobra.Command, v *config.Values, _ []string) error {
			f, err := cluster.OpenFolder(v.String("cluster-dir"))
			if err != nil {
				return err
			}
			log := config.NewLogger(cmd.ErrOrStderr(), v)
			s, err := cluster.StartServer(cluster.ServerConfig{Addr: v.String("listen-cluster"), Folder: f, Store: v.String("store"), Log: log})
			if err != nil {
				return err
			}
			log.Info("serving", "address", s.URL())
			<-cmd.Context().Done()
			return s.Close()
		}),
	}
	config.Declare(cmd, "tune cluster serve")
	return cmd
}

func clusterStatusCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Show the workers of the run that uses a cluster, their rates, the backlog and faults",
		Example: "  tune cluster status --nats tls://host.example:4222 --creds cluster/observer.creds",
		Args:    cobra.NoArgs,
		RunE: config.Loaded(func(cmd *cobra.Command, v *config.Values, _ []string) error {
			creds, err := credsOf(v)
			if err != nil {
				return err
			}
			s, err := cluster.Ask(cmd.Context(), v.String("nats"), creds, config.NewLogger(cmd.ErrOrStderr(), v))
			if err != nil {
				return err
			}
			return show(cmd, v, s.Text(), s)
		}),
	}
	config.Declare(cmd, "tune cluster status")
	return cmd
}

// commaList splits a text at its commas.
func commaList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
