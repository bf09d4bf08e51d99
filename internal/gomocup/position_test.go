package gomocup

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"quintune/board"
	"quintune/pattern"
)

// Colours of BOARD are found by counting, whatever the numbers and the order.
func TestBoardColours(t *testing.T) {
	for name, c := range map[string]struct {
		lines  string
		toMove board.Colour
		stones string // colours in order
	}{
		"empty":               {"", board.Black, ""},
		"equal":               {"1,1,1|2,2,2", board.Black, "bw"},
		"equal, theirs first": {"2,2,2|1,1,1", board.Black, "wb"},
		"opponent first":      {"1,1,2|2,2,1|3,3,2", board.White, "bwb"},
		"out of order":        {"1,1,2|3,3,2|2,2,1", board.White, "bbw"},
		"only theirs":         {"1,1,2|2,2,2|3,3,2", board.White, "bbb"},
		"only ours":           {"1,1,1|2,2,1", board.Black, "bb"},
		"dead cells":          {"1,1,3|2,2,2|3,3,3", board.White, "b"},
	} {
		t.Run(name, func(t *testing.T) {
			e := &fakeEngine{quiet: true}
			m := serve(t, e, ServeOptions{})
			m.send("START 15")
			m.send(strings.Split("BOARD|"+c.lines+"|DONE", "|")...)
			m.expect("OK")
			if name == "dead cells" {
				m.expect("MESSAGE BOARD: dead cells are ignored, a move may go there")
			}
			m.expect("7,7")
			p := e.lastAsked()
			colours := ""
			for _, s := range p.Stones {
				colours += s.Colour.String()[:1]
			}
			if p.SideToMove != c.toMove || colours != c.stones {
				t.Errorf("%v to move, stones %q; want %v, %q", p.SideToMove, colours, c.toMove, c.stones)
			}
			b, err := p.Board()
			if err != nil || b.SideToMove() != c.toMove || b.Stones() != len(c.stones) {
				t.Errorf("board: %v, %v", b, err)
			}
			m.end()
		})
	}
}

// Stones may come in another order than they were played in, also where some of them would win without the others.
func TestStonesInAnotherOrder(t *testing.T) {
	for name, test := range map[string]struct {
		stones string // columns of Black's stones in a row, in order
		rule   pattern.Rule
		want   string // the board's moves, "" for an error
	}{
		"six, the end last":    {"abcdef", pattern.Standard, "a1b1c1d1f1e1"},
		"six, from the right":  {"fedcba", pattern.Standard, "f1e1d1c1a1b1"},
		"six, as it is played": {"abdefc", pattern.Standard, "a1b1d1e1f1c1"},
		"six, both ends last":  {"bcdeaf", pattern.Standard, "a1f1b1c1d1e1"},
		"ten":                  {"abcdefghij", pattern.Standard, "a1b1c1d1f1g1h1i1e1j1"},
		"five":                 {"abcdeg", pattern.Standard, ""},
		"six that win":         {"abcdef", pattern.Freestyle, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := Position{Size: 15, Rule: test.rule, SideToMove: board.White}
			for _, column := range test.stones {
				p.Stones = append(p.Stones, Stone{board.Black, board.At(int(column-'a'), 0)})
			}
			switch b, err := p.Board(); {
			case test.want == "":
				if err == nil || !strings.Contains(err.Error(), "the game is over (black wins)") {
					t.Errorf("error %v", err)
				}
			case err != nil:
				t.Error(err)
			default:
				if got := board.FormatMoves(b.Moves()); got != test.want || b.SideToMove() != board.White {
					t.Errorf("got %s, %v to move; want %s", got, b.SideToMove(), test.want)
				}
			}
		})
	}
}

func TestPositionThatIsNoGame(t *testing.T) {
	five := []Stone{}
	for x := range 5 {
		five = append(five, Stone{board.White, board.At(x, 0)})
	}
	for name, p := range map[string]Position{
		"size":          {Size: 4},
		"a row":         {Size: 15, Stones: five},
		"one cell":      {Size: 15, Stones: []Stone{{board.Black, board.At(1, 1)}, {board.White, board.At(1, 1)}}},
		"off the board": {Size: 5, Stones: []Stone{{board.Black, board.At(5, 1)}}},
	} {
		t.Run(name, func(t *testing.T) {
			if b, err := p.Board(); err == nil {
				t.Errorf("%+v became %v", p, b)
			}
		})
	}
}

// Where Black may not play on any empty cell, the game is a draw whatever the order of the stones.
func TestBlackWithoutAMove(t *testing.T) {
	p := Position{Size: 6, Rule: pattern.Renju, SideToMove: board.Black}
	for y, row := range []string{"XOXOXO", "OO_XOO", "XOXXXX", "OXXOXX", "OOXOOX", "XOXXXX"} {
		for x := range row {
			if colour := strings.IndexByte("XO", row[x]); colour >= 0 {
				p.Stones = append(p.Stones, Stone{board.Colour(colour), board.At(x, y)})
			}
		}
	}
	for _, colour := range []board.Colour{board.Black, board.White} {
		t.Run(colour.String()+" last", func(t *testing.T) {
			slices.SortStableFunc(p.Stones, func(a, b Stone) int {
				return strings.Compare(fmt.Sprint(a.Colour == colour), fmt.Sprint(b.Colour == colour))
			})
			if _, err := p.Board(); err == nil || !strings.Contains(err.Error(), "the game is over (draw)") {
				t.Errorf("%v is the last: error %v, want that the game is over (draw)", colour, err)
			}
		})
	}
}

func TestFullBoard(t *testing.T) {
	m := serve(t, &fakeEngine{quiet: true}, ServeOptions{})
	m.send("START 5", "BEGIN")
	m.expect("OK", "2,2")
	for i := 13; i < 36; i += 2 { // the engine fills from the centre, the opponent one ahead
		m.send("TURN " + formatCell(board.At(i%25%5, i%25/5)))
		if i+1 < 37 {
			m.expect(formatCell(board.At((i+1)%25%5, (i+1)%25/5)))
		}
	}
	m.send("BEGIN")
	m.expectError("the board is full")
	m.end()
}
