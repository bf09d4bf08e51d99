package gomocup

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"quintune/board"
	"quintune/internal/swap2"
	"quintune/internal/text"
	"quintune/pattern"
)

// command is one line from the manager.
type command struct {
	text   string // the whole line, trimmed
	name   string // its first word in capitals
	args   string
	long   bool      // the line was cut
	at     time.Time // when it was read
	waited bool      // it came while the engine thought
}

func newCommand(text string, long bool, at time.Time) command {
	word, args := cutWord(text)
	return command{text: text, name: strings.ToUpper(word), args: args, long: long, at: at}
}

// immediate reports whether the command acts although the engine thinks.
func (c command) immediate() bool {
	switch c.name {
	case "INFO", "STOP", "YXSTOP":
		return true
	}
	return false
}

// interrupts reports whether the command ends a search before its time: by asking for the move, or by
// replacing the position that is thought about.
func (c command) interrupts() bool {
	switch c.name {
	case "STOP", "YXSTOP", "START", "RECTSTART", "RESTART", "BOARD", "YXBOARD", "SWAP2BOARD":
		return true
	}
	return false
}

// handler returns what a command does, nil for an unknown one. END is the reader's business.
func (s *session) handler(name string) func(command) {
	switch name {
	case "ABOUT":
		return s.about
	case "INFO":
		return s.info
	case "START":
		return s.start
	case "RECTSTART":
		return s.rectStart
	case "RESTART":
		return s.restart
	case "BEGIN":
		return s.begin
	case "TURN":
		return s.turn
	case "TAKEBACK":
		return s.takeBack
	case "BOARD", "YXBOARD", "SWAP2BOARD":
		return s.openBlock
	case "STOP", "YXSTOP":
		return func(command) { s.stop() }
	case "YXHASHCLEAR":
		return s.clearHash
	case "YXSHOWFORBID":
		return s.showForbidden
	case "PLAY":
		return func(command) { s.out.refuse(errors.New("PLAY: no move was suggested")) }
	}
	return nil
}

// handle does one command, or takes it as a line of the block that is open.
func (s *session) handle(c command) {
	do := s.handler(c.name)
	switch {
	case s.block != nil && c.name == "DONE":
		s.closeBlock()
	case s.block != nil && do == nil:
		s.block.add(c)
	case s.block != nil && c.name != "INFO":
		s.out.refuse(fmt.Errorf("%s was not ended by DONE", s.block.kind))
		s.block = nil
		do(c)
	case do == nil:
		s.out.line("UNKNOWN %s", text.ASCII(c.name, 40))
	case c.long && c.name != "INFO":
		s.out.refuse(fmt.Errorf("%s: the line is longer than %d bytes", c.name, maxLine))
	default:
		do(c)
	}
}

func (s *session) about(command) {
	a := s.options.About
	quoted := func(text string) string { return `"` + strings.ReplaceAll(text, `"`, `'`) + `"` }
	s.out.line("name=%s, version=%s, author=%s, country=%s, www=%s, email=%s",
		quoted(a.Name), quoted(a.Version), quoted(a.Author), quoted(a.Country), quoted(a.WWW), quoted(a.Email))
}

// info sets a value and never answers. A limit of no time is Piskvork's "move now".
func (s *session) info(c command) {
	s.settings.info(c.args)
	key, value := cutWord(c.args)
	if e, ok := s.engine.(WeightsLoader); ok && strings.EqualFold(key, "weights") {
		e.LoadWeights(value)
	}
	if strings.EqualFold(key, "timeout_turn") && s.settings.hurry() {
		s.stop()
	}
}

// start opens a new game. Managers name the rule after START, so that the one in force now may
// still change; ready asks the engine again.
func (s *session) start(c command) {
	size, err := strconv.Atoi(c.args)
	if err != nil {
		s.pos = Position{}
		s.out.refuse(fmt.Errorf("START wants a size, not %.40q", c.args))
		return
	}
	s.open(size)
}

// open opens a game on a board of a size that is played.
func (s *session) open(size int) {
	s.pos = Position{}
	if size < board.MinSize || size > board.MaxSize {
		// Piskvork offers its user a board of 20 when the text names that number.
		s.out.refuse(fmt.Errorf("size %d is outside %d to %d; 15 and 20 are usual", size, board.MinSize, board.MaxSize))
		return
	}
	rule := s.knownRule()
	err := s.newGame(size, rule)
	if err != nil && rule != pattern.Freestyle {
		err = s.newGame(size, pattern.Freestyle)
	}
	s.answer(err)
}

// knownRule returns the rule in force, freestyle for one that is not played. At START it may be that of the last game, so open falls
// back on freestyle, too, where the engine refuses it. ready then refuses either, unless another is named before.
func (s *session) knownRule() pattern.Rule {
	rule, err := ruleOf(s.settings.rule)
	if err != nil {
		return pattern.Freestyle
	}
	return rule
}

// newGame empties the board and tells the engine. After an error there is no board.
func (s *session) newGame(size int, rule pattern.Rule) error {
	s.pos = Position{}
	if err := s.engine.NewGame(size, rule); err != nil {
		return err
	}
	s.pos = Position{Size: size, Rule: rule}
	s.settings.newGame()
	return nil
}

// answer writes OK, or the error.
func (s *session) answer(err error) {
	if err != nil {
		s.out.refuse(err)
		return
	}
	s.out.line("OK")
}

// rectStart opens a game on a board that is square all the same. Others are refused, and the game
// under way is kept.
func (s *session) rectStart(c command) {
	v, err := parseInts(c.args, 2)
	switch {
	case err != nil:
		s.out.refuse(fmt.Errorf("RECTSTART wants a width and a height: %w", err))
	case v[0] != v[1]:
		s.out.refuse(fmt.Errorf("a board of %d by %d is not supported; square ones of %d to %d are, such as 20", v[0], v[1], board.MinSize, board.MaxSize))
	default:
		s.open(v[0])
	}
}

var errNoBoard = errors.New("there is no board: START comes first")

func (s *session) restart(command) {
	if s.pos.Size == 0 {
		s.out.refuse(errNoBoard)
		return
	}
	s.answer(s.newGame(s.pos.Size, s.knownRule()))
}

// ready makes sure that a move can be asked for: a board, a rule that is played and known to the engine. Held-back
// complaints about other settings become messages.
func (s *session) ready() error {
	if s.pos.Size == 0 {
		return errNoBoard
	}
	others, unknownRule := s.settings.complaints()
	for _, err := range others {
		s.out.line("MESSAGE INFO ignored: %v", err)
	}
	if unknownRule != nil {
		return unknownRule
	}
	rule, err := ruleOf(s.settings.rule)
	if err != nil || rule == s.pos.Rule {
		return err
	}
	if err := s.engine.NewGame(s.pos.Size, rule); err != nil {
		return err
	}
	s.pos.Rule = rule
	return nil
}

// begin asks for the first move; of a board that holds stones already, for the next.
func (s *session) begin(c command) {
	if err := s.ready(); err != nil {
		s.out.refuse(err)
		return
	}
	s.thinkMove(c)
}

func (s *session) turn(c command) {
	cell, err := s.cellOf(c)
	if err == nil {
		err = s.pos.put(cell)
	}
	if err != nil {
		s.out.refuse(err)
		return
	}
	s.thinkMove(c)
}

// cellOf returns the cell that TURN names, when a move may be asked for.
func (s *session) cellOf(c command) (board.Cell, error) {
	if err := s.ready(); err != nil {
		return board.NoCell, err
	}
	return parseCell(c.args, s.pos.Size)
}

func (s *session) takeBack(c command) {
	if s.pos.Size == 0 {
		s.out.refuse(errNoBoard)
		return
	}
	cell, err := parseCell(c.args, s.pos.Size)
	if err == nil {
		err = s.pos.take(cell)
	}
	s.answer(err)
}

// clearHash has no answer, as in Yixin's protocol.
func (s *session) clearHash(command) {
	if e, ok := s.engine.(HashClearer); ok {
		e.ClearHash()
	}
}

// showForbidden answers with the cells that the rule forbids to Black, as in Yixin's protocol: two
// digits for each column and row, a full stop at the end.
func (s *session) showForbidden(command) {
	err := s.ready()
	var position *board.Board
	if err == nil {
		position, err = s.pos.Board()
	}
	if err != nil {
		s.out.refuse(err)
		return
	}
	var cells strings.Builder
	for _, c := range position.AllForbidden(nil) {
		fmt.Fprintf(&cells, "%02d%02d", c.X(), c.Y())
	}
	s.out.line("FORBID %s.", cells.String())
}

// swap2 replaces the position and asks an engine that can for its opening choice.
func (s *session) swap2(opened command, next Position) {
	e, ok := s.engine.(Swap2Engine)
	if !ok {
		s.out.refuse(errors.New("SWAP2BOARD is not supported"))
		return
	}
	if _, err := swap2.PhaseWith(len(next.Stones)); err != nil {
		s.out.refuse(err)
		return
	}
	s.pos = next
	s.think(opened, func(ctx context.Context, p Position, l Limits, report func(string)) reply {
		choice, err := e.Swap2(ctx, p, l, report)
		return reply{choice: &choice, err: err}
	})
}
