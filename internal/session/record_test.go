package session_test

import (
	"bytes"
	"errors"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"quintune/board"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/pattern"
	"quintune/search"
)

func TestRecordRoundTrip(t *testing.T) {
	g := begin(t, pattern.Standard, "h8i9h9h10")
	g.Eval(0, nil, search.Win-5, 4) // of the best first move, not of the one that was played
	g.Eval(1, nil, 8-search.Win, 4)
	g.Eval(2, nil, -300, 4)
	g.Eval(3, nil, search.Win-7, 4)
	g.Eval(4, nil, 1<<27+1, 4) // expected, not proven: nothing to write down
	g.Spent(1500 * time.Millisecond)
	if err := g.GoTo(4); err != nil {
		t.Fatal(err)
	}
	written := g.Record()
	if written.Players != [2]string{"human", "huang, 300 nodes"} || *written.Moves[1].Score != 300 || written.Moves[3].Time != 1500*time.Millisecond {
		t.Errorf("written is %+v, want human against huang, 300 nodes, a score of 300 for move 2 and 1.5 s for move 4", written)
	}
	for i, want := range []int{9, 0, -8, 0} {
		if m := written.Moves[i]; m.Win != want || i != 1 && m.Score != nil {
			t.Errorf("move %d: %+v, want a win in %d plies", i+1, m, want)
		}
	}
	var text bytes.Buffer
	if err := record.Write(&text, record.SGF, written); err != nil {
		t.Fatal(err)
	}
	read, err := record.Parse(text.Bytes(), record.Detect(text.Bytes()), record.DefaultConditions())
	if err != nil {
		t.Fatal(err)
	}
	again, err := session.FromRecord(2, &read[0])
	if err != nil {
		t.Fatal(err)
	}
	if on(again) != on(g) || again.Board().Rule() != pattern.Standard || !again.Seats[board.White].Person() {
		t.Errorf("%s becomes %s under %v, want the same under standard, with people on both seats", on(g), on(again), again.Board().Rule())
	}
	for i, want := range []session.Judgement{{}, {Known: true, Score: search.Win - 8}, {Known: true, Score: -300}, {Known: true, Score: 7 - search.Win}, {}} {
		if got := again.Judgements()[i]; got != want {
			t.Errorf("position %d: %+v, want %+v", i, got, want)
		}
	}
	if rewritten := again.Record(); !reflect.DeepEqual(rewritten.Moves, read[0].Moves) {
		t.Errorf("moves are %+v, want %+v", rewritten.Moves, read[0].Moves)
	}
	if _, err := session.FromRecord(1, &record.Game{Size: 15, Moves: []record.Move{{}, {}}}); err == nil || !strings.Contains(err.Error(), "move 2") {
		t.Errorf("a record with an illegal move: error %v, want one that names move 2", err)
	}
}

// A move has the score of the engine that made it; nothing is thought of a winning row.
func TestScoresOfMoves(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8")
	g.Seats[board.White] = seat(t, "huang", session.Strength{})
	if err := g.Apply(session.Answer{Thought: session.Thought{Move: board.At(8, 8), Scored: true, Score: 40, Depth: 3}}); err != nil {
		t.Fatal(err)
	}
	if j := g.Judgement(); j.Score != -40 || j.Set != g.Seats[board.White].Player.Weights {
		t.Errorf("the judgement is %+v, want -40 by the weights of White", j)
	}
	g.Eval(1, nil, 70, 9)
	g.Eval(2, nil, -60, 9)
	if m := g.Record().Moves; *m[0].Score != -70 || *m[1].Score != 40 {
		t.Errorf("scores are %d and %d, want -70 and 40", *m[0].Score, *m[1].Score)
	}
	r := begin(t, pattern.Freestyle, "h8a1i8a2j8a3k8a4l8").Record()
	r.Moves[8].Win = 1
	won, err := session.FromRecord(1, r)
	if err != nil {
		t.Fatal(err)
	}
	if won.Judgement().Known || won.Record().Moves[8].Win != 1 {
		t.Errorf("of a game that is won %+v is known and %+v written, want nothing and a win in 1", won.Judgement(), won.Record().Moves[8])
	}
	r.Moves[7].Win = -1 // the mover has lost at once: no position follows
	if won, err = session.FromRecord(1, r); err != nil {
		t.Fatal(err)
	}
	if err := won.GoTo(8); err != nil || won.Judgement().Known {
		t.Errorf("of a move that loses at once %+v is known (%v), want nothing", won.Judgement(), err)
	}
	r.Moves[7].Win = 0
	beyond := int32(2_000_000_000) // such as an engine writes for a mate: no proof of ours
	r.Moves[7].Score = &beyond
	if won, err = session.FromRecord(1, r); err != nil {
		t.Fatal(err)
	}
	if err := won.GoTo(8); err != nil || won.Judgement().Known || *won.Record().Moves[7].Score != beyond {
		t.Errorf("of a score that is not a proof %+v is known (%v), want nothing, and the score as it was", won.Judgement(), err)
	}
}

// Looking back undoes nothing: the record is that of the whole game. Taking back does.
func TestRecordWhereverOneLooks(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8i9h9h10")
	written := func() string { return board.FormatMoves(g.Record().Cells()) }
	if err := g.GoTo(1); err != nil {
		t.Fatal(err)
	}
	if written() != "h8i9h9h10" || g.Length() != 4 {
		t.Errorf("looking back leaves %s", written())
	}
	if !g.Redo() || g.Ply() != 2 || written() != "h8i9h9h10" {
		t.Errorf("redo there shows %s and leaves %s", on(g), written())
	}
	if err := g.SetLine(g.Line(), 3); err != nil || written() != "h8i9h9h10" {
		t.Errorf("the same line leaves %s, error %v", written(), err)
	}
	if err := g.GoTo(4); err != nil || !g.Undo() || written() != "h8i9" {
		t.Errorf("taking back leaves %s, error %v", written(), err)
	}
	if err := g.GoTo(3); err != nil || written() != "h8i9h9" {
		t.Errorf("an undone move that is shown again leaves %s, error %v", written(), err)
	}
}

// What a record says of a game beside its moves stays while the game is that one.
func TestRecordKeepsItsSource(t *testing.T) {
	source := &record.Game{
		Size: 15, Event: "cup", Opening: 2, Outcome: board.BlackWins, Reason: record.ReasonProven,
		Moves: []record.Move{{Cell: board.At(7, 7), Comment: "centre"}, {Cell: board.At(8, 8)}, {Cell: board.At(7, 8)}},
	}
	g, err := session.FromRecord(1, source)
	if err != nil {
		t.Fatal(err)
	}
	if r := g.Record(); r.Event != "cup" || r.Opening != 2 || r.Outcome != board.BlackWins || r.Reason != record.ReasonProven || r.Moves[0].Comment != "centre" {
		t.Errorf("got %+v, want what the record %+v says", r, source)
	}
	if err := g.SetLine([]board.Cell{board.At(7, 7), board.At(3, 3)}, 2); err != nil {
		t.Fatal(err)
	}
	if r := g.Record(); r.Event == "cup" || r.Opening != 1 || r.Outcome != board.Ongoing || r.Moves[0].Comment != "centre" {
		t.Errorf("a variation: %+v, want no event and no end, one move of the opening and the comment of the first", r)
	}
}

// A game keeps what its record says of moves in variations, and nothing of variations of which nothing is said.
func TestRecordKeepsAnnotatedVariations(t *testing.T) {
	m := func(x, y int, comment string) record.Move {
		return record.Move{Cell: board.At(x, y), Comment: comment}
	}
	written := func() *record.Game {
		return &record.Game{Size: 15, Moves: []record.Move{m(7, 7, ""), m(8, 8, "")}, Variations: []record.Variation{
			{Ply: 1, Moves: []record.Move{m(1, 1, ""), m(1, 2, "")}},
			{Ply: 1, Moves: []record.Move{m(2, 1, ""), m(2, 2, "said"), m(2, 3, "")}},
			{Ply: 1, Moves: []record.Move{m(3, 1, ""), m(3, 2, ""), m(3, 3, "")}, Variations: []record.Variation{
				{Ply: 2, Moves: []record.Move{m(4, 1, ""), m(4, 2, "")}},
				{Ply: 3, Moves: []record.Move{m(5, 1, ""), m(5, 2, "deep")}},
			}},
		}}
	}
	read := func() (*session.Game, weak.Pointer[record.Variation]) {
		r := written()
		g, err := session.FromRecord(1, r)
		if err != nil {
			t.Fatal(err)
		}
		return g, weak.Make(&r.Variations[0])
	}
	g, variations := read()
	bare := written()
	bare.Variations[1].Moves[1].Comment, bare.Variations[2].Variations[1].Moves[1].Comment = "", ""
	g.Annotate(bare)
	if want := written(); !reflect.DeepEqual(bare.Variations, want.Variations) {
		t.Errorf("got %+v, want %+v", bare.Variations, want.Variations)
	}
	runtime.GC()
	if variations.Value() != nil {
		t.Error("the game keeps all variations")
	}
	runtime.KeepAlive(g)
}

// The result that a record tells counts where the game stands as in the record: not before, not once it goes on, nor where the board decides.
func TestRecordedEnd(t *testing.T) {
	read := func(moves string, outcome board.Outcome, reason record.Reason) *session.Game {
		r := begin(t, pattern.Freestyle, moves).Record()
		r.Outcome, r.Reason = outcome, reason
		g, err := session.FromRecord(1, r)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	proven := func() *session.Game { return read("h8i9h9", board.BlackWins, record.ReasonProven) }
	walked := proven()
	if err := walked.GoTo(2); err != nil {
		t.Fatal(err)
	}
	played := proven()
	if err := played.Play(board.At(1, 1)); err != nil {
		t.Fatal(err)
	}
	lookedBack := proven()
	if err := errors.Join(lookedBack.Play(board.At(1, 1)), lookedBack.GoTo(3)); err != nil {
		t.Fatal(err)
	}
	undone := proven()
	if err := undone.Play(board.At(1, 1)); err != nil || !undone.Undo() {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		game    *session.Game
		outcome board.Outcome
		reason  record.Reason
	}{
		{"at the end", proven(), board.BlackWins, record.ReasonProven},
		{"before the end", walked, board.Ongoing, record.ReasonUnknown},
		{"gone on", played, board.Ongoing, record.ReasonUnknown},
		{"gone on, and looked back", lookedBack, board.Ongoing, record.ReasonUnknown},
		{"gone on, and undone", undone, board.BlackWins, record.ReasonProven},
		{"decided on the board", read("h8a1i8a2j8a3k8a4l8", board.BlackWins, record.ReasonBoard), board.Ongoing, record.ReasonUnknown},
		{"never read", begin(t, pattern.Freestyle, "h8"), board.Ongoing, record.ReasonUnknown},
	} {
		t.Run(test.name, func(t *testing.T) {
			if outcome, reason := test.game.RecordedEnd(); outcome != test.outcome || reason != test.reason {
				t.Errorf("got %v (%s), want %v (%s)", outcome, reason, test.outcome, test.reason)
			}
		})
	}
}
