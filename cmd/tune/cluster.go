package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

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

// folderOptions are the options of the commands that read or change the folder of a cluster.
type folderOptions struct {
	config.Common
	ClusterDir string
}

func (o *folderOptions) Declare(d *config.Declaration) {
	d.Group("The cluster")
	config.Var(d, &o.ClusterDir, "cluster-dir", "cluster", config.Folder(), "folder of the keys, certificates and the configuration")
}

// keyOptions are the options of the commands that make keys.
type keyOptions struct {
	folderOptions
	Valid time.Duration
}

// mostYears bounds the validity of a certificate.
const mostYears = 10 * 365 * 24 * time.Hour

func (o *keyOptions) Declare(d *config.Declaration) {
	o.folderOptions.Declare(d)
	config.Var(d, &o.Valid, "valid", "8760h", config.Span(time.Second, mostYears), "how long the certificates are good", config.FlagOnly)
}

// clusterInitOptions are the options of `tune cluster init`.
type clusterInitOptions struct {
	keyOptions
	Hosts    string
	Machines string
	Renew    bool
}

func (o *clusterInitOptions) Declare(d *config.Declaration) {
	o.keyOptions.Declare(d)
	config.Var(d, &o.Hosts, "hosts", "", config.Text("NAME,..."), "names and addresses by which workers reach the server", config.FlagOnly)
	config.Var(d, &o.Machines, "machines", "worker-0,worker-1", config.Text("NAME,..."), "workers that get credentials", config.FlagOnly)
	config.Var(d, &o.Renew, "renew", "false", config.Switch(), "issue the certificate of the server of a cluster anew", config.FlagOnly)
}

func clusterInitCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "init",
		Short: "Make keys, certificates and a sample configuration",
		Long: `Makes a certificate authority, a server certificate for --hosts, and one file of credentials for the coordinator, for an
observer and for each of --machines, all readable by their owner alone; and nats-server.conf, a configuration of a server
that lets in exactly these. A worker needs its own file and nothing else.

The server's certificate expires after --valid, a year by default. --renew issues it anew in the folder of a cluster, for --hosts
or else for the hosts that it has. Credentials stay as they are, and expire after their own --valid. A server of ours takes it within seconds; tell a nats-server to
reload its configuration.`,
		Example: "  tune cluster init --hosts host.example,10.0.0.1 --machines big,small --cluster-dir cluster\n  tune cluster init --renew",
		Args:    cobra.NoArgs,
	}, &clusterInitOptions{}, func(cmd *cobra.Command, o *clusterInitOptions, _ []string) error {
		if o.Renew {
			return renewServer(cmd, o)
		}
		if o.Hosts == "" {
			config.NewLogger(cmd.ErrOrStderr(), &o.Common).Warn("without --hosts the server's certificate is for this machine alone: workers on others refuse it")
		}
		hosts, machines := commaList(o.Hosts), commaList(o.Machines)
		if err := cluster.CheckNew(hosts, machines); err != nil {
			return config.Usage(err)
		}
		f, err := cluster.InitFolder(o.ClusterDir, hosts, machines, o.Valid)
		if err != nil {
			return err
		}
		return showParties(cmd, &o.Common, f)
	})
}

// renewServer issues the certificate of a cluster's server anew.
func renewServer(cmd *cobra.Command, o *clusterInitOptions) error {
	if o.IsSet(&o.Machines) {
		return config.Usagef("machines: --renew makes no workers: add them with `tune cluster add`")
	}
	hosts := commaList(o.Hosts)
	if err := cluster.CheckNew(hosts, nil); err != nil {
		return config.Usage(err)
	}
	f, err := cluster.OpenFolder(o.ClusterDir)
	if err != nil {
		return err
	}
	if err := f.RenewServer(hosts, o.Valid); err != nil {
		return err
	}
	return showParties(cmd, &o.Common, f)
}

func clusterAddCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:     "add NAME...",
		Short:   "Make credentials of more workers",
		Example: "  tune cluster add third --cluster-dir cluster",
		Args:    cobra.MinimumNArgs(1),
	}, &keyOptions{}, func(cmd *cobra.Command, o *keyOptions, args []string) error {
		for _, name := range args {
			if err := cluster.CheckName(name); err != nil {
				return config.Usage(err)
			}
		}
		return changeParties(cmd, &o.folderOptions, args, func(f *cluster.Folder, name string) error {
			return f.Add(name, cluster.RoleWorker, o.Valid)
		})
	})
}

func clusterRevokeCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:   "revoke NAME|KEY...",
		Short: "Stop accepting a worker",
		Long: `Takes keys out of the list of the folder. A server of ours ("tune run --listen-cluster", "tune cluster serve") ends their
connections within seconds; tell a nats-server to reload its configuration, and restart one in a container of deploy/compose.yaml.`,
		Example: "  tune cluster revoke small",
		Args:    cobra.MinimumNArgs(1),
	}, &folderOptions{}, func(cmd *cobra.Command, o *folderOptions, args []string) error {
		return changeParties(cmd, o, args, (*cluster.Folder).Revoke)
	})
}

// changeParties calls a function for each named party of the cluster in --cluster-dir, then lists all parties.
func changeParties(cmd *cobra.Command, o *folderOptions, names []string, change func(f *cluster.Folder, name string) error) error {
	f, err := cluster.OpenFolder(o.ClusterDir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := change(f, name); err != nil {
			return err
		}
	}
	return showParties(cmd, &o.Common, f)
}

// showParties lists the parties and the paths of their credentials.
func showParties(cmd *cobra.Command, o *config.Common, f *cluster.Folder) error {
	parties, err := f.Parties()
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, p := range parties {
		state := "until " + p.Expires.Format(time.DateOnly)
		if p.Revoked {
			state = "revoked"
		}
		fmt.Fprintf(&b, "%-20s %-12s %s %s %s\n", p.Name, p.Role, p.Key, state, f.CredsFile(p.Name))
	}
	object := map[string]any{"parties": parties, "configuration": f.ConfFile()}
	if expires, err := f.ServerExpires(); err == nil { // its files may have been moved to its machine
		fmt.Fprintf(&b, "server certificate: until %s\n", expires.Format(time.DateOnly))
		object["server_expires"] = expires
	}
	fmt.Fprintf(&b, "server configuration: %s\n", f.ConfFile())
	return show(cmd, o, b.String(), object)
}

// clusterServeOptions are the options of `tune cluster serve`.
type clusterServeOptions struct {
	folderOptions
	ListenCluster string
	Store         string // accepted for older versions, without effect
}

// storeUnused is the warning for --store.
const storeUnused = "--store has no effect: the server stores nothing"

func (o *clusterServeOptions) Declare(d *config.Declaration) {
	o.folderOptions.Declare(d)
	config.Var(d, &o.ListenCluster, "listen-cluster", "0.0.0.0:4222", config.Text("ADDR"), "address of the server", config.FlagOnly)
	config.Var(d, &o.Store, "store", "", config.Text("DIR"), storeUnused, config.FlagOnly, config.Hidden)
}

// servedResult is what `tune cluster serve --json` prints when the server runs.
type servedResult struct {
	Address string `json:"address"`
}

func clusterServeCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:     "serve",
		Short:   "Run the server of a cluster, where there is no nats-server",
		Long:    "Runs a NATS server for the parties of --cluster-dir until it is told to end. Revoked keys are thrown out within seconds.",
		Example: "  tune cluster serve --cluster-dir cluster --listen-cluster 0.0.0.0:4222",
		Args:    cobra.NoArgs,
	}, &clusterServeOptions{}, func(cmd *cobra.Command, o *clusterServeOptions, _ []string) error {
		outliveTerminal()
		f, err := cluster.OpenFolder(o.ClusterDir)
		if err != nil {
			return err
		}
		if err := cluster.CheckListen(o.ListenCluster, f); err != nil {
			return config.Usage(err)
		}
		log := config.NewLogger(cmd.ErrOrStderr(), &o.Common)
		if o.IsSet(&o.Store) {
			log.Warn(storeUnused)
		}
		s, err := cluster.StartServer(cluster.ServerConfig{Addr: o.ListenCluster, Folder: f, Log: log})
		if err != nil {
			return err
		}
		log.Info("serving", "address", s.URL())
		if err := show(cmd, &o.Common, "", servedResult{s.URL()}); err != nil {
			return errors.Join(err, s.Close())
		}
		<-cmd.Context().Done()
		return s.Close()
	})
}

// clusterStatusOptions are the options of `tune cluster status`.
type clusterStatusOptions struct {
	config.Common
	serverOptions
}

func (o *clusterStatusOptions) Declare(d *config.Declaration) {
	o.declare(d, "credentials of the observer")
}

func clusterStatusCommand() *cobra.Command {
	return config.Bind(&cobra.Command{
		Use:     "status",
		Short:   "Show the workers of the run that uses a cluster, their rates, the backlog and faults",
		Example: "  tune cluster status --nats tls://host.example:4222 --creds cluster/observer.creds",
		Args:    cobra.NoArgs,
	}, &clusterStatusOptions{}, func(cmd *cobra.Command, o *clusterStatusOptions, _ []string) error {
		creds, err := loadCreds(o.Creds)
		if err != nil {
			return err
		}
		if err := cluster.CheckURL(o.NATS, creds); err != nil {
			return config.Usage(err)
		}
		s, err := cluster.Ask(cmd.Context(), o.NATS, creds, config.NewLogger(cmd.ErrOrStderr(), &o.Common))
		if err != nil {
			return err
		}
		return show(cmd, &o.Common, s.Text(), s)
	})
}

// commaList splits a text at its commas.
func commaList(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}
