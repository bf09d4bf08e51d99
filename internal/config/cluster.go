package config

import (
	"runtime"
	"strconv"
	"time"
)

// mostYears bounds how long a certificate is good.
const mostYears = 10 * 365 * 24 * time.Hour

// clusterOptions are those of runs on many machines.
func clusterOptions() []Option {
	runs, worker, serve := []string{"tune run", "tune resume"}, []string{"tune worker"}, []string{"tune cluster serve"}
	status := []string{"tune cluster status"}
	making := []string{"tune cluster init", "tune cluster add"}
	folders := []string{"tune cluster init", "tune cluster add", "tune cluster revoke", "tune cluster serve"}
	return []Option{
		{Name: "listen-cluster", Commands: runs, Kind: Text("ADDR"), Help: "start a server that workers of other machines join, such as 0.0.0.0:4222"},
		{Name: "nats", Commands: runs, Kind: Text("URL"), Help: "play on the workers of the cluster at this address"},
		{Name: "cluster-dir", Commands: runs, Kind: Text("DIR"), Help: "folder of `tune cluster init`, for --listen-cluster beyond this machine"},
		{Name: "creds", Commands: runs, Kind: Text("FILE"), Help: "credentials of the coordinator, for --nats beyond this machine"},
		{Name: "audit", Commands: runs, Default: "0.02", Kind: Number(0, 1), Help: "share of the tasks of a cluster that a second worker plays too"},
		{Name: "task-time", Commands: runs, Default: "3s", Kind: Span(10*time.Millisecond, 10*time.Minute), Help: "what a task of a worker should take"},
		{Name: "task-deadline", Commands: runs, Default: "1m", Kind: Span(time.Second, time.Hour), Help: "after which a task is given to another worker"},

		{Name: "nats", Commands: worker, Default: "nats://127.0.0.1:4222", Kind: Text("URL"), Help: "address of the cluster"},
		{Name: "jobs", Commands: worker, Default: strconv.Itoa(runtime.GOMAXPROCS(0)), Varies: processors, Kind: Whole(1, 4096), Help: "pairs at a time"},
		{Name: "creds", Commands: worker, Kind: Text("FILE"), Help: "credentials of this worker, for a cluster beyond this machine"},
		{Name: "name", Commands: worker, Kind: Text("NAME"), Help: "name of this machine for people; without it the host's", FlagOnly: true},

		{Name: "nats", Commands: status, Default: "nats://127.0.0.1:4222", Kind: Text("URL"), Help: "address of the cluster"},
		{Name: "creds", Commands: status, Kind: Text("FILE"), Help: "credentials of the observer"},

		{Name: "cluster-dir", Commands: folders, Default: "cluster", Kind: Text("DIR"), Help: "folder of the keys, certificates and the configuration"},
		{Name: "hosts", Commands: []string{"tune cluster init"}, Kind: Text("NAME,…"), Help: "names and addresses by which workers reach the server", FlagOnly: true},
		{Name: "machines", Commands: []string{"tune cluster init"}, Default: "worker-0,worker-1", Kind: Text("NAME,…"), Help: "workers that get credentials", FlagOnly: true},
		{Name: "valid", Commands: making, Default: "8760h", Kind: Span(time.Second, mostYears), Help: "how long the certificates are good", FlagOnly: true},
		{Name: "listen-cluster", Commands: serve, Default: "0.0.0.0:4222", Kind: Text("ADDR"), Help: "address of the server", FlagOnly: true},
		{Name: "store", Commands: serve, Default: "jetstream", Kind: Text("DIR"), Help: "folder of the server's streams", FlagOnly: true},
	}
}
