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

// Since returns the present state, and the rows after the row View.Last, oldest first; 0 for all that is kept.
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

// Values returns the tuned weights of the last closed generation. There are none before it, nor where its champion is
// not known.
func (h *History) Values() []run.Value {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := []run.Value{}
	if n := len(h.generations); n > 0 {
		for i, v := range h.generations[n-1].value.Values {
			list = append(list, run.Value{Parameter: h.weights[i], Now: v})
		}
	}
	return list
}

// Changes returns the values that differ from the start, the largest changes first.
func (h *History) Changes() []run.Value {
	list := slices.DeleteFunc(h.Values(), func(v run.Value) bool { return v.Now == v.Start })
	slices.SortStableFunc(list, func(a, b run.Value) int { return cmp.Compare(b.Distance(), a.Distance()) })
	return list
}
