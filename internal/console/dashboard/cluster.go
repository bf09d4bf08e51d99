package dashboard

import (
	"fmt"

	"quintune/internal/cluster"
	"quintune/internal/text"
)

// clusterLines is how many rows the state of a cluster takes without its workers.
const clusterLines = 3

// clusterHeight returns how many rows the state of a cluster gets of a column: workers have rows of their own where there
// is room for more than the curves.
func clusterHeight(s *cluster.Status, height int) int {
	if height <= tallHeight {
		return clusterLines
	}
	return clusterLines + min(len(s.Workers), height/6)
}

// cluster draws the state of a cluster: workers at work, tasks to come, faults, and the list of workers.
func (c *canvas) cluster(b box, s *cluster.Status) {
	end := b.x + b.width
	workers, jobs := s.Working()
	x := c.text(b.x, b.y, end, "Cluster ", strong)
	c.text(x, b.y, end, fmt.Sprintf("%d workers, %d jobs, %.1f pairs/s", workers, jobs, s.Speed), accent)
	c.text(b.x, b.y+1, end, fmt.Sprintf("%s pairs to come, %d tasks sent again", text.Thousands(s.Pending), s.Reissued), plain)
	look := soft
	if s.FaultCount() > 0 || s.Disputes > 0 || workers == 0 {
		look = warm
	}
	c.text(b.x, b.y+2, end, fmt.Sprintf("audited %d, disputes %d, faults %d, refused %d", s.Audits, s.Disputes, s.FaultCount(), len(s.Refused)), look)
	for i, rows := 0, b.height-clusterLines; i < min(rows, len(s.Workers)); i++ {
		y := b.y + clusterLines + i
		if i == rows-1 && rows < len(s.Workers) {
			c.text(b.x, y, end, fmt.Sprintf("and %d more", len(s.Workers)-i), soft)
			break
		}
		w := &s.Workers[i]
		look := plain
		if w.State != cluster.StateWorking {
			look = warm
		}
		c.text(b.x, y, end, fmt.Sprintf("%-16.16s %-11s %4d jobs %9s pairs %7.1f/s %4.0f%% busy",
			w.Name, w.State, w.Jobs, text.Thousands(w.Pairs), w.Speed, 100*w.Busy), look)
	}
}
