package fit

import (
	"cmp"
	"context"
	"slices"

	"quintune/pattern"
	"quintune/selfplay"
	"quintune/weights"
)

// Labeller makes labels for positions of games: Search finds the score and the best move of each, and Label converts them. One
// Labeller serves several goroutines, as long as each has positions of its own.
type Labeller struct {
	Set   *weights.Set // of the search
	Size  int          // cells on a side
	Rule  pattern.Rule
	Nodes int64 // limit of the search of one position

	Version int // version of the fit that the labels are for
}

// mostSearched is the greatest number of positions in one batch, so that a batch takes little memory.
const mostSearched = 16_384

// Search sets Best and Score of each chosen position to what a search of it finds. Every search begins with an empty memory,
// so results do not depend on the runner, which may be a cluster. What kept holds is not searched again, and what is found is
// added to it; nil keeps nothing. done is called after each search, by one goroutine at a time. An error of the runner or of
// kept ends it, with some positions not set.
func (l *Labeller) Search(ctx context.Context, runner selfplay.Runner, games []Played, chosen []Scored, kept *Kept, done func()) error {
	var left []int
	for i := range chosen {
		if !kept.get(i, &chosen[i]) {
			left = append(left, i)
		}
	}
	for part := range slices.Chunk(left, mostSearched) {
		if err := l.searchPart(ctx, runner, games, chosen, part, kept, done); err != nil {
			return err
		}
	}
	return nil
}

// searchPart searches the positions with the given places among the chosen ones.
func (l *Labeller) searchPart(ctx context.Context, runner selfplay.Runner, games []Played, chosen []Scored, part []int, kept *Kept, done func()) error {
	batch := &selfplay.Batch{
		Contestants: []selfplay.Contestant{{Weights: l.Set}}, Rule: l.Rule, Size: l.Size, Nodes: l.Nodes, Search: true, Purpose: "labels",
	}
	for _, i := range part {
		batch.Pairings = append(batch.Pairings, selfplay.Pairing{Opening: games[chosen[i].Game].Moves[:chosen[i].Ply]})
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var failure error // the first one: where the disk is full, all others would be the same
	_, err := runner.Run(ctx, batch, func(k int, r *selfplay.Result) {
		if failure != nil {
			return
		}
		scored, found := &chosen[part[k]], &r.Games[0]
		scored.Best, scored.Score = found.Moves[len(found.Moves)-1], found.Score
		if failure = kept.put(part[k], scored); failure != nil {
			stop()
			return
		}
		done()
	})
	return cmp.Or(failure, err)
}
