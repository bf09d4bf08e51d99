package progress

import (
	"cmp"
	"slices"

	"quintune/internal/run"
)

// View is what is new of a history since a reader looked last.
type View struct {
	Now         run.Event
	Generations []run.Generation
	Curve       []run.Point
	Games       []run.Game
	Last        int // for the next call of Since
}

// Since returns the present state, and the rows after the one that View.Last named, by age; 0
// for all that is kept.
func (h *History) Since(last int) View {
	h.mu.Lock()
	defer h.mu.Unlock()
	return View{
		Now: h.now, Last: h.rows,
		Generations: after(h.generations, last), Curve: after(h.curve, last), Games: after(h.games, last),
	}
}

// Now returns the present state.
func (h *History) Now() run.Event {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// after returns the values of the rows after a number.
func after[T any](rows []row[T], last int) []T {
	first, _ := slices.BinarySearchFunc(rows, last+1, func(r row[T], number int) int { return cmp.Compare(r.number, number) })
	list := make([]T, 0, len(rows)-first)
	for _, r := range rows[first:] {
		list = append(list, r.value)
	}
	return list
}

// Change is how far a weight has come from its start.
type Change struct {
	Weight
	Value    float64
	distance float64 // see run.Parameter.Distance
}

// Factor returns the value by the start, false where that says nothing.
func (c *Change) Factor() (float64, bool) {
	if c.Start > 0 && c.Value > 0 {
		return c.Value / c.Start, true
	}
	return 0, false
}

// Changes returns the weights of the last closed generation that differ from the start, the largest changes first.
func (h *History) Changes() []Change {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.generations) == 0 {
		return nil
	}
	values := h.generations[len(h.generations)-1].value.Values
	var list []Change
	for i, v := range values { // none of a generation whose champion is not known
		if w := h.weights[i]; v != w.Start {
			list = append(list, Change{w, v, h.parameters[i].Distance(v)})
		}
	}
	slices.SortStableFunc(list, func(a, b Change) int { return cmp.Compare(b.distance, a.distance) })
	return list
}
