package gomocup

import (
	"context"
	"fmt"
	"time"

	"quintune/board"
	"quintune/internal/swap2"
)

// search is one request to the engine under way.
type search struct {
	started time.Time
	time    time.Duration // that it has from started, or NoLimit
	cancel  context.CancelFunc
	done    chan reply // one reply, buffered
	closed  bool       // no more messages; guarded by answers.mu
	brief   bool       // messages wait for the end of the search, where the last is written
	last    string     // message that waits; guarded by answers.mu
}

// reply is what the engine came back with: a move, or a choice of swap2.
type reply struct {
	move   board.Cell
	choice *swap2.Choice
	err    error
}

// reply returns the channel of the answer; of no search it is one that never delivers.
func (t *search) reply() <-chan reply {
	if t == nil {
		return nil
	}
	return t.done
}

// think starts the engine on the position; ask is given what it needs.
func (s *session) think(c command, ask func(context.Context, Position, Limits, func(string)) reply) {
	limits := s.settings.limits(c.at)
	ctx, cancel := context.WithDeadline(s.ctx, limits.Started.Add(limits.MoveTime))
	t := &search{started: c.at, time: limits.MoveTime, cancel: cancel, done: make(chan reply, 1), brief: s.settings.brief}
	if s.ended {
		cancel()
		s.grace = time.After(s.options.Grace)
	}
	s.search = t
	position := s.pos.copied()
	go func() {
		t.done <- ask(ctx, position, limits, func(text string) { s.out.message(t, text) })
	}()
}

// thinkMove asks for a move in the position.
func (s *session) thinkMove(c command) {
	if s.pos.full() {
		s.out.refuse(fmt.Errorf("the board is full"))
		return
	}
	s.think(c, func(ctx context.Context, p Position, l Limits, report func(string)) reply {
		move, err := s.engine.Think(ctx, p, l, report)
		return reply{move: move, err: err}
	})
}

// finish answers with what the engine came back with.
func (s *session) finish(r reply) {
	t := s.search
	s.search = nil
	t.cancel()
	s.out.close(t)
	took := time.Since(t.started)
	s.settings.spend(took)
	s.settings.answered(took - t.time)
	switch {
	case r.err != nil:
		s.out.refuse(r.err)
	case r.choice != nil:
		if err := checkChoice(s.pos, *r.choice); err != nil {
			s.out.refuse(err)
			return
		}
		s.out.line("%s", formatChoice(*r.choice))
	default:
		s.play(r.move)
	}
}

// play puts the engine's move on the board and answers with it.
func (s *session) play(c board.Cell) {
	if err := s.pos.putChosen(c); err != nil {
		s.out.refuse(err)
		return
	}
	s.out.line("%s", formatCell(c))
}
