package cluster

import (
	"fmt"
	"slices"
	"strings"

	"quintune/selfplay"
)

// failure is a worker's result in which an engine from outside failed by chance.
type failure struct {
	worker, manner string
}

// failedByChance reports whether an engine from outside failed in a way that need not come again, such as a crash or a move too late.
// Then the result neither proves nor refutes another.
func failedByChance(r *selfplay.Result) bool {
	return slices.ContainsFunc(r.Games[:], func(g selfplay.Game) bool {
		if g.Fault == nil {
			return false
		}
		kind := selfplay.FaultKind(g.Fault)
		return kind != selfplay.FaultForbidden && selfplay.FaultCause(kind) != selfplay.FaultIllegal
	})
}

// mannerOf describes how the games of a result ended, without their moves: a failure by chance seldom comes at the same move again.
func mannerOf(r *selfplay.Result) string {
	var b strings.Builder
	for i := range r.Games {
		g := &r.Games[i]
		fmt.Fprintf(&b, "%v %d ", g.Outcome, g.Faulty)
		if g.Fault != nil {
			b.WriteString(selfplay.FaultKind(g.Fault))
		}
		b.WriteByte(';')
	}
	return b.String()
}

// failureCounts reports whether a worker's result counts in which an engine from outside failed by chance: where another worker's engine
// failed in the same way, or where this process is the only worker. Else it has another worker play the pair, or after two failures this
// process. A failure where there is a result already proves nothing, so this process makes the audit.
func (d *dispatcher) failureCounts(o *dispatch, index int, worker string, result *selfplay.Result) bool {
	if d.have[index] {
		if o.audit && !d.confirmed[index] {
			o.pairs = without(o.pairs, index)
			d.own.ask(index)
		}
		return false
	}
	before := d.failures[index]
	alike := func(f failure) bool { return f.worker != worker && f.manner == mannerOf(result) }
	if slices.ContainsFunc(before, alike) || worker == d.c.local && !d.c.queue.other(worker) {
		return true
	}
	d.failures[index] = append(before, failure{worker, mannerOf(result)})
	o.pairs = without(o.pairs, index)
	if len(before) > 0 {
		d.own.ask(index)
	} else {
		d.add(&dispatch{pairs: []int{index}, not: append(slices.Clone(d.not), worker)})
	}
	return false
}
