package baseline

import (
	"quintune/board"
	"quintune/pattern"
)

// huangKind is what a cell makes for a side, strongest first: the author's lists of candidates.
type huangKind uint8

const (
	huangFive huangKind = iota
	huangLiveFour
	huangFlushFour
	huangDoubleThree
	huangThree
	huangTwo // a sleep three too: its score lies there
	huangOne
	huangKinds
)

// huangCandidate is a cell in its list.
type huangCandidate struct {
	cell        board.Cell
	kind        huangKind
	own         bool // what it makes is the mover's
	best, total int  // the best line of either side, and all lines of both; points
}

// candidates returns the moves that are looked at for a side, best first: those of a five or a live
// four where there are any, ours before theirs; otherwise the lists one after the other, cut at the
// limit.
func (h *huang) candidates(side board.Colour) []huangCandidate {
	var lists [huangKinds][2][]huangCandidate // [kind][0: the mover's, 1: the opponent's]
	scores := huangScores()
	h.eachClose(func(c board.Cell) {
		ours, theirs := h.kind(c, side), h.kind(c, side.Other())
		candidate := huangCandidate{cell: c, kind: min(ours, theirs), own: ours <= theirs}
		if candidate.kind == huangKinds {
			return
		}
		best, total := h.score(c, side, &scores)
		otherBest, otherTotal := h.score(c, side.Other(), &scores)
		candidate.best, candidate.total = max(best, otherBest), total+otherTotal
		whose := 1
		if candidate.own {
			whose = 0
		}
		lists[candidate.kind][whose] = h.limits.ratio.insert(lists[candidate.kind][whose], candidate)
	})
	var all []huangCandidate
	for kind := range lists {
		for _, list := range lists[kind] {
			if len(list) > 0 && huangKind(kind) <= huangLiveFour {
				return list[:min(len(list), h.limits.candidates)]
			}
			all = append(all, list...)
		}
	}
	return all[:min(len(all), h.limits.candidates)]
}

// kind returns the list of a cell by what a colour makes there, huangKinds where that is nothing.
func (h *huang) kind(c board.Cell, colour board.Colour) huangKind {
	strongest, threes := pattern.Dead, 0
	for d := range 4 {
		line := h.position.Line(colour, d, c)
		strongest = max(strongest, line)
		if line == pattern.OpenThree || line == pattern.OpenThree2 {
			threes++
		}
	}
	switch {
	case strongest == pattern.Five:
		return huangFive
	case strongest == pattern.OpenFour:
		return huangLiveFour
	case strongest == pattern.Four:
		return huangFlushFour
	case threes >= 2:
		return huangDoubleThree
	case threes == 1:
		return huangThree
	case strongest >= pattern.OpenTwo:
		return huangTwo
	case strongest > pattern.Dead:
		return huangOne
	}
	return huangKinds
}

// huangRatio is the factor within which two scores are equal, per cent.
type huangRatio int

// insert puts a candidate behind those that are not worse. The comparison is not an order, for equality
// within a factor does not carry over; so it matters that the way of sorting is laid down.
func (r huangRatio) insert(list []huangCandidate, c huangCandidate) []huangCandidate {
	at := len(list)
	for at > 0 && r.better(&c, &list[at-1]) {
		at--
	}
	list = append(list, c)
	copy(list[at+1:], list[at:])
	list[at] = c
	return list
}

// better compares by best line, then by all lines.
func (r huangRatio) better(a, b *huangCandidate) bool {
	if !r.equal(a.best, b.best) {
		return a.best > b.best
	}
	return r.greater(a.total, b.total)
}

// equal reports whether two scores are within the author's factor of 1.4: b/1.4 ≤ a ≤ 1.4 b, mirrored below
// 0. He takes 0.01 for a b of 0, which no whole number equals.
func (r huangRatio) equal(a, b int) bool {
	if b < 0 {
		a, b = -a, -b
	}
	return b > 0 && 100*b <= int(r)*a && 100*a <= int(r)*b
}

// greater reports whether a is greater by more than the factor: a ≥ (b + 0.1)·1.4 where b is not negative, a ≥
// (b + 0.1)/1.4 otherwise.
func (r huangRatio) greater(a, b int) bool {
	if b >= 0 {
		return 1000*a >= int(r)*(10*b+1)
	}
	return int(r)*a >= 100*b+10
}
