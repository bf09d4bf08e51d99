package record

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/pattern"
)

func TestReadPSQ(t *testing.T) {
	const file = "Piskvorky 20x20, 11:11, 0\r\n4,9,12\r\n5,10,0\r\n7,13\r\nTITO14.zip\r\nHEWER15.zip\r\n"
	tests := []struct {
		end     string
		outcome board.Outcome
		reason  Reason
		rule    pattern.Rule
	}{
		{"0\r\n", board.Ongoing, ReasonUnknown, pattern.Freestyle},
		{"-1\n1,Standard\n", board.Ongoing, ReasonUnknown, pattern.Standard},
		{"15\n\n\n", board.BlackWins, ReasonTimeout, pattern.Freestyle},
		{"7", board.BlackWins, ReasonIllegal, pattern.Freestyle},
		{"33", board.BlackWins, ReasonUnknown, pattern.Freestyle},
		{"", board.Ongoing, ReasonUnknown, pattern.Freestyle},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("end %q", test.end), func(t *testing.T) {
			g := mustParse(t, file+test.end, PSQ)[0]
			if board.FormatMoves(g.Cells()) != "d9e10g13" || g.Moves[0].Time != 12*time.Millisecond || g.Players != [2]string{"TITO14.zip", "HEWER15.zip"} {
				t.Errorf("%q: %+v", test.end, g)
			}
			if g.Outcome != test.outcome || g.Reason != test.reason || g.Rule != test.rule {
				t.Errorf("%q: %v, %q, %v", test.end, g.Outcome, g.Reason, g.Rule)
			}
		})
	}
}

// Piskvork ends a rec file with the number of the error that ended the game.
func TestReadRecOfPiskvork(t *testing.T) {
	for _, test := range []struct {
		name, end string
		outcome   board.Outcome
		reason    Reason
	}{
		{"no error", "0\n", board.Ongoing, ReasonUnknown},
		{"timeout", "15\n", board.BlackWins, ReasonTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := mustParse(t, "A\nB\n9,9,100\n"+test.end, Rec)[0]
			if board.FormatMoves(g.Cells()) != "j10" || g.Outcome != test.outcome || g.Reason != test.reason {
				t.Errorf("got %+v, want the outcome %v by %q", g, test.outcome, test.reason)
			}
		})
	}
}

func TestReadSGF(t *testing.T) {
	tests := []struct {
		name, text, moves string
		opening           int
	}{
		{"c-gomoku-cli", "(;FF[4]GM[4]GN[1]EV[A x B]RO[1.1]RU[0]SZ[15]PB[A]PW[B]RE[B+1]TE[Black win by five connection]\n" +
			";B[hh]C[opening move];W[ih]C[opening move]\n;B[hi]C[120ms];W[gj]C[95ms])\n", "h8i8h9g10", 2},
		{"rows from the bottom", "(;GM[4]SZ[15];B[h8];W[a1];B[o15];W[i10])", "h8a15o1i6", 0},
		{"variations", "(;GM[4];B[hh](;W[ii](;B[jj])(;B[kk]))(;W[aa];B[bb];B[cc]))", "h8i9j10", 0},
		{"setup", "(;GM[4]AB[hh][ii]AW[jj];W[kk])", "h8j10i9k11", 3},
		{"setup with six in a row", "(;GM[4]RU[standard]AB[ho][io][jo][ko][lo][mo]AW[aa][ca][ea][ga][ia];W[ka])", "h15a1i15c1j15e1k15g1m15i1l15k1", 11},
		{"setup of a game that is over", "(;GM[4]AB[ho][io][jo][ko][lo]AW[aa][ca][ea][ga])", "h15a1i15c1j15e1k15g1l15", 9},
		{"small letters of FF[3]", "(;GaMe[4]SiZe[19];Black[hh];White[ii])", "h8i9", 0},
		{"two-sided size and blanks", "\n ( ; GM [4] SZ [ 15:15 ] \n ; B [ hh ] )", "h8", 0},
		{"no root properties", "(;B[hh];W[ii])", "h8i9", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			games, err := Parse([]byte(test.text), SGF, DefaultConditions())
			if err != nil || len(games) != 1 || board.FormatMoves(games[0].Cells()) != test.moves || games[0].Opening != test.opening {
				t.Errorf("%+v (%v)", games, err)
			}
		})
	}
	results := map[string]board.Outcome{
		"B+1": board.BlackWins, "W+R": board.WhiteWins, "w+time": board.WhiteWins, "0": board.Draw, "Draw": board.Draw, "?": board.Ongoing, "Void": board.Ongoing,
	}
	for text, want := range results {
		if g := mustParse(t, "(;RE["+text+"])", SGF)[0]; g.Outcome != want {
			t.Errorf("RE[%s] is %v", text, g.Outcome)
		}
	}
	for text, want := range map[string]Reason{
		"RE[W+F]": ReasonForfeit, "RE[B+Forfeit]": ReasonForfeit, "RE[W+F]GC[crash]": ReasonCrash, "RE[W+T]": ReasonTimeout, "RE[W+1]": ReasonUnknown,
		"RE[B+F]AB[ho][io][jo][ko][lo]AW[aa][ca][ea][ga]": ReasonBoard,
	} {
		t.Run(text, func(t *testing.T) {
			g := mustParse(t, "(;"+text+")", SGF)[0]
			var out bytes.Buffer
			if err := Write(&out, SGF, &g); err != nil {
				t.Fatal(err)
			}
			if again := mustParse(t, out.String(), SGF)[0]; g.Reason != want || again.Reason != want || again.Outcome != g.Outcome {
				t.Errorf("%s: the reason is %q, read again %q, want %q", text, g.Reason, again.Reason, want)
			}
		})
	}
	for text, want := range map[string]pattern.Rule{"1": pattern.Standard, "Standard": pattern.Standard, "0": pattern.Freestyle, "as agreed": pattern.Freestyle} {
		if g := mustParse(t, "(;RU["+text+"])", SGF)[0]; g.Rule != want {
			t.Errorf("RU[%s] is %v", text, g.Rule)
		}
	}
}

// Variations are read as far as they are legal, and written as they were.
func TestVariations(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{"siblings", "(;GM[4];B[hh](;W[ii](;B[jj])(;B[kk]))(;W[aa];B[bb];B[cc]))", "h8(i9(j10)(k11))(a1b2)"},
		{"of the first move", "(;GM[4](;B[hh];W[ii])(;B[aa]))", "(h8i9)(a1)"},
		{"after stones that are set up", "(;GM[4]AB[hh][ii]AW[jj](;W[kk])(;W[aa]))", "h8C[opening move]j10C[opening move]i9C[opening move](k11)(a1)"},
		{"the same move twice", "(;B[hh](;W[ii];B[jj])(;W[ii];B[kk]))", "h8i9(j10)(k11)"},
		{"an occupied cell", "(;B[hh](;W[ii])(;W[hh];B[jj]))", "h8i9"},
		{"stones in a variation", "(;B[hh](;W[ii])(;AB[aa];W[jj]))", "h8i9"},
		{"the wrong colour", "(;B[hh](;W[ii])(;B[jj]))", "h8i9"},
		{"below a comment", "(;B[hh](;W[ii])(;C[or];W[jj];B[kk](;W[ll])(;W[mm])))", "h8(i9)(j10k11(l12)(m13))"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g := mustParse(t, test.text, SGF)[0]
			var out bytes.Buffer
			if err := Write(&out, SGF, &g); err != nil {
				t.Fatal(err)
			}
			written := regexp.MustCompile(`;[BW]\[(..)\]`).ReplaceAllStringFunc(out.String(), func(move string) string {
				return board.At(int(move[3]-'a'), int(move[4]-'a')).String()
			})
			if got := strings.ReplaceAll(written[strings.Index(written, "RU[freestyle]")+len("RU[freestyle]"):], "\n", ""); got != test.want+")" {
				t.Errorf("written is %s, want %s", got, test.want)
			}
			if again := mustParse(t, out.String(), SGF)[0]; !reflect.DeepEqual(again, g) {
				t.Errorf("read again it is %+v, not %+v", again, g)
			}
		})
	}
}

func TestReadOthers(t *testing.T) {
	tests := []struct {
		format Format
		text   string
		moves  string
	}{
		{Plain, "h8 i9 # two\n\n# none\r\ng7\r\n", "h8i9g7"},
		{Rec, "A\r\nB\r\n9,9,100\r\n10,10,0\r\n", "j10k11"},
		{Offsets, "0,0, 1,-1\r\n", "h8i7"},
	}
	for _, test := range tests {
		t.Run(test.format.String(), func(t *testing.T) {
			if g := mustParse(t, test.text, test.format)[0]; board.FormatMoves(g.Cells()) != test.moves {
				t.Errorf("%v: %+v", test.format, g)
			}
		})
	}
}

// A comment that no program of ours wrote stays as it is.
func TestForeignComments(t *testing.T) {
	g := mustParse(t, "(;B[hh]C[score +3\n99999999999ms];W[ii]C[win in 3 plies\n--\n--])", SGF)[0]
	if m := g.Moves[0]; *m.Score != 3 || m.Time != 0 || m.Comment != "99999999999ms" {
		t.Errorf("%+v", m)
	}
	if m := g.Moves[1]; m.Win != 3 || m.Comment != "--" {
		t.Errorf("%+v", m)
	}
}

// A proven end is read as it is written, and as files of before have it.
func TestWinText(t *testing.T) {
	for text, want := range map[string]int{
		"win in 1 ply": 1, "win in 7 plies": 7, "loss in 1 ply": -1, "loss in 8 plies": -8,
	} {
		t.Run(text, func(t *testing.T) {
			if got := WinText(want); got != text {
				t.Errorf("%d is %q", want, got)
			}
			for _, form := range []string{text, strings.ReplaceAll(text, "ply", "plies")} {
				if got := mustParse(t, "(;B[hh]C["+form+"])", SGF)[0].Moves[0]; got.Win != want || got.Comment != "" {
					t.Errorf("%q is read as %+v", form, got)
				}
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	const head = "Piskvorky 15x15, 11:11, 0\n"
	const line = `{"format":"quintune.game/1","size":15,"rule":"freestyle","result":"","moves":"h8i9"`
	const foul = ";B[hh];W[aa];B[ih];W[ac];B[ji];W[ae];B[jj];W[ag];B[jh]"
	tests := []struct {
		format Format
		text   string
		want   []string // parts of the error
	}{
		{PSQ, "", []string{"psq", "line 1"}},
		{PSQ, "Piskvorky 15x20, 0:0, 0", []string{"line 1", "15 x 20", "square"}},
		{PSQ, "Piskvorky 99x99, 0:0, 0", []string{"line 1", "99", "[5, 22]"}},
		{PSQ, head + "1,1,0\n16,1,0\n", []string{"line 3", "x is 16", "[1, 15]"}},
		{PSQ, head + "1,0,0\n", []string{"line 2", "y is 0", "[1, 15]"}},
		{PSQ, head + "1,1,0\n2,2,0\n1,1,0\n", []string{"line 4", "taken since line 2"}},
		{PSQ, head + "1,1,99999999999\n", []string{"line 2", "99999999999 ms", "3600000000"}},
		{PSQ, head + "1,1,0\n2,x,0\n3,3,0\n", []string{"line 3", "2,x,0", "moves follow"}},
		{PSQ, head + "1,1,0\nA\nB\nC\n", []string{"line 5", `"C"`}},
		{PSQ, head + "1,1,0\nA\n", []string{"line 3", `"A"`}},
		{PSQ, head + "8,8,0\n1,1,0\n8,9,0\n1,2,0\n8,10,0\n1,3,0\n8,11,0\n1,4,0\n8,12,0\n1,5,0\n", []string{"move 10", "the game is over", "rule freestyle"}},

		{SGF, "", []string{"sgf", "no game"}},
		{SGF, "(;GM[1];B[hh])", []string{"line 1", "GM", "1", "4"}},
		{SGF, "(;SZ[99])", []string{"line 1", "SZ", "[5, 22]"}},
		{SGF, "(;SZ[15:19])", []string{"square"}},
		{SGF, "(;GM[4]\n;B[hh]\n;B[ii])", []string{"line 3", "move 2", "white"}},
		{SGF, "(;GM[4];B[hh]W[ii])", []string{"line 1", "two moves"}},
		{SGF, "(;GM[4];B[hh][ii])", []string{"two moves"}},
		{SGF, "(;GM[4];B[])", []string{"passes"}},
		{SGF, "(;GM[4];B[pp])", []string{`"pp"`, "size 15"}},
		{SGF, "(;GM[4];B[h0])", []string{`"h0"`, "size 15"}},
		{SGF, "(;GM[4];B[hhh])", []string{`"hhh"`}},
		{SGF, "(;GM[4];B[a+5])", []string{`"a+5" is not a cell`}},
		{SGF, "(;GM[4];B[hh];W[hh])", []string{"line 1", "move 2", "occupied"}},
		{SGF, "(;GM[4]\n;B[hh", []string{"line 2", "not ended by ]"}},
		{SGF, "(;GM[4];B[hh]", []string{"end of the file"}},
		{SGF, "(;GM[4];B[hh]))", []string{") closes nothing"}},
		{SGF, strings.Repeat("(", maxNesting+1), []string{"more than 10000 ( lie in each other"}},
		{SGF, "()", []string{"no node"}},
		{SGF, ";B[hh]", []string{"outside ( )"}},
		{SGF, "(;GM[4]GM[4])", []string{"GM comes twice"}},
		{SGF, "(;gm[4])", []string{"no capital"}},
		{SGF, "(;GM)", []string{"no value"}},
		{SGF, "(;RE[B wins])", []string{"RE", "B wins"}},
		{SGF, "(;RU[9])", []string{"RU", "rule 9 (caro)"}},
		{SGF, "(;AB[hh][ii][jj])", []string{"3 black and 0 white"}},
		{SGF, "(;AB[hh]AW[ii];B[jj]AW[kk])", []string{"after the first move"}},
		{SGF, "(;AE[hh])", []string{"taken away"}},
		{SGF, "(;RE[W+1];B[hh];W[aa];B[hi];W[ab];B[hj];W[ac];B[hk];W[ad];B[hl])", []string{"white wins", "black wins"}},

		{SGF, "(;RE[B+]GC[board];B[hh];W[aa];B[hi])", []string{"line 1", `reason is "board"`, "no winning row"}},
		{SGF, "(;RE[0]GC[board])", []string{`reason is "board"`}},
		{SGF, "(;RE[W+F]RU[renju]GC[board]" + foul + ")", []string{`reason is "board"`}},
		{SGF, "(;RE[W+F]GC[forbidden point];B[hh])", []string{`reason is "forbidden point"`, "freestyle"}},
		{SGF, "(;RE[B+F]RU[renju]GC[forbidden point];B[hh])", []string{`reason is "forbidden point"`, "black wins"}},

		{Plain, "h8i9\nx1", []string{"moves", "line 2", `"x1"`}},
		{Plain, "p1", []string{"line 1", "p1", "size 15"}},
		{Plain, "h8h8", []string{"move 2", "h8", "occupied"}},

		{JSON, line, []string{"jsonl", "line 1"}},
		{JSON, line + "}\n{}", []string{"line 2", "format"}},
		{JSON, line + `,"colour":1}`, []string{"colour"}},
		{JSON, line + `,"size":16}`, []string{"size", "twice"}},
		{JSON, line + `,"Opening":1}`, []string{"Opening", `did you mean "opening"?`}},
		{JSON, line + `,"opening":3}`, []string{"opening is 3", "[0, 2]"}},
		{JSON, line + `,"ms":[1]}`, []string{"1 numbers", "2 moves"}},
		{JSON, line + `,"ms":[1,-1]}`, []string{"move 2", "-1"}},
		{JSON, line + `,"notes":[{"ply":2},{"ply":1}]}`, []string{"ply of a note is 1", "[3, 2]"}},
		{JSON, line + `,"notes":[{"ply":1,"win":10000}]}`, []string{"win of move 1", "9999"}},
		{JSON, line + `,"notes":[{"ply":1,"score":2147483648}]}`, []string{"2147483648"}},
		{JSON, line + `,"notes":[{"ply":1,"ply":1}]}`, []string{"twice"}},
		{JSON, line + `,"reason":"luck"}`, []string{"luck"}},
		{JSON, line + `,"reason":"board"}`, []string{`reason is "board"`}},
		{JSON, line + `} 1`, []string{"after top-level value"}},
		{JSON, strings.Replace(line, "15", "23", 1) + "}", []string{"size is 23", "[5, 22]"}},
		{JSON, strings.Replace(line, "freestyle", "caro", 1) + "}", []string{"caro"}},
		{JSON, strings.Replace(line, `"result":""`, `"result":"B"`, 1) + "}", []string{`"B"`}},
		{JSON, strings.Replace(line, "h8i9", "h8h8", 1) + "}", []string{"move 2"}},
		{JSON, strings.Replace(line, "game/1", "game/2", 1) + "}", []string{"game/2"}},

		{Rec, "A", []string{"rec", "line 1"}},
		{Rec, "A\nB\n20,0,0", []string{"line 3", "x is 20", "[0, 19]"}},
		{Rec, "A\nB\nC", []string{"line 3", `"C"`}},
		{Rec, "A\nB\n9,9,100\n0\n10,10,0", []string{"line 5", "10,10,0"}},
		{Offsets, "0,0, 8,0", []string{"offsets", "line 1", "8,0", "size 15"}},
		{Offsets, "0,0\n1", []string{"line 2"}},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%v %.40q", test.format, test.text), func(t *testing.T) {
			games, err := Parse([]byte(test.text), test.format, DefaultConditions())
			if err == nil {
				t.Errorf("%v %q is read: %+v", test.format, test.text, games)
				return
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%v %q: %q does not name %q", test.format, test.text, err, part)
				}
			}
		})
	}
}

func TestTooManyGames(t *testing.T) {
	for f, text := range map[Format]string{SGF: "(;)", JSON: `{"format":"quintune.game/1","size":15,"rule":"freestyle","result":"","moves":""}` + "\n"} {
		if _, err := Parse([]byte(strings.Repeat(text, MaxGames+1)), f, DefaultConditions()); err == nil || !strings.Contains(err.Error(), "more than 100000") {
			t.Errorf("%v: %v", f, err)
		}
	}
}

// Black's last stone may stand on a forbidden cell, by which White has won; no other may.
func TestForbiddenMoves(t *testing.T) {
	const moves = "h8a1i8a3j9a5j10a7j8"
	c := Conditions{Size: 15, Rule: pattern.Renju}
	games, err := Parse([]byte(moves), Plain, c)
	if err != nil || games[0].Outcome != board.WhiteWins || games[0].Reason != ReasonForbidden || !games[0].Fouled() {
		t.Fatalf("%+v (%v)", games, err)
	}
	short := games[0] // as the page exports it
	short.Moves = short.Moves[:len(short.Moves)-1]
	for _, f := range []Format{SGF, JSON} {
		for _, want := range []Game{games[0], short} {
			if again := mustParse(t, written(t, f, &want), f); !reflect.DeepEqual(again, []Game{want}) {
				t.Errorf("%v: %+v", f, again)
			}
		}
	}
	if _, err := Parse([]byte(moves+"a9"), Plain, c); err == nil || !strings.Contains(err.Error(), "move 9: j8: the cell is forbidden") {
		t.Errorf("%v", err)
	}
	if g := mustParse(t, moves, Plain)[0]; g.Fouled() || g.Outcome != board.Ongoing {
		t.Errorf("in freestyle: %+v", g)
	}
}
