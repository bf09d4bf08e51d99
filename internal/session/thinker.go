package session

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"quintune/board"
	"quintune/internal/analysis"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/review"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
)

// Thinker finds moves for one seat or analysis at a time, with our own engine or with an opponent. An opponent keeps
// running from move to move. What the engine remembers belongs to one game and is forgotten with the next. It is safe
// for concurrent use: requests wait for each other.
type Thinker struct {
	options search.Options

	mu     sync.Mutex
	engine *search.Engine
	set    *weights.Set // of engine
	on     place        // of engine
	rival  selfplay.Player
	owner  rivalKey // of rival
	game   uint64   // that rival plays

	leaving sync.WaitGroup // rivals that are ended in the background, which an engine that does not listen makes seconds
}

// place is what an engine's memory belongs to.
type place struct {
	size int
	rule pattern.Rule
	game uint64
}

// rivalKey is what a rival was opened with.
type rivalKey struct {
	player *player.Player
	size   int
	rule   pattern.Rule
	limits search.Limits
}

// NewThinker returns a thinker whose engines have these options. They are made when they are needed.
func NewThinker(options search.Options) *Thinker { return &Thinker{options: options} }

// Thought is the move that a player chose, with what its search found.
type Thought struct {
	Move    board.Cell
	Scored  bool  // the player tells scores
	Score   int32 // points from the side that moves
	Depth   int   // plies
	Nodes   int64
	PV      []board.Cell // Move first; empty where the player tells none
	Elapsed time.Duration
}

// Move returns the move that the seat's player plays in an ongoing game. When ctx ends the error is the context's.
func (t *Thinker) Move(ctx context.Context, seat Seat, position *board.Board, game uint64) (Thought, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := ctx.Err(); err != nil { // it was cancelled while it waited for its turn
		return Thought{Move: board.NoCell}, err
	}
	start := time.Now()
	think := t.ownMove
	if seat.Player.Weights == nil {
		think = t.rivalMove
	}
	thought, err := think(ctx, seat, position, game)
	if err == nil {
		if err = position.Legal(thought.Move); err != nil {
			err = fmt.Errorf("illegal move: %w", err)
		}
	}
	thought.Elapsed = time.Since(start)
	if err != nil && ctx.Err() != nil {
		return thought, ctx.Err()
	}
	if err != nil {
		return thought, fmt.Errorf("%s: %w", seat.Player.Name, err)
	}
	return thought, nil
}

func (t *Thinker) ownMove(ctx context.Context, seat Seat, position *board.Board, game uint64) (Thought, error) {
	if err := t.prepare(seat.Player.Weights, position, game); err != nil {
		return Thought{}, err
	}
	r, err := t.engine.SearchLevel(ctx, position, seat.Strength.level(), seat.Strength.Limits(), game)
	if err != nil {
		return Thought{}, err
	}
	return Thought{Move: r.Best, Scored: true, Score: r.Score, Depth: r.Depth, Nodes: r.Nodes, PV: r.PV}, ctx.Err()
}

// prepare makes the engine one with the weights for the position's game.
func (t *Thinker) prepare(set *weights.Set, position *board.Board, game uint64) error {
	on := place{position.Size(), position.Rule(), game}
	if t.engine == nil {
		engine, err := search.NewEngine(set, on.size, on.rule, t.options)
		if err != nil {
			return err
		}
		t.engine, t.set, t.on = engine, set, on
		return nil
	}
	if t.set != set {
		t.engine.SetWeights(set)
		t.set = set
	}
	switch was := t.on; {
	case was.size != on.size || was.rule != on.rule:
		if err := t.engine.SetBoard(on.size, on.rule); err != nil {
			return err
		}
	case was.game != on.game:
		t.engine.NewGame()
	}
	t.on = on
	return nil
}

// rivalMove asks a player that is not our own engine.
func (t *Thinker) rivalMove(ctx context.Context, seat Seat, position *board.Board, game uint64) (Thought, error) {
	key := rivalKey{seat.Player, position.Size(), position.Rule(), seat.Strength.Limits()}
	if t.rival == nil || t.owner != key {
		if err := t.closeRival(); err != nil {
			return Thought{}, err
		}
		rival, err := key.player.Open(key.size, key.rule, key.limits)
		if err != nil {
			return Thought{}, err
		}
		t.rival, t.owner, t.game = rival, key, ^game
	}
	if t.game != game {
		if err := t.rival.NewGame(game); err != nil {
			return Thought{}, err
		}
		t.game = game
	}
	reply, err := t.rival.Move(ctx, position)
	if err != nil { // a late answer to this position is not to be taken for one to the next
		left := t.rival
		t.rival = nil
		t.leaving.Go(func() { _ = closePlayer(left) }) // the error of the move is the one to tell
		return Thought{Move: board.NoCell}, err
	}
	thought := Thought{Move: reply.Move, Nodes: reply.Nodes}
	if reply.Claim != 0 {
		thought.Scored, thought.Score = true, claimed(reply.Claim)
	}
	return thought, nil
}

// claimed returns the score of a claim, plies to the win or negative to the loss.
func claimed(plies int) int32 {
	plies = max(-search.MaxWin, min(plies, search.MaxWin))
	if plies > 0 {
		return search.Win - int32(plies)
	}
	return -search.Win - int32(plies)
}

// Claim tells the proven end that a score claims, as the end of a sentence: "" where it claims none, or the game is
// over with the move.
func Claim(score int32) string {
	switch plies := search.PliesToWin(score); {
	case plies > 1:
		return fmt.Sprintf(", and wins in %d plies", plies)
	case plies < 0:
		return fmt.Sprintf(", and loses in %d plies", -plies)
	}
	return ""
}

// Lines searches the best n moves of an ongoing game; see analysis.Lines.
func (t *Thinker) Lines(ctx context.Context, task Task, n int, report func(analysis.Report)) (analysis.Report, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.prepare(task.Weights, task.Position, task.Game); err != nil {
		return analysis.Report{}, err
	}
	return analysis.Lines(ctx, t.engine, task.Position, task.Limits, n, report), nil
}

// Task is a position to look at.
type Task struct {
	Weights  *weights.Set
	Position *board.Board
	Game     uint64
	Limits   search.Limits
}

// Solver looks for a forced win.
type Solver string

// The solvers: by continuous fours, and by continuous threats.
const (
	VCF Solver = "vcf"
	VCT Solver = "vct"
)

// Solve looks for a forced win of the side to move within the task's nodes and time. An unknown solver is an error.
func (t *Thinker) Solve(ctx context.Context, task Task, solver Solver) (search.Solution, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.prepare(task.Weights, task.Position, task.Game); err != nil {
		return search.Solution{}, err
	}
	if task.Limits.Time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, task.Limits.Time)
		defer cancel()
	}
	switch solver {
	case VCF:
		return t.engine.SolveVCF(ctx, task.Position, task.Limits.Nodes), nil
	case VCT:
		return t.engine.SolveVCT(ctx, task.Position, task.Limits.Nodes), nil
	}
	return search.Solution{}, fmt.Errorf("solver %.20q is not one of %s, %s", solver, VCF, VCT)
}

// Review goes through a game with the weights; id is that of the game in memory. See review.Game.
func (t *Thinker) Review(ctx context.Context, set *weights.Set, id uint64, game *record.Game, limits review.Limits, progress func(left int)) (*review.Review, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	empty, err := game.Board(0)
	if err != nil {
		return nil, err
	}
	if err := t.prepare(set, empty, id); err != nil {
		return nil, err
	}
	return review.Game(ctx, t.engine, set, game, limits, progress)
}

// Close ends the opponent that it runs.
func (t *Thinker) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.leaving.Wait()
	return t.closeRival()
}

func (t *Thinker) closeRival() error {
	rival := t.rival
	t.rival = nil
	return closePlayer(rival)
}

// closePlayer ends a player that has something to end.
func closePlayer(p selfplay.Player) error {
	if c, ok := p.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
