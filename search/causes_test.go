//go:build long

package search

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/pattern"
	"quintune/weights/weightstest"
)

// Limits of TestCausesLong.
const (
	judgeTimes   = 4 // nodes of a search that judges a position, as a multiple of the nodes that the game's clock allowed
	judgeEntries = 1 << 20
	threatBudget = 1_000_000 // budget of the threat solver when it decides whether the opponent had a winning threat
	lostScore    = -20_000   // points of a lost position: two logits, an expected score of 12 %
	jump         = 10_000    // points of a swing: one logit
	nodesOfMs    = 2_800     // nodes that the search visits in a millisecond
)

var causeGames = flag.Int("games", 1, "lost games that TestCausesLong looks at")

// lostGame is a line of testdata/lost_games.tsv.
type lostGame struct {
	ms, opening int // opening: plies
	us          board.Colour
	moves       []board.Cell
}

func readLostGames(t *testing.T) (games []lostGame) {
	t.Helper()
	data, err := os.ReadFile("testdata/lost_games.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.Split(strings.TrimSpace(line), "\t")
		g := lostGame{moves: boardtest.Moves(t, fields[3])}
		if fields[1] == "white" {
			g.us = board.White
		}
		for i, number := range map[int]*int{0: &g.ms, 2: &g.opening} {
			if *number, err = strconv.Atoi(fields[i]); err != nil {
				t.Fatal(err)
			}
		}
		games = append(games, g)
	}
	return games
}

// TestCausesLong finds the move that lost each lost game, and the reason. It then searches the position before
// that move with the present engine, at the nodes that the game's clock allowed, and judges the move found. The
// first command runs all games, the second some of them:
//
//	go test -tags long -count=1 -v -timeout 2h -run TestCausesLong ./search -args -games 94
//	go test -tags long -count=1 -v -timeout 2h -run 'TestCausesLong/^game_1.$' ./search -args -games 94
//
// The judge is a search with four times the nodes of the game's clock. A position counts as lost at -20 000
// points or less. Bisection over our turns finds a turn that is not lost while the next one is: the move between
// them lost the game. Of these causes the first that applies is counted:
//
//   - opening: the position was lost at our first turn;
//   - threat not seen: after the move the solver of threats wins for the other side within a million nodes, or
//     the judge finds a forced loss;
//   - early attack: the move makes a three or four, and the judge's move makes neither;
//   - quiet move never a candidate: in the move order of an inner node the judge's move comes after all moves
//     that any depth searches;
//   - reply pruned: the same for the judge's reply to the move;
//   - swinging score: the judge's score falls by 10 000 points or more at the move;
//   - slow decline: none of the above; several moves each cost a little.
func TestCausesLong(t *testing.T) {
	games := readLostGames(t)
	for i, g := range games[:min(*causeGames, len(games))] {
		t.Run(fmt.Sprintf("game %d", i+1), func(t *testing.T) {
			j := newCauseJudge(t, g.ms)
			b := boardtest.New(t, 15, pattern.Freestyle)
			ply, before := j.losingPly(b, &g)
			if ply < 0 {
				t.Logf("%d | %d ms | opening | score %d", i+1, g.ms, before.Score)
				return
			}
			j.set(b, g.moves[:ply])
			old := j.cause(b, g.moves[ply], before)
			player := causeEngine(t, 1<<18)
			move := player.Search(context.Background(), b, Limits{Nodes: int64(g.ms * nodesOfMs)}, nil).Best
			now := old
			if move != g.moves[ply] {
				now = j.cause(b, move, before)
			}
			t.Logf("%d | %d ms | %v | %v of %d, judge %v %d | now %v: %v",
				i+1, g.ms, old, g.moves[ply], ply+1, before.Best, before.Score, move, now)
		})
	}
}

// verdict describes the position after a move, and why it is lost.
type verdict struct {
	cause string // empty where the position is not lost
	score int32  // from our side, after the move
}

func (v verdict) String() string { return fmt.Sprintf("%s (%d)", cmp.Or(v.cause, "holds"), v.score) }

// causeJudge judges positions with many nodes.
type causeJudge struct {
	judge *Engine
	nodes int64 // limit of each search
}

func newCauseJudge(t *testing.T, ms int) *causeJudge {
	t.Helper()
	return &causeJudge{judge: causeEngine(t, judgeEntries), nodes: int64(judgeTimes * ms * nodesOfMs)}
}

func causeEngine(t *testing.T, entries int) *Engine {
	t.Helper()
	set := weightstest.Preset(t, "default")
	e, err := NewEngine(set, 15, pattern.Freestyle, Options{TableEntries: entries})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (j *causeJudge) set(b *board.Board, moves []board.Cell) {
	b.Reset()
	for _, c := range moves {
		b.Play(c)
	}
}

// search returns the judge's result for the position.
func (j *causeJudge) search(b *board.Board) Result {
	j.judge.NewGame()
	return j.judge.Search(context.Background(), b, Limits{Nodes: j.nodes}, nil)
}

// losingPly returns the number of moves before the turn at which we lost the game, and the judge's result for
// the position there. Where our first turn is lost already, it returns -1 and the judge's result for that turn.
func (j *causeJudge) losingPly(b *board.Board, g *lostGame) (ply int, before Result) {
	var turns []int
	for ply := g.opening; ply < len(g.moves); ply++ {
		if board.Colour(ply%2) == g.us {
			turns = append(turns, ply)
		}
	}
	ply = -1
	lost := sort.Search(len(turns), func(i int) bool {
		j.set(b, g.moves[:turns[i]])
		r := j.search(b)
		if r.Score > lostScore && turns[i] > ply {
			ply, before = turns[i], r
		}
		return r.Score <= lostScore
	})
	if lost == 0 {
		j.set(b, g.moves[:turns[0]])
		return -1, j.search(b)
	}
	return ply, before
}

// cause names the reason why our move in the position lost.
func (j *causeJudge) cause(b *board.Board, move board.Cell, before Result) verdict {
	us := b.SideToMove()
	quiet := func(c board.Cell) bool { return b.Class(us, c) < pattern.CellThree }
	early := !quiet(move) && quiet(before.Best)
	neverSearched := j.isPruned(b, before.Best)
	b.Play(move)
	defer b.Undo()
	if b.Outcome() != board.Ongoing {
		return verdict{}
	}
	after := j.search(b)
	v := verdict{score: -after.Score}
	if v.score > lostScore {
		return v
	}
	switch {
	case after.Score >= unproven, j.judge.SolveVCT(context.Background(), b, threatBudget).Win:
		v.cause = "threat not seen"
	case early:
		v.cause = "early attack"
	case neverSearched:
		v.cause = "quiet move never a candidate"
	case j.isPruned(b, after.Best):
		v.cause = "reply pruned"
	case before.Score-v.score >= jump:
		v.cause = "swinging score"
	default:
		v.cause = "slow decline"
	}
	return v
}

// isPruned reports whether move ordering without histories puts the move behind all those that an inner node
// searches at any depth.
func (j *causeJudge) isPruned(b *board.Board, move board.Cell) bool {
	e := j.judge
	e.NewGame()
	e.loadPosition(b)
	var moves []scored
	if e.board.Counts(b.SideToMove().Other())[pattern.CellOpenFour] > 0 {
		moves = e.generateDefences(board.NoCell, 0)
	} else {
		moves, _ = e.generateMoves(board.NoCell, 0)
	}
	e.moves = e.moves[:0]
	slices.SortStableFunc(moves, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	at := slices.IndexFunc(moves, func(m scored) bool { return m.cell == move })
	return at < 0 || at >= e.params.candidates
}
