package gomocup

import (
	"context"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/swap2"
)

// swappingEngine is a fakeEngine that chooses under swap2.
type swappingEngine struct {
	fakeEngine
	choice swap2.Choice
}

func (e *swappingEngine) Swap2(_ context.Context, p Position, l Limits, report func(string)) (swap2.Choice, error) {
	report(describe(p, l))
	return e.choice, nil
}

func TestSwap2(t *testing.T) {
	three, five := "|6,7|7,7|8,8", "|6,7|7,7|8,8|9,9|5,5"
	moves := func(n int) (m []board.Cell) {
		for i := range n {
			m = append(m, board.At(i, 0))
		}
		return m
	}
	for name, c := range map[string]struct {
		stones string
		choice swap2.Choice
		want   string // "" for an ERROR
	}{
		"three moves":          {"", swap2.Choice{Moves: moves(3)}, "0,0 1,0 2,0"},
		"swap nothing":         {"", swap2.Choice{Swap: true}, ""},
		"two moves of three":   {"", swap2.Choice{Moves: moves(2)}, ""},
		"swap":                 {three, swap2.Choice{Swap: true}, "SWAP"},
		"stay":                 {three, swap2.Choice{Moves: moves(1)}, "0,0"},
		"put two":              {three, swap2.Choice{Moves: moves(2)}, "0,0 1,0"},
		"nothing":              {three, swap2.Choice{}, ""},
		"occupied":             {three, swap2.Choice{Moves: []board.Cell{board.At(7, 7)}}, ""},
		"the same twice":       {three, swap2.Choice{Moves: []board.Cell{board.At(0, 0), board.At(0, 0)}}, ""},
		"outside":              {three, swap2.Choice{Moves: []board.Cell{board.At(15, 7)}}, ""},
		"swap at five":         {five, swap2.Choice{Swap: true}, "SWAP"},
		"stay at five":         {five, swap2.Choice{Moves: moves(1)}, "0,0"},
		"two moves at five":    {five, swap2.Choice{Moves: moves(2)}, ""},
		"four stones":          {three + "|1,1", swap2.Choice{Swap: true}, ""},
		"a line with an owner": {"|6,7,1", swap2.Choice{Swap: true}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := &swappingEngine{fakeEngine: fakeEngine{quiet: true}, choice: c.choice}
			m := serve(t, e, ServeOptions{})
			m.send("START 15", "INFO rule 1")
			m.send(strings.Split("SWAP2BOARD"+c.stones+"|DONE", "|")...)
			m.expect("OK")
			got := m.next()
			for strings.HasPrefix(got, "MESSAGE") {
				got = m.next()
			}
			if got != c.want && (c.want != "" || !strings.HasPrefix(got, "ERROR ")) {
				t.Errorf("answer %q, not %q", got, c.want)
			}
			m.end()
		})
	}
}

// A SWAP2BOARD that is refused leaves the position as it was.
func TestRefusedSwap2Board(t *testing.T) {
	for name, e := range map[string]Engine{
		"one stone": &swappingEngine{fakeEngine: fakeEngine{quiet: true}}, "without support": &fakeEngine{quiet: true},
	} {
		t.Run(name, func(t *testing.T) {
			m := serve(t, e, ServeOptions{})
			m.send("START 15", "TURN 7,7", "SWAP2BOARD", "0,0", "DONE")
			m.expect("OK", "8,7")
			m.expectError("")
			m.send("TAKEBACK 8,7", "TAKEBACK 7,7")
			m.expect("OK", "OK")
			m.end()
		})
	}
}
