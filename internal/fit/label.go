package fit

import (
	"context"
	"fmt"
	"math"
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

// Scored is a position of a game, with the result of a search.
type Scored struct {
	Game  int        `json:"game"` // place in the list of games
	Ply   int        `json:"ply"`  // moves made
	Best  board.Cell `json:"best"`
	Score int32      `json:"score"` // points from the side to move, or a proven end
}

// perGame is the greatest number of positions taken from a game; neighbouring positions are too similar.
const perGame = 5

// Choose returns useful positions: at most perGame of a game, none of the opening, none in which a five or an
// open four can be made. They are chosen at random by the seed and the purpose. They have no search results yet.
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
			if ply > g.Opening && position.Quiet() {
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

// certain is the label of a win that the search sees. It is not quite 1, so that no position pulls without bound
// (docs/results/fit.md).
const certain = .97

// Label returns the positions with their features and labels. A label has two parts. One is the score that the search
// expects, converted to expected points; the scale of this conversion is the one that predicts the results of these games
// best. The other is the result of the game, where the scores tell little. R² is the part of the results' entropy that they
// explain: McFadden's pseudo-R² over even chances. With R = 0 a label is the result, and from telling on it is the score
// (docs/results/fit.md).
//
// A win or loss that the search sees is nearly certain, whatever the scale is. Such positions teach most where
// the static score does not show the end. A ctx that is done is an error.
func (l *Labeller) Label(ctx context.Context, games []Played, scored []Scored) ([]Position, error) {
	position, err := board.New(l.Size, l.Rule)
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	scale, loss := scaleOf(games, scored)
	share := 0.0
	if l.Version >= resultsCount {
		share = resultShare(loss)
	}
	most := certain // a variable: of constants, 1-most would be exactly .03, and the last bit of labels another
	reader := newReader(l.Size, l.Rule)
	list := make([]Position, len(scored))
	for i, s := range scored {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		position.Reset()
		for _, m := range games[s.Game].Moves[:s.Ply] {
			position.Play(m)
		}
		expected := max(1-most, min(most, logistic(float64(s.Score)/scale)))
		result := points(games[s.Game].Outcome, board.Colour(s.Ply%2))
		list[i] = Position{
			Game: s.Game, Features: reader.features(position), Label: float64((1-share)*expected) + float64(share*result),
		}
		list[i].Moves, list[i].Best = reader.moves(position, s.Best)
	}
	return list, nil
}

// telling is the R, see Label, of scores that need no results beside them: those of the preset huang have .40, and results gain nothing there.
const telling = .35

// resultShare returns the share of the game's result in a label. loss is the mean cross entropy of the results by the scores.
func resultShare(loss float64) float64 {
	r := math.Sqrt(max(0, 1-loss/math.Ln2))
	return max(0, 1-r/telling)
}

// scaleOf returns the scale, points of one unit of the logit, at which the scores predict the results of the games best, and
// the mean cross entropy of the results there, nats: ln 2 where the scores say nothing. Ends that the search sees do not count.
func scaleOf(games []Played, scored []Scored) (scale, loss float64) {
	unproven := slices.DeleteFunc(slices.Clone(scored), func(s Scored) bool {
		return s.Score > evaluator.MaxScore || s.Score < -evaluator.MaxScore
	})
	if len(unproven) == 0 {
		return mostScale, math.Ln2
	}
	sum := func(scale float64) (sum float64) {
		for _, s := range unproven {
			sum += crossEntropy(float64(s.Score)/scale, points(games[s.Game].Outcome, board.Colour(s.Ply%2)))
		}
		return sum
	}
	scale = bestScale(sum)
	return scale, sum(scale) / float64(len(unproven))
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
	place  map[string]uint16 // index of a weight in the declaration, by name
	order  [pattern.NumLaws][weights.NumColumns][pattern.NumLines]uint16
	kinds  []Move // of the last position; a fit holds hundreds of thousands, each with a copy without spare room
}

func newReader(size int, rule pattern.Rule) *reader {
	r := &reader{place: map[string]uint16{}}
	ones := weights.New("ones", rule, size) // a weight of zero is left out of an explanation
	for i, d := range weights.Declarations() {
		r.place[d.Name] = uint16(i)
		ones.Values[i] = 1
	}
	for law := range pattern.Law(pattern.NumLaws) {
		for line := range pattern.LineClass(pattern.NumLines) {
			name := weights.Prefix(law) + "order." + line.String()
			r.order[law][weights.Self][line] = r.place[name+".self"]
			r.order[law][weights.Opponent][line] = r.place[name+".opponent"]
		}
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

// moves returns the moves near the stones, with moves that have equal features listed once, and the index of the best.
func (r *reader) moves(position *board.Board, best board.Cell) ([]Move, int) {
	mover, rule := position.SideToMove(), position.Rule()
	laws := [2]pattern.Law{board.Black: rule.Black(), board.White: rule.White()}
	list, at := r.kinds[:0], -1
	for _, c := range position.Near(nil) {
		var m Move
		for column, colour := range []board.Colour{weights.Self: mover, weights.Opponent: mover.Other()} {
			lines := laws[colour].Combined().Lines[position.Entry(colour, c).Code()] // in their order: moves alike compare equal
			for d, line := range lines {
				m.Weights[4*column+d] = r.order[laws[colour]][column][line]
			}
		}
		i := slices.IndexFunc(list, func(other Move) bool { return other.Weights == m.Weights })
		if i < 0 {
			i = len(list)
			list = append(list, m)
		}
		list[i].Count++
		if c == best {
			at = i
		}
	}
	r.kinds = list
	return slices.Clone(list), at
}
