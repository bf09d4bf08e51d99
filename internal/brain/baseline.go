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

// NewGame prepares a player for the size and rule. Those that it does not play are an error.
func (s *baseline) NewGame(size int, rule pattern.Rule) error {
	s.size, s.rule = size, rule
	s.games++
	return s.open()
}

// open makes the player for the current game.
func (s *baseline) open() (err error) {
	if s.engine, err = s.player.Open(s.size, s.rule, search.Limits{Nodes: s.nodes}); err != nil {
		return err
	}
	return s.engine.NewGame(s.seed + s.games<<32)
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
	if limits.Soft > 0 {
		aim = limits.Soft
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
