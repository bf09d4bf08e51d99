package tuner

import (
	"fmt"

	"quintune/ga"
)

// stageFactor is how many times as many nodes a move a stage of the evolution has as the one before. It has half of the games, so
// it takes about twice the time.
const stageFactor = 4

// stage is a part of the evolution with its own node limit of a move.
type stage struct {
	nodes int64
	end   int // games of the evolution after which it is over
}

// stages returns the stages of an evolution of a number of games: from FirstNodes to Nodes, or one where the run names no
// FirstNodes.
func (c *Config) stages(evolution int) []stage {
	var list []stage
	for nodes := c.FirstNodes; nodes > 0 && nodes < c.Nodes; nodes *= stageFactor {
		list = append(list, stage{nodes: nodes})
	}
	list = append(list, stage{nodes: c.Nodes, end: evolution})
	whole := 1<<len(list) - 1
	for k := range list[:len(list)-1] {
		parts := whole - (1<<(len(list)-1-k) - 1) // of this stage and those before it
		list[k].end = int(int64(evolution) * int64(parts) / int64(whole))
	}
	return list
}

// firstBudget returns the budget with which the run began, 0 where it has none yet. A greater one that it got on its way
// changes no stage: what it adds is played at Nodes.
func (c *Config) firstBudget() int {
	if len(c.Extended) > 0 {
		return c.Extended[0].Budget
	}
	return c.Budget
}

// nodesAfter returns the node limit of a move in a generation that begins after a number of games of the evolution.
func (c *Config) nodesAfter(games int) int64 {
	for _, s := range c.stages(c.plan(c.firstBudget()).evolution) {
		if games < s.end {
			return s.nodes
		}
	}
	return c.Nodes
}

// nodesOf returns the node limit of a move in an open generation. It follows from the budget and the generations before it
// alone, so it is the same after an interruption.
func (r *Run) nodesOf(b ga.Batch) int64 {
	before := r.state.Evolution
	for _, open := range r.optimizer.Open() {
		if open.Generation >= b.Generation {
			break
		}
		before += open.Games()
	}
	return r.config.nodesAfter(before)
}

// stageCost returns the cost of an evolution of a number of games, counted in games at Nodes.
func (c *Config) stageCost(evolution int) float64 {
	staged := evolution
	if first := c.firstBudget(); first > 0 {
		staged = c.plan(first).evolution
	}
	saved, begun := 0.0, 0
	for _, s := range c.stages(staged) {
		games := float64(min(s.end, evolution) - min(begun, evolution))
		saved += float64(games * (1 - float64(s.nodes)/float64(c.Nodes)))
		begun = s.end
	}
	return float64(evolution) - saved
}

// checkStages returns an error where the evolution cannot begin with FirstNodes.
func (c *Config) checkStages() error {
	switch {
	case c.FirstNodes < 0 || c.FirstNodes > c.Nodes:
		return fmt.Errorf("tuner: first-nodes: the evolution begins with %d nodes a move, outside [0, %d], the nodes at its end", c.FirstNodes, c.Nodes)
	case c.FirstNodes > 0 && c.Outside != nil:
		return fmt.Errorf("tuner: first-nodes: the evolution begins with %d nodes a move, but stages are for the weights of our own engine", c.FirstNodes)
	}
	return nil
}
