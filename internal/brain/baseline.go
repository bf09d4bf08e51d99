package brain

import (
	"context"
	"fmt"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
)

// NewBaseline returns a baseline as a gomocup.Engine; the seed is that of all its games.
func NewBaseline(p *player.Player, seed uint64) gomocup.Engine {
	return &baseline{player: p, seed: seed}
}

// baseline is a player of the literature as a gomocup.Engine.
type baseline struct {
	player *player.Player
	engine selfplay.Player
	size   int
	rule   pattern.Rule
	nodes  int64  // limit of engine, 0: none
	seed   uint64 // of all games
	games  uint64 // number of games begun: part of the seed, so that games differ
}

// NewGame prepares a player for the size and rule. Those that it does not play are an error, after which the game before goes on:
// a manager may take its rule back.
func (s *baseline) NewGame(size int, rule pattern.Rule) error {
	next := *s
	next.size, next.rule = size, rule
	next.games++
	if err := next.open(); err != nil {
		return err
	}
	*s = next
	return nil
}

// open makes the player for the current game. On an error nothing changes.
func (s *baseline) open() error {
	engine, err := s.player.Open(s.size, s.rule, search.Limits{Nodes: s.nodes})
	if err != nil {
		return err
	}
	if err := engine.NewGame(s.seed + s.games<<32); err != nil {
		return err
	}
	s.engine = engine
	return nil
}

// Think returns the player's move: at the latest the best that it knows when the time of the move is
// over or ctx ends. One message tells what it took.
func (s *baseline) Think(ctx context.Context, p gomocup.Position, l gomocup.Limits, report func(string)) (board.Cell, error) {
	position, err := p.Board()
	if err != nil {
		return board.NoCell, err
	}
	if s.nodes != l.MaxNodes {
		s.nodes = l.MaxNodes
		if err := s.open(); err != nil {
			return board.NoCell, err
		}
	}
	start := time.Now()
	limits := limitsUnder(l, start)
	aim := limits.Time
	if limits.Optimum > 0 {
		aim = limits.Optimum
	}
	if aim > 0 {
		within, cancel := context.WithTimeout(ctx, aim)
		defer cancel()
		ctx = within
	}
	reply, err := s.engine.Move(ctx, position)
	if err != nil && ctx.Err() == nil {
		return board.NoCell, err
	}
	report(s.effort(reply.Nodes, time.Since(start)))
	return reply.Move, nil
}

// effort tells what a move took: "baseline:sjtu-mcts | 1000 play-outs | Time 12ms".
func (s *baseline) effort(nodes int64, took time.Duration) string {
	if s.player.Unit == "" {
		return fmt.Sprintf("%s | Time %dms", s.player.Name, took.Milliseconds())
	}
	return fmt.Sprintf("%s | %s %s | Time %dms", s.player.Name, kilo(nodes), s.player.Unit, took.Milliseconds())
}
