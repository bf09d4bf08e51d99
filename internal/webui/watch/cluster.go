package watch

import "quintune/internal/cluster"

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
