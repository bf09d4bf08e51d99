package session_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"weak"

	"go.uber.org/goleak"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/player"
	"quintune/internal/record"
	"quintune/internal/session"
	"quintune/internal/swap2"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

func TestMain(m *testing.M) {
	if slices.Equal(os.Args[1:], []string{"occupied"}) {
		playOccupied()
		return
	}
	goleak.VerifyTestMain(m)
}

// playOccupied is an engine that always moves in the middle of the board.
func playOccupied() {
	answers := map[string]string{"START": "OK", "BEGIN": "7,7", "TURN": "7,7", "RESTART": "OK"}
	for in := bufio.NewScanner(os.Stdin); in.Scan() && in.Text() != "END"; {
		command, _, _ := strings.Cut(in.Text(), " ")
		if answer, ok := answers[command]; ok {
			fmt.Println(answer)
		}
	}
}

// begin returns a game with the moves; a person is Black, an engine White.
func begin(t *testing.T, rule pattern.Rule, moves string) *session.Game {
	t.Helper()
	g, err := session.New(1, 15, rule)
	if err != nil {
		t.Fatal(err)
	}
	g.Seats[board.White] = seat(t, "huang", session.Strength{Nodes: 300})
	if err := g.Load(boardtest.Moves(t, moves)); err != nil {
		t.Fatal(err)
	}
	return g
}

func seat(t *testing.T, name string, s session.Strength) session.Seat {
	t.Helper()
	p, err := player.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return session.Seat{Player: p, Strength: s}
}

func on(g *session.Game) string { return board.FormatMoves(g.Board().Moves()) }

func TestUndoAndRedo(t *testing.T) {
	tests := []struct {
		name, moves, steps, want string
		done                     bool // the last step did something
	}{
		{"to before the person's move", "h8i9h9h10", "u", "h8i9", true},
		{"when it is the engine's turn", "h8i9h9", "u", "h8i9", true},
		{"twice", "h8i9h9h10", "uu", "", true},
		{"of nothing", "", "u", "", false},
		{"and again", "h8i9h9h10", "ur", "h8i9h9h10", true},
		{"everything and one pair again", "h8i9h9h10", "uur", "h8i9", true},
		{"redo of nothing", "h8i9", "r", "h8i9", false},
		{"redo to the engine's turn at the end", "h8i9h9", "ur", "h8i9h9", true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := begin(t, pattern.Freestyle, test.moves)
			done := false
			for _, step := range test.steps {
				if step == 'u' {
					done = g.Undo()
				} else {
					done = g.Redo()
				}
			}
			if on(g) != test.want || done != test.done || len(g.Line()) != len(boardtest.Moves(t, test.moves)) {
				t.Errorf("%s, done %v, of %d moves", on(g), done, len(g.Line()))
			}
		})
	}
	g := begin(t, pattern.Freestyle, "h8i9h9")
	if err := g.SwapSides(); err != nil { // the person is White now
		t.Fatal(err)
	}
	if !g.Undo() || on(g) != "h8" {
		t.Errorf("White takes back to %s", on(g))
	}
	g.Seats = [2]session.Seat{g.Seats[0], g.Seats[0]}
	if g.Redo(); on(g) != "h8i9" {
		t.Errorf("between engines redo goes to %s", on(g))
	}
}

func TestAnotherMoveForgetsTheUndoneOnes(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8i9h9h10")
	for ply := range 5 {
		g.Eval(ply, nil, int32(ply), 5)
	}
	if err := g.GoTo(2); err != nil {
		t.Fatal(err)
	}
	if err := g.Play(board.At(7, 8)); err != nil || len(g.Line()) != 4 { // the same move keeps them
		t.Errorf("the undone move played again gives %s of %s (%v), want the whole line of 4 moves", on(g), board.FormatMoves(g.Line()), err)
	}
	if err := g.GoTo(2); err != nil {
		t.Fatal(err)
	}
	if err := g.Play(board.At(0, 0)); err != nil || board.FormatMoves(g.Line()) != "h8i9a1" {
		t.Errorf("another move gives the line %s (%v), want h8i9a1", board.FormatMoves(g.Line()), err)
	}
	judged := g.Judgements()
	if len(judged) != 4 || !judged[2].Known || judged[3].Known {
		t.Errorf("judged are %v, want 4 positions, the third known and the last not", judged)
	}
	if err := g.GoTo(9); err == nil || !strings.Contains(err.Error(), "[0, 3]") {
		t.Errorf("ply 9: error %v, want the bounds [0, 3]", err)
	}
	if err := g.Play(board.At(0, 0)); !errors.Is(err, board.ErrOccupied) {
		t.Errorf("a move onto a stone: error %v, want %v", err, board.ErrOccupied)
	}
}

func TestJudgements(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8i9h9")
	if g.Judgement().Known {
		t.Error("something is known of a new game")
	}
	g.Eval(1, nil, 400, 6)
	g.Eval(1, nil, 500, 6) // White to move likes it; of two of one depth the later one stays
	g.Eval(1, nil, 900, 5) // shallower
	g.Eval(7, nil, 900, 5) // beyond the line
	if j := g.Judgement(); !j.Known || j.Score != -500 || j.Depth != 6 {
		t.Errorf("the judgement is %+v, want -500 at depth 6", j)
	}
	// Proofs stay, and shorter ones replace them.
	for _, c := range []struct{ score, want int32 }{{13 - search.Win, search.Win - 13}, {-700, search.Win - 13}, {15 - search.Win, search.Win - 13}, {9 - search.Win, search.Win - 9}} {
		g.Eval(3, nil, c.score, 1)
		if j := g.Judgement(); j.Score != c.want {
			t.Errorf("after %d the judgement is %d, want %d", c.score, j.Score, c.want)
		}
	}
	p, err := g.Position(2)
	if err != nil || board.FormatMoves(p.Moves()) != "h8i9" || on(g) != "h8i9h9" {
		t.Errorf("position 2 is %s (%v), the game %s; want h8i9 and h8i9h9", board.FormatMoves(p.Moves()), err, on(g))
	}
	if !g.StillLeadsTo(p) {
		t.Error("the game does not lead to its own position")
	}
	p.Undo()
	p.Play(board.At(0, 0))
	if g.StillLeadsTo(p) {
		t.Error("the game leads to another position")
	}
}

func TestWinningRow(t *testing.T) {
	tests := []struct {
		rule        pattern.Rule
		moves, want string
	}{
		{pattern.Freestyle, "h8i9", ""},
		{pattern.Freestyle, "h8a1i8a2j8a3k8a4l8", "h8i8j8k8l8"},
		{pattern.Freestyle, "h8a1i8a2j8a3l8a4m8a15k8", "h8i8j8k8l8m8"},
		{pattern.Renju, "o1h8o2i8o4j8o6l8a15m8a13k8", "h8i8j8k8l8m8"}, // White's overline wins
		{pattern.Standard, "h8a1i9a2j10a3k11a4l12", "h8i9j10k11l12"},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%v %s", test.rule, test.moves), func(t *testing.T) {
			g := begin(t, test.rule, test.moves)
			if got := board.FormatMoves(session.WinningRow(g.Board())); got != test.want {
				t.Errorf("%v %s: %s, want %s", test.rule, test.moves, got, test.want)
			}
		})
	}
}

func TestStrength(t *testing.T) {
	tests := []struct {
		strength session.Strength
		text     string
		limits   search.Limits
	}{
		{session.Strength{}, "1s a move", search.Limits{Time: time.Second}},
		{session.Strength{Level: search.MaxLevel}, "1s a move", search.Limits{Time: time.Second}},
		{session.Strength{Level: 3}, "level 3", search.Limits{Time: time.Second}},
		{session.Strength{Nodes: 5000}, "5000 nodes", search.Limits{Nodes: 5000}},
		{session.Strength{Level: 2, Nodes: 9, Time: time.Minute}, "level 2, 9 nodes, 1m0s a move", search.Limits{Nodes: 9, Time: time.Minute}},
	}
	for _, test := range tests {
		t.Run(test.text, func(t *testing.T) {
			if got := test.strength.String(); got != test.text || test.strength.Limits() != test.limits || test.strength.Check() != nil {
				t.Errorf("%+v is %q with %+v", test.strength, got, test.strength.Limits())
			}
		})
	}
	for text, s := range map[string]session.Strength{
		"level is 11, outside [1, 10]": {Level: 11}, "nodes are -1": {Nodes: -1}, "time a move is 2h0m0s": {Time: 2 * time.Hour},
	} {
		t.Run(text, func(t *testing.T) {
			if err := s.Check(); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("%+v: %v", s, err)
			}
		})
	}
}

func TestSeatOnBoard(t *testing.T) {
	tests := []struct {
		name string
		s    session.Strength
		rule pattern.Rule
		want string // part of the error
	}{
		{"huang", session.Strength{Level: 4}, pattern.Renju, ""},
		{"baseline:zhang", session.Strength{}, pattern.Freestyle, ""},
		{"baseline:zhang", session.Strength{}, pattern.Standard, "zhang does not play standard"},
		{"baseline:zhang", session.Strength{Level: 4}, pattern.Freestyle, "baseline:zhang has no levels"},
		{"huang", session.Strength{Level: 12}, pattern.Freestyle, "level is 12"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := seat(t, test.name, test.s).OnBoard(15, test.rule)
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s, %+v: %v", test.name, test.s, err)
			}
		})
	}
}

func TestLabel(t *testing.T) {
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	set.Name = "champion"
	for name, want := range map[string]string{"champion": "champion", "weights.json": "champion (weights.json)"} {
		t.Run(name, func(t *testing.T) {
			if got := session.Label(player.Of(name, set)); got != want {
				t.Errorf("%s is %s", name, got)
			}
		})
	}
	if got := (session.Seat{}).Name(); got != "a person" {
		t.Errorf("nobody is %s", got)
	}
}

// A thinker serves any seat, game and board, one after another, and plays as a new one does.
func TestThinkerForgetsOtherGames(t *testing.T) {
	a, b := begin(t, pattern.Freestyle, "h8i9h9"), begin(t, pattern.Standard, "g7h8g8")
	b.ID = 2
	shared := session.NewThinker(search.Options{})
	defer shared.Close()
	seats := []session.Seat{
		seat(t, "huang", session.Strength{Nodes: 500}), seat(t, "zhang", session.Strength{Nodes: 500}), seat(t, "baseline:random", session.Strength{}),
		seat(t, "huang", session.Strength{Level: 1}),
	}
	for range 2 {
		for _, g := range []*session.Game{a, b} {
			for _, s := range seats {
				alone := session.NewThinker(search.Options{})
				want, err := alone.Move(context.Background(), s, g.Board(), g.ID)
				if err != nil {
					t.Fatal(err)
				}
				if err := alone.Close(); err != nil {
					t.Fatal(err)
				}
				got, err := shared.Move(context.Background(), s, g.Board(), g.ID+100) // another game: nothing is remembered
				if err != nil {
					t.Fatal(err)
				}
				again, err := shared.Move(context.Background(), s, g.Board(), g.ID)
				if err != nil {
					t.Fatal(err)
				}
				if s.Player.Weights != nil && s.Strength.Level == 0 && got.Move != want.Move || again.Move != want.Move {
					t.Errorf("%s in game %d: %v and %v, alone %v", s.Name(), g.ID, got.Move, again.Move, want.Move)
				}
			}
		}
	}
}

func TestThinkerEndsWithItsContext(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8i9h9")
	thinker := session.NewThinker(search.Options{})
	for _, name := range []string{"huang", "baseline:sjtu-mcts"} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(20*time.Millisecond, cancel)
			if _, err := thinker.Move(ctx, seat(t, name, session.Strength{Time: time.Hour}), g.Board(), 1); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	if err := thinker.Close(); err != nil {
		t.Error(err)
	}
}

// A move that breaks the rules reads as the engine's, not as one of the person who plays it.
func TestIllegalMoveOfAnEngine(t *testing.T) {
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	g := begin(t, pattern.Freestyle, "h8")
	g.Seats[board.White] = seat(t, fmt.Sprintf(`gomocup:"%s" occupied`, program), session.Strength{Time: time.Minute})
	thinker := session.NewThinker(search.Options{})
	defer thinker.Close()
	_, err = thinker.Answer(context.Background(), g.Ask())
	if err == nil || !strings.Contains(err.Error(), "illegal move: h8: the cell is occupied") {
		t.Errorf("%v, want an illegal move", err)
	}
}

func TestThinkerSolves(t *testing.T) {
	g := begin(t, pattern.Freestyle, "h8a1h9a2h10b15")
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	thinker := session.NewThinker(search.Options{})
	task := session.Task{Weights: set, Position: g.Board(), Game: 1, Limits: search.Limits{Nodes: 1000}}
	for _, solver := range []session.Solver{session.VCF, session.VCT} {
		if s, err := thinker.Solve(context.Background(), task, solver); err != nil || !s.Win {
			t.Errorf("%s: %+v (%v), want a win", solver, s, err)
		}
	}
	if _, err := thinker.Solve(context.Background(), task, "mate"); err == nil || !strings.Contains(err.Error(), "mate") {
		t.Errorf("an unknown solver: error %v, want one that names mate", err)
	}
	r, err := thinker.Lines(context.Background(), task, 3, nil)
	if err != nil || len(r.Lines) != 3 {
		t.Errorf("%d lines (%v), want 3", len(r.Lines), err)
	}
}

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

func TestNotation(t *testing.T) {
	tests := []struct {
		notation session.Notation
		size     int
		name     string
		cell     board.Cell
	}{
		{session.Pos, 15, "h8", board.At(7, 7)},
		{session.Pos, 15, "a1", board.At(0, 0)},
		{session.Renju, 15, "a1", board.At(0, 14)},
		{session.Renju, 20, "t20", board.At(19, 0)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c, err := test.notation.Parse(test.name, test.size)
			if err != nil || c != test.cell || test.notation.Name(c, test.size) != test.name {
				t.Errorf("%s in notation %d is %v (%v)", test.name, test.notation, c, err)
			}
		})
	}
	for _, text := range []string{"", "8h", "p1", "a16", "h8i9", "h8\x1b[2J"} {
		if c, err := session.Renju.Parse(text, 15); err == nil {
			t.Errorf("%q is %v", text, c)
		}
	}
	for i, name := range session.NotationNames() {
		if n, err := session.ParseNotation(name); err != nil || int(n) != i {
			t.Errorf("%s is %d (%v)", name, n, err)
		}
	}
	if _, err := session.ParseNotation("chess"); err == nil {
		t.Error("there is a notation chess")
	}
}

// Only the cell that an error begins with is renamed: p2 is not the end of "swap2".
func TestErrorText(t *testing.T) {
	p2 := board.At(15, 1)
	for text, want := range map[string]string{
		"p2: the cell is occupied":      "p15: the cell is occupied",
		"swap2: a side is to be chosen": "swap2: a side is to be chosen",
	} {
		t.Run(text, func(t *testing.T) {
			if got := session.Renju.ErrorText(errors.New(text), p2, 16); got != want {
				t.Errorf("%q becomes %q, want %q", text, got, want)
			}
		})
	}
}

func TestClaim(t *testing.T) {
	for score, want := range map[int32]string{0: "", search.Win - 1: "", search.Win - 7: ", and wins in 7 plies", 4 - search.Win: ", and loses in 4 plies"} {
		t.Run(fmt.Sprintf("score %d", score), func(t *testing.T) {
			if got := session.Claim(score); got != want {
				t.Errorf("%d: %q", score, got)
			}
		})
	}
}

// opened returns a game in an opening under swap2: a person opens, an engine responds, or the other way round.
func opened(t *testing.T, personOpens bool) *session.Game {
	t.Helper()
	g := begin(t, pattern.Freestyle, "")
	if !personOpens {
		g.Seats[board.Black], g.Seats[board.White] = g.Seats[board.White], g.Seats[board.Black]
	}
	if err := g.BeginSwap2(); err != nil {
		t.Fatal(err)
	}
	return g
}

func TestSwap2(t *testing.T) {
	tests := []struct {
		name        string
		personOpens bool
		steps       string // moves, and options in capitals, with blanks between
		person      board.Colour
		next        bool // it is the person's turn
	}{
		{"the responder takes Black", false, "h8 i9 g7 black", board.Black, false},
		{"the responder takes White", false, "h8 i9 g7 white", board.White, true},
		{"the opener takes Black", true, "h8 i9 g7 two a1 b1 black", board.Black, false},
		{"the opener takes White", true, "h8 i9 g7 two a1 b1 white", board.White, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			g := opened(t, test.personOpens)
			for step := range strings.FieldsSeq(test.steps) {
				var err error
				if c, parsed := board.ParseCell(step); parsed == nil {
					err = g.Play(c)
				} else {
					err = g.Choose(session.Option(step))
				}
				if err != nil {
					t.Fatalf("%s: %v", step, err)
				}
			}
			if g.Opening() != session.NoOpening || !g.Seats[test.person].Person() || g.Seats[test.person.Other()].Person() || g.Turn().Person() != test.next {
				t.Errorf("at step %q the seats are %+v, want a person as %v alone, who is next: %v", g.Opening(), g.Seats, test.person, test.next)
			}
			stones := 3
			if strings.Contains(test.steps, "two") {
				stones = 5
			}
			if err := g.Play(board.At(14, 14)); err != nil || g.Record().Opening != stones {
				t.Errorf("the opening has %d moves, want %d (%v)", g.Record().Opening, stones, err)
			}
			if g.Undo() && g.Ply() < 3 {
				t.Errorf("the opening is taken back to %s", on(g))
			}
		})
	}
}

// Sides are swapped between the steps of an opening only: an engine cannot end what a person began.
func TestSwap2SwapsBetweenSteps(t *testing.T) {
	for _, test := range []struct {
		stones string
		two    bool
		ok     bool
	}{
		{"", false, true},
		{"h8", false, false},
		{"h8i9", false, false},
		{"h8i9g7", false, true},
		{"h8i9g7", true, false},
		{"h8i9g7a1", false, false},
		{"h8i9g7a1b1", false, true},
	} {
		t.Run(fmt.Sprint(test.stones, test.two), func(t *testing.T) {
			moves := boardtest.Moves(t, test.stones)
			g := begin(t, pattern.Freestyle, "")
			g.Seats = [2]session.Seat{}
			if err := g.BeginSwap2(); err != nil {
				t.Fatal(err)
			}
			err := g.LoadOpening(moves)
			if test.two {
				err = errors.Join(err, g.Choose(session.PutTwo))
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := g.SwapSides(); (err == nil) != test.ok {
				t.Errorf("swapped: %v", err)
			}
			if test.two {
				return
			}
			engines := begin(t, pattern.Freestyle, "")
			engines.Seats[board.Black] = engines.Seats[board.White]
			if err := engines.BeginSwap2(); err != nil {
				t.Fatal(err)
			}
			if err := engines.LoadOpening(moves); (err == nil) != test.ok {
				t.Errorf("loaded for engines: %v", err)
			}
		})
	}
}

func TestSwap2Refuses(t *testing.T) {
	g := opened(t, true)
	if err := g.Choose(session.TakeBlack); err == nil {
		t.Error("a side is taken before the first stone")
	}
	for _, c := range boardtest.Moves(t, "h8i9") {
		if err := g.Play(c); err != nil {
			t.Fatal(err)
		}
	}
	if !g.Undo() || on(g) != "h8" {
		t.Errorf("the opener cannot take back a stone: %s", on(g))
	}
	if err := g.Load(boardtest.Moves(t, "i9g7")); err != nil {
		t.Fatal(err)
	}
	if err := g.Play(board.At(0, 0)); err == nil {
		t.Error("a fourth stone comes before the choice")
	}
	if err := g.SetPlayers([2]session.Seat{}); err == nil {
		t.Error("the players change in the opening")
	}
	if err := g.GoTo(0); err == nil || g.Undo() || g.Redo() {
		t.Error("the proposal is taken back")
	}
	if err := g.Choose("tea"); err == nil || !strings.Contains(err.Error(), "tea") {
		t.Errorf("an unknown option: error %v, want one that names tea", err)
	}
	if err := g.Choose(session.TakeWhite); err != nil {
		t.Fatal(err)
	}
	if err := g.GoTo(1); err != nil {
		t.Errorf("a settled opening cannot be looked at: %v", err)
	}
	if err := g.Play(board.At(0, 0)); err == nil || !g.Turn().Person() {
		t.Error("a settled opening is played anew")
	}
	if err := g.SetLine(boardtest.Moves(t, "a1b2c3d4"), 4); err == nil || on(g) != "h8" {
		t.Errorf("another opening: error %v and %s on the board, want a refusal and h8", err, on(g))
	}
	if err := begin(t, pattern.Freestyle, "h8").BeginSwap2(); err == nil {
		t.Error("an opening begins after the first move")
	}
	baseline := begin(t, pattern.Freestyle, "")
	baseline.Seats[board.White] = seat(t, "baseline:zhang", session.Strength{})
	if err := baseline.BeginSwap2(); err == nil || !strings.Contains(err.Error(), "zhang") {
		t.Errorf("an engine without weights: error %v, want one that names zhang", err)
	}
}

// Engines open and respond with choices that can be played.
func TestSwap2OfEngines(t *testing.T) {
	thinker := session.NewThinker(search.Options{})
	g := opened(t, true)
	g.Seats[board.Black] = g.Seats[board.White]
	engines, err := session.New(1, 15, pattern.Freestyle)
	if err != nil {
		t.Fatal(err)
	}
	engines.Seats = g.Seats
	if err := engines.BeginSwap2(); err != nil {
		t.Fatal(err)
	}
	for choices := 0; engines.Opening() != session.NoOpening; choices++ {
		answer, err := thinker.Answer(context.Background(), engines.Ask())
		if err != nil || choices > 3 {
			t.Fatalf("choice %d: error %v, want at most 3 choices without one", choices, err)
		}
		if err := engines.Apply(answer); err != nil {
			t.Fatalf("%+v: %v", answer, err)
		}
	}
	if engines.Ply() < 3 {
		t.Errorf("the opening ends with %s, want 3 stones at least", on(engines))
	}
	if err := engines.Apply(session.Answer{Opening: true, Choice: swap2.Choice{Swap: true}}); err == nil || !strings.Contains(err.Error(), "huang") {
		t.Errorf("a settled opening takes a choice: %v", err)
	}
	answer, err := thinker.Answer(context.Background(), engines.Ask())
	if err != nil {
		t.Fatal(err)
	}
	ply := engines.Ply()
	if err := engines.Apply(answer); err != nil || engines.Ply() != ply+1 || !engines.Judgements()[ply].Known {
		t.Errorf("%+v leads to %s (%v), want one more move than %d, and a judgement before it", answer, on(engines), err, ply)
	}
}
