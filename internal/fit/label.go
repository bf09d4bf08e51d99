package fit

import (
	"fmt"
	"slices"

	"quintune/board"
	"quintune/evaluator"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/weights"
)

// Played is one game to take positions from.
type Played struct {
	Moves   []board.Cell
	Opening int // plies of the opening
	Outcome board.Outcome
}

// Scored is a position that was taken from a game, with the score of a search.
type Scored struct {
	Game  int // place in the list of games
	Ply   int // moves made
	Score int32
}

// perGame is how many positions are taken from a game at the most: neighbours say the same.
const perGame = 5

// Choose returns the positions that say something: at most five a game, none of the opening, none with a forced
// win on the board. They are drawn by the seed and the purpose; Score is left to the caller.
func Choose(games []Played, size int, rule pattern.Rule, seed uint64, purpose string) ([]Scored, error) {
	position, err := board.New(size, rule)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	var list []Scored
	for i, g := range games {
		var quiet []int
		position.Reset()
		for ply, m := range g.Moves {
			if ply > g.Opening && !decided(position) {
				quiet = append(quiet, ply)
			}
			position.Play(m)
		}
		rng := stream.New(seed, "positions of %s, game %d", purpose, i)
		rng.Shuffle(len(quiet), func(a, b int) { quiet[a], quiet[b] = quiet[b], quiet[a] })
		quiet = quiet[:min(perGame, len(quiet))]
		slices.Sort(quiet)
		for _, ply := range quiet {
			list = append(list, Scored{Game: i, Ply: ply})
		}
	}
	return list, nil
}

// decided says whether one side can make a five or an open four at once.
func decided(position *board.Board) bool {
	for _, colour := range [2]board.Colour{board.Black, board.White} {
		counts := position.Counts(colour)
		if counts[pattern.CellFive] > 0 || counts[pattern.CellOpenFour] > 0 {
			return true
		}
	}
	return false
}

// resultShare is the part of the game's result in a label; the rest is the search's score.
const resultShare = .5

// Label returns the positions with their features and labels. The scale that turns a search's score into
// an expected result is the one that predicts the results of these games best.
func Label(games []Played, scored []Scored, size int, rule pattern.Rule) ([]Position, error) {
	position, err := board.New(size, rule)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	reader := newReader(size, rule)
	list := make([]Position, len(scored))
	for i, s := range scored {
		g := &games[s.Game]
		position.Reset()
		for _, m := range g.Moves[:s.Ply] {
			position.Play(m)
		}
		list[i] = Position{Game: s.Game, Features: reader.features(position), Label: points(g.Outcome, position.SideToMove())}
	}
	if len(list) == 0 {
		return nil, nil
	}
	scale := bestScale(func(scale float64) float64 {
		sum := 0.0
		for i := range list {
			sum += crossEntropy(float64(scored[i].Score)/scale, list[i].Label)
		}
		return sum
	})
	for i := range list {
		searched := logistic(float64(scored[i].Score) / scale)
		list[i].Label = float64(resultShare*list[i].Label) + float64((1-resultShare)*searched)
	}
	return list, nil
}

// points returns the points of a side, 0 to 1.
func points(outcome board.Outcome, side board.Colour) float64 {
	switch outcome {
	case board.WinFor(side):
		return 1
	case board.WinFor(side.Other()):
		return 0
	}
	return .5
}

// reader reads the features of positions.
type reader struct {
	tables *evaluator.Tables
	place  map[string]uint16 // of a weight in the declaration
}

func newReader(size int, rule pattern.Rule) *reader {
	r := &reader{place: map[string]uint16{}}
	ones := weights.New("ones", rule, size) // a weight of zero is left out of an explanation
	for i, d := range weights.Declarations() {
		r.place[d.Name] = uint16(i)
		ones.Values[i] = 1
	}
	r.tables = evaluator.Compile(ones)
	return r
}

// features returns how often each weight applies.
func (r *reader) features(position *board.Board) []Feature {
	terms := evaluator.NewState(position, r.tables).Explain()
	list := make([]Feature, len(terms))
	for i, t := range terms {
		list[i] = Feature{r.place[t.Weight], int16(t.Count)}
	}
	return list
}
