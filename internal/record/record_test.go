package record

import (
	"bytes"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/pattern"
)

// gameOf returns a game of moves in pos notation on 15 by 15 cells.
func gameOf(t testing.TB, moves string) Game {
	t.Helper()
	cells, err := board.ParseMoves(moves)
	if err != nil {
		t.Fatal(err)
	}
	g := Game{Size: 15}
	for _, c := range cells {
		g.Moves = append(g.Moves, Move{Cell: c})
	}
	return g
}

func points(v int32) *int32 { return &v }

// won is a game that Black wins on the board.
const won = "h8a1h9a2h10a3h11a4h12"

// full returns a game that uses every field.
func full(t testing.TB) Game {
	g := gameOf(t, "h8i9g7j10f6")
	g.Size, g.Rule = 20, pattern.Standard
	g.Players = [2]string{`A [x] \ "y"`, "1,2,3"}
	g.Event = "a match; of two"
	g.Opening = 2
	g.Outcome, g.Reason = board.BlackWins, ReasonTimeout
	g.Moves[2].Time = 120 * time.Millisecond
	g.Moves[2].Score = points(-35)
	g.Moves[3].Win, g.Moves[3].Score = -8, points(-29_992)
	g.Moves[3].Comment = "opening move\nis what this looks like"
	g.Moves[4].Comment = "a line\n\nand [another] \\"
	g.Moves[4].Time = 300 * time.Second
	return g
}

func mustParse(t testing.TB, text string, f Format) []Game {
	t.Helper()
	games, err := Parse([]byte(text), f, DefaultConditions())
	if err != nil {
		t.Fatalf("%v: %v\n%s", f, err, text)
	}
	return games
}

func written(t testing.TB, f Format, g *Game) string {
	t.Helper()
	var out bytes.Buffer
	if err := Write(&out, f, g); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// SGF and JSON lines keep everything; psq and plain moves what they have a place for.
func TestRoundTrips(t *testing.T) {
	ended := gameOf(t, won)
	ended.Outcome, ended.Reason = board.BlackWins, ReasonBoard
	illegal := gameOf(t, "h8i9g7")
	illegal.Outcome, illegal.Reason = board.BlackWins, ReasonIllegal
	longest := gameOf(t, "h8")
	longest.Opening = 1
	longest.Moves[0].Time, longest.Moves[0].Score, longest.Moves[0].Win = maxMillis*time.Millisecond, points(math.MinInt32), -maxWin
	longest.Moves[0].Comment = "120ms\n" + strings.Repeat("x", MaxComment-len("120ms\n"))
	games := []Game{full(t), ended, illegal, gameOf(t, "h8"), {Size: 5}, longest}
	names := []string{"all that can be noted", "won on the board", "an illegal move", "one move", "no move", "the longest comment"}
	for i, want := range games {
		t.Run(names[i], func(t *testing.T) {
			for _, f := range []Format{SGF, JSON} {
				got := mustParse(t, written(t, f, &want), f)
				if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
					t.Errorf("game %d, %v:\ngot  %+v\nwant %+v\n%s", i, f, got, want, written(t, f, &want))
				}
			}
			psq := want
			psq.Event, psq.Opening, psq.Rule, psq.Moves = "", 0, pattern.Freestyle, nil
			for _, m := range want.Moves {
				psq.Moves = append(psq.Moves, Move{Cell: m.Cell, Time: m.Time})
			}
			if got := mustParse(t, written(t, PSQ, &want), PSQ); len(got) != 1 || !reflect.DeepEqual(got[0], psq) {
				t.Errorf("game %d, psq:\ngot  %+v\nwant %+v", i, got, psq)
			}
			plain := gameOf(t, board.FormatMoves(want.Cells()))
			if got := mustParse(t, written(t, Plain, &want), Plain); !reflect.DeepEqual(got[0].Cells(), plain.Cells()) {
				t.Errorf("game %d, plain: %+v", i, got)
			}
		})
	}
}

// Games of one writer follow each other in SGF and JSON lines.
func TestManyGames(t *testing.T) {
	a, b := full(t), gameOf(t, "h8i9")
	for _, f := range []Format{SGF, JSON} {
		got := mustParse(t, written(t, f, &a)+written(t, f, &b), f)
		if !reflect.DeepEqual(got, []Game{a, b}) {
			t.Errorf("%v: %+v", f, got)
		}
	}
}

func TestGolden(t *testing.T) {
	g := gameOf(t, "h8i9g7")
	g.Players, g.Opening, g.Moves[2].Time = [2]string{"A", "B"}, 2, 95*time.Millisecond
	g.Outcome, g.Reason = board.BlackWins, ReasonTimeout
	want := map[Format]string{
		PSQ: "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n9,9,0\r\n7,7,95\r\nA\r\nB\r\n15\r\n",
		SGF: "(;FF[4]GM[4]CA[UTF-8]SZ[15]RU[freestyle]PB[A]PW[B]RE[B+T]GC[timeout]\n" +
			";B[hh]C[opening move];W[ii]C[opening move];B[gg]C[95ms])\n",
		Plain: "h8i9g7\n",
		JSON: `{"format":"quintune.game/1","size":15,"rule":"freestyle","black":"A","white":"B","result":"black","reason":"timeout",` +
			`"moves":"h8i9g7","opening":2,"ms":[0,0,95]}` + "\n",
	}
	for f, text := range want {
		if got := written(t, f, &g); got != text {
			t.Errorf("%v:\n%s\nwant\n%s", f, got, text)
		}
	}
	if err := Write(&bytes.Buffer{}, Rec, &g); err == nil {
		t.Error("rec is written")
	}
}

func TestBoard(t *testing.T) {
	g := gameOf(t, won)
	for ply, want := range map[int]board.Outcome{0: board.Ongoing, 8: board.Ongoing, 9: board.BlackWins} {
		t.Run(fmt.Sprintf("ply %d", ply), func(t *testing.T) {
			b, err := g.Board(ply)
			if err != nil || b.Stones() != ply || b.Outcome() != want {
				t.Errorf("ply %d: %v (%v)", ply, b, err)
			}
		})
	}
	for _, ply := range []int{-1, 10} {
		if _, err := g.Board(ply); err == nil || !strings.Contains(err.Error(), "[0, 9]") {
			t.Errorf("ply %d: %v", ply, err)
		}
	}
}

func TestFormats(t *testing.T) {
	for _, name := range FormatNames() {
		f, err := ParseFormat(name)
		if err != nil || f.String() != name || !f.Writable() {
			t.Errorf("%s: %v (%v)", name, f, err)
		}
		if got, ok := FormatOf("x/GAME" + strings.ToUpper(f.Ending())); !ok || got != f {
			t.Errorf("%s: the ending %s means %v", name, f.Ending(), got)
		}
	}
	if _, err := ParseFormat("pgn"); err == nil || !strings.Contains(err.Error(), "psq, sgf, moves, jsonl") {
		t.Errorf("pgn: %v", err)
	}
	if _, ok := FormatOf("game.pgn"); ok {
		t.Error("the ending .pgn is known")
	}
	for text, want := range map[string]Format{
		"Piskvorky 15x15, 0:0, 0\n": PSQ, " \r\n(;GM[4])": SGF, "\xef\xbb\xbf{}": JSON, "h8i9": Plain, "": Plain, "# h8": Plain,
		"1,-2, 0,3\n": Offsets,
	} {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			if got := Detect([]byte(text)); got != want {
				t.Errorf("%q looks like %v, want %v", text, got, want)
			}
		})
	}
}

func TestParseDetected(t *testing.T) {
	text := []byte("1,-2, 0,3")
	games, err := Parse(text, Detect(text), Conditions{Size: 20, Rule: pattern.Standard})
	if err != nil || board.FormatMoves(games[0].Cells()) != "l9k14" || games[0].Opening != 2 || games[0].Rule != pattern.Standard {
		t.Errorf("%+v (%v)", games, err)
	}
}

func TestRuleOfName(t *testing.T) {
	for path, want := range map[string]bool{"a/1x0-16(2)_standard.psq": true, "quintune_standard (1).psq": true, "quintune_standard(12).psq": true, "a (1).psq": false, "00001_STANDARD.psq": true, "1x0.psq": false, "a_b.psq": false} {
		t.Run(path, func(t *testing.T) {
			if rule, ok := RuleOfName(path); ok != want || ok && rule != pattern.Standard {
				t.Errorf("%s: %v, %t", path, rule, ok)
			}
		})
	}
}

// Texts of files cannot move a cursor, hide or turn what stands beside them.
func TestTextsAreClean(t *testing.T) {
	const hostile = "a\x1b[2J\x00\u202eb\xff\u200bc"
	games := mustParse(t, "(;GM[4]PB["+hostile+"]PW["+strings.Repeat("é", MaxName)+"];B[hh]C[x\r\n"+hostile+"])", SGF)
	g := games[0]
	if g.Players[0] != "a[2Jb?c" || g.Moves[0].Comment != "x\na[2Jb?c" {
		t.Errorf("%q, %q", g.Players[0], g.Moves[0].Comment)
	}
	if len(g.Players[1]) != MaxName || strings.Trim(g.Players[1], "é") != "" {
		t.Errorf("%d bytes: %q", len(g.Players[1]), g.Players[1])
	}
}
