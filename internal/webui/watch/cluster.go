package watch

import "quintune/internal/cluster"

// mostWorkers is how many workers of a cluster the page lists.
const mostWorkers = 200

// clusterView is a cluster as the page shows it: its status, with no more workers than mostWorkers.
type clusterView struct {
	cluster.Status
	Working int `json:"working"` // workers of which results may be expected
	Jobs    int `json:"jobs"`
	More    int `json:"more"` // workers that are not listed
}

func clusterOf(s *cluster.Status) clusterView {
	c := clusterView{Status: *s}
	c.Working, c.Jobs = s.Working()
	if len(s.Workers) > mostWorkers {
		c.Workers, c.More = s.Workers[:mostWorkers], len(s.Workers)-mostWorkers
	}
	return c
}
