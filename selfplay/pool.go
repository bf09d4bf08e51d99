package selfplay

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"quintune/board"
)

// Pool is the Runner that plays on this machine. It has a fixed number of workers. Each worker allocates its
// board and two engines once.
type Pool struct {
	workers int
	idle    chan *worker // workers that are not in use between batches
	busy    atomic.Int64 // nanoseconds that workers spent on pairs
	live    atomic.Pointer[Live]

	// Begun, if not nil, is called before each pair is played, by all workers at the same time. It must
	// be set before the first batch.
	Begun func(batch *Batch, index int)
}

// NewPool returns a pool of at least one worker.
func NewPool(workers int) *Pool {
	workers = max(1, workers)
	p := &Pool{workers: workers, idle: make(chan *worker, workers)}
	for i := range workers {
		p.idle <- &worker{name: fmt.Sprintf("worker %d", i+1)}
	}
	return p
}

// Workers returns the number of workers.
func (p *Pool) Workers() int { return p.workers }

// Busy returns the time that all workers together have spent on pairs.
func (p *Pool) Busy() time.Duration { return time.Duration(p.busy.Load()) }

// Run plays the batch; see Runner. Batches that run together share the workers: each worker plays pairs of one batch until
// none is left to begin, and each batch calls its own done from one goroutine at a time.
func (p *Pool) Run(ctx context.Context, batch *Batch, done func(int, *Result)) ([]Result, error) {
	if err := batch.Check(); err != nil {
		return nil, err
	}
	results := make([]Result, len(batch.Pairings))
	var next atomic.Int64
	var reporting sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	for k := range min(p.workers, max(1, len(batch.Pairings))) {
		group.Go(func() error {
			var w *worker
			select {
			case w = <-p.idle:
			case <-ctx.Done(): // other batches may keep all workers for long
				return ctx.Err()
			}
			defer func() { p.idle <- w }()
			w.live = nil
			if k == 0 {
				w.live = &p.live
			}
			defer w.closePlayers()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(results) {
					return nil
				}
				if p.Begun != nil {
					p.Begun(batch, i)
				}
				start := time.Now()
				r, err := w.result(ctx, batch, &batch.Pairings[i])
				p.busy.Add(int64(time.Since(start)))
				if err != nil {
					return err
				}
				r.Worker = w.name
				results[i] = r
				if done != nil {
					reporting.Lock()
					done(i, &results[i])
					reporting.Unlock()
				}
			}
		})
	}
	return results, group.Wait()
}

// worker plays pairs one after the other.
type worker struct {
	name    string
	board   *board.Board
	engines [2]*Engine     // for the pair's A and B
	others  map[int]Player // [2*contestant + side], for the current batch

	liablePlayers [2]openPlayer // [side]: opened last, for the current batch

	live *atomic.Pointer[Live] // where games are published; nil: nowhere
}

// result does what the batch asks for with a pairing: a search, or a pair of games.
func (w *worker) result(ctx context.Context, batch *Batch, pairing *Pairing) (Result, error) {
	if batch.Search {
		return w.search(ctx, batch, pairing)
	}
	return w.fairPair(ctx, batch, pairing)
}

// fairPair plays a pairing, and repeats it once if a player failed.
func (w *worker) fairPair(ctx context.Context, batch *Batch, pairing *Pairing) (Result, error) {
	first, err := w.pair(ctx, batch, pairing)
	if err != nil || !first.Void() {
		return first, err
	}
	second, err := w.pair(ctx, batch, pairing)
	second.answer(batch, pairing)
	second.Discarded = first.Games[:]
	return second, err
}

// search searches the position after the opening of a pairing, with an empty memory.
func (w *worker) search(ctx context.Context, batch *Batch, pairing *Pairing) (r Result, err error) {
	if err := w.prepare(batch); err != nil {
		return r, err
	}
	e, err := w.engine(0, pairing.A, batch)
	if err != nil {
		return r, err
	}
	if err := begin(w.board, pairing.Opening); err != nil {
		return r, err
	}
	if outcome := w.board.Outcome(); outcome != board.Ongoing {
		return r, fmt.Errorf("selfplay: opening %s: %w (%v)", board.FormatMoves(pairing.Opening), board.ErrGameOver, outcome)
	}
	found := e.engine.Search(ctx, w.board, e.limits, nil)
	r.Games[0] = Game{Moves: append(slices.Clone(pairing.Opening), found.Best), Score: found.Score, Nodes: found.Nodes}
	return r, ctx.Err()
}

// prepare provides a board for the batch.
func (w *worker) prepare(batch *Batch) (err error) {
	if w.board == nil || w.board.Size() != batch.Size || w.board.Rule() != batch.Rule {
		if w.board, err = board.New(batch.Size, batch.Rule); err != nil {
			return err
		}
		w.engines = [2]*Engine{}
	}
	return nil
}

// pair plays both games of a pairing.
func (w *worker) pair(ctx context.Context, batch *Batch, pairing *Pairing) (r Result, err error) {
	if err := w.prepare(batch); err != nil {
		return r, err
	}
	var players [2]Player
	for side, index := range [2]int{pairing.A, pairing.B} {
		if players[side], err = w.player(side, index, batch); err != nil {
			return r, err
		}
		if w.live != nil {
			players[side] = shown{players[side], w.live}
		}
	}
	for game := range r.Games {
		if r.Games[game], err = play(ctx, w.board, players, pairing, batch.PlayOut); err != nil {
			return r, err
		}
		players[0], players[1] = players[1], players[0]
	}
	return r, nil
}

// player returns the contestant's player for one side of a pair. The two sides never share an engine, even when
// a contestant plays against itself.
func (w *worker) player(side, index int, batch *Batch) (Player, error) {
	c := &batch.Contestants[index]
	switch {
	case c.Weights != nil:
		return w.engine(side, index, batch)
	case c.Liable:
		return w.liable(side, index, batch)
	}
	return w.other(side, index, batch)
}

// engine returns our own engine for one side of a pair, with the weights of the contestant.
func (w *worker) engine(side, index int, batch *Batch) (*Engine, error) {
	c := &batch.Contestants[index]
	if w.engines[side] == nil {
		e, err := NewEngine(c.Weights, batch.Size, batch.Rule, batch.Nodes, 0)
		if err != nil {
			return nil, err
		}
		w.engines[side] = e
	}
	w.engines[side].limits.Nodes = batch.Nodes
	w.engines[side].SetWeights(c.Weights)
	return w.engines[side], nil
}

// openPlayer is an open player and its contestant.
type openPlayer struct {
	contestant int
	player     Player // nil: not open
}

// liable returns the player of a liable contestant. A batch may have hundreds of them, so each side keeps only
// one open.
func (w *worker) liable(side, index int, batch *Batch) (Player, error) {
	c, last := &batch.Contestants[index], &w.liablePlayers[side]
	if last.player != nil && last.contestant == index {
		return last.player, nil
	}
	closePlayer(last.player)
	last.player = nil
	p, err := c.Open(batch.Size, batch.Rule, batch.Nodes)
	if err == nil {
		*last = openPlayer{index, p}
	}
	return p, err
}

// other returns the open player of a contestant that is neither weights nor liable, and opens it first where needed.
func (w *worker) other(side, index int, batch *Batch) (Player, error) {
	key := 2*index + side
	if p, ok := w.others[key]; ok {
		return p, nil
	}
	p, err := batch.Contestants[index].Open(batch.Size, batch.Rule, batch.Nodes)
	if err != nil {
		return nil, err
	}
	if w.others == nil {
		w.others = map[int]Player{}
	}
	w.others[key] = p
	return p, nil
}

// closePlayers closes the players of other kinds; they are used for one batch only.
func (w *worker) closePlayers() {
	for _, p := range w.others {
		closePlayer(p)
	}
	for _, open := range w.liablePlayers {
		closePlayer(open.player)
	}
	w.others, w.liablePlayers = nil, [2]openPlayer{}
}

// closePlayer closes a player; nil is allowed. The games are over, and Close kills a process that does not end,
// so errors are ignored.
func closePlayer(p Player) {
	if c, ok := p.(io.Closer); ok {
		_ = c.Close()
	}
}
