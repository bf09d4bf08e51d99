package watch

import (
	"github.com/prometheus/client_golang/prometheus"

	"quintune/internal/cluster"
	"quintune/internal/progress"
)

// clusterCollector computes the metrics of the cluster that plays a run at every request. Without a cluster
// there are none.
type clusterCollector struct {
	history *progress.History
	states  *prometheus.Desc
	faults  *prometheus.Desc
	figures []figure[cluster.Status]
	workers []figure[cluster.WorkerStatus] // figures of each worker, labelled by name and key
}

func newClusterCollector(h *progress.History) *clusterCollector {
	type status = cluster.Status
	type worker = cluster.WorkerStatus
	total := func(name, help string, of func(*status) int64) figure[status] {
		return figureOf(counter, "cluster_"+name, help, func(s *status) float64 { return float64(of(s)) })
	}
	each := func(kind prometheus.ValueType, name, help string, of func(*worker) float64) figure[worker] {
		return figureOf(kind, "cluster_worker_"+name, help, of, "worker", "key")
	}
	return &clusterCollector{
		history: h,
		states:  prometheus.NewDesc("quintune_cluster_workers", "Workers of the cluster by state.", []string{"state"}, nil),
		faults:  prometheus.NewDesc("quintune_cluster_faults_total", "What went wrong, by kind.", []string{"kind"}, nil),
		figures: []figure[status]{
			figureOf(gauge, "cluster_jobs", "Pairs that the working workers play at a time.", func(s *status) float64 {
				_, jobs := s.Working()
				return float64(jobs)
			}),
			figureOf(gauge, "cluster_pairs_per_second", "Pairs accepted a second, of late.", func(s *status) float64 { return s.Speed }),
			figureOf(gauge, "cluster_pending_pairs", "Backlog: pairs of the open batches without a result.", func(s *status) float64 { return float64(s.Pending) }),
			total("pairs_total", "Pairs accepted.", func(s *status) int64 { return s.Pairs }),
			total("tasks_total", "Tasks sent, copies included.", func(s *status) int64 { return s.Tasks }),
			total("reissued_total", "Copies of late tasks.", func(s *status) int64 { return s.Reissued }),
			total("duplicate_pairs_total", "Pairs that had a result already.", func(s *status) int64 { return s.Repeated }),
			total("audited_pairs_total", "Pairs played a second time, to compare.", func(s *status) int64 { return s.Audits }),
			total("disputes_total", "Pairs whose results differed.", func(s *status) int64 { return s.Disputes }),
		},
		workers: []figure[worker]{
			each(gauge, "jobs", "Pairs that it plays at a time.", func(w *worker) float64 { return float64(w.Jobs) }),
			each(gauge, "held_tasks", "Tasks in hand.", func(w *worker) float64 { return float64(w.Held) }),
			each(counter, "games_total", "Games accepted of it.", func(w *worker) float64 { return float64(w.Games) }),
			each(gauge, "pairs_per_second", "Pairs that it plays a second, of late.", func(w *worker) float64 { return w.Speed }),
			each(gauge, "busy_ratio", "Share of its jobs' time in games since it joined.", func(w *worker) float64 { return w.Busy }),
		},
	}
}

// Describe sends the descriptions of all metrics; see prometheus.Collector.
func (c *clusterCollector) Describe(to chan<- *prometheus.Desc) {
	to <- c.states
	to <- c.faults
	for _, f := range c.figures {
		to <- f.desc
	}
	for _, f := range c.workers {
		to <- f.desc
	}
}

// Collect sends all metrics; see prometheus.Collector.
func (c *clusterCollector) Collect(to chan<- prometheus.Metric) {
	s := c.history.Cluster()
	if s == nil {
		return
	}
	for i := range c.figures {
		to <- c.figures[i].metric(s)
	}
	states := map[string]int{cluster.StateWorking: 0, cluster.StateLost: 0, cluster.StateLeft: 0, cluster.StateQuarantined: 0}
	for i := range s.Workers {
		w := &s.Workers[i]
		states[w.State]++
		for k := range c.workers {
			to <- c.workers[k].metric(w, w.Name, w.Key)
		}
	}
	for state, n := range states {
		to <- prometheus.MustNewConstMetric(c.states, gauge, float64(n), state)
	}
	for kind, n := range s.Faults {
		to <- prometheus.MustNewConstMetric(c.faults, counter, float64(n), kind)
	}
}

// mostWorkers bounds the workers of a cluster that the page lists.
const mostWorkers = 200

// clusterView is the status of a cluster as the page shows it, with at most mostWorkers workers.
type clusterView struct {
	cluster.Status
	Working int `json:"working"` // live workers
	Jobs    int `json:"jobs"`
	More    int `json:"more"` // workers that are not in the list
}

func clusterOf(s *cluster.Status) clusterView {
	c := clusterView{Status: *s}
	c.Working, c.Jobs = s.Working()
	if len(s.Workers) > mostWorkers {
		c.Workers, c.More = s.Workers[:mostWorkers], len(s.Workers)-mostWorkers
	}
	return c
}
