package pattern

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// everyLine calls visit for each line of the law with an own stone in the middle.
func everyLine(law Law, visit func(line []Square)) {
	n := 2 * law.Reach()
	line := make([]Square, n+1)
	line[n/2] = Own
	total := 1
	for range n {
		total *= 3
	}
	for number := range total {
		rest := number
		for i := range line {
			if i == n/2 {
				continue
			}
			line[i] = Square(rest % 3)
			rest /= 3
		}
		visit(line)
	}
}

// tableKeys packs the cells around the middle as the board does, own stones as black.
func tableKeys(line []Square, own, other uint32) (left, right uint32) {
	middle := len(line) / 2
	bits := [...]uint32{Empty: BitsEmpty, Own: own, Opponent: other}
	at := func(i int) uint32 {
		if i < 0 || i >= len(line) {
			return BitsWall
		}
		return bits[line[i]]
	}
	for i := range 5 {
		left |= at(middle-5+i) << (2 * i)
		right |= at(middle+1+i) << (2 * i)
	}
	return left, right
}

func TestTablesEqualRecursionOnEveryLine(t *testing.T) {
	for rule := range Rule(NumRules) {
		tables := TablesFor(rule)
		everyLine(rule.Black(), func(line []Square) {
			want := Classify(rule.Black(), line)
			for _, other := range []uint32{BitsWhite, BitsWall} {
				left, right := tableKeys(line, BitsBlack, other)
				if got, _ := tables.Classes(left, right); got != want {
					t.Fatalf("%v %v: black's class is %v, want %v", rule, line, got, want)
				}
			}
		})
		everyLine(rule.White(), func(line []Square) {
			left, right := tableKeys(line, BitsWhite, BitsBlack)
			_, got := tables.Classes(left, right)
			if want := Classify(rule.White(), line); got != want {
				t.Fatalf("%v %v: white's class is %v, want %v", rule, line, got, want)
			}
		})
	}
}

// distances returns how far from the middle the empty cells are for which a stone there passes the test.
func distances(line []Square, test func(line []Square, at int) bool) (found []int) {
	for at := range line {
		if line[at] != Empty {
			continue
		}
		line[at] = Own
		if test(line, at) {
			found = append(found, at-len(line)/2)
		}
		line[at] = Empty
	}
	return found
}

// rowWith returns the bounds of the row of own stones through the middle, which is (0, 0) where it does not hold at.
func rowWith(line []Square, at int) (from, to int) {
	from, to = len(line)/2, len(line)/2
	for from > 0 && line[from-1] == Own {
		from--
	}
	for to+1 < len(line) && line[to+1] == Own {
		to++
	}
	if at < from || to < at {
		return 0, 0
	}
	return from, to
}

// makesFive reports whether the stone makes exactly five with the middle.
func makesFive(line []Square, at int) bool {
	from, to := rowWith(line, at)
	return to-from == 4
}

// makesStraightFour reports whether the stone makes, with the middle, an unbroken four of two completing cells.
func makesStraightFour(line []Square, at int) bool {
	from, to := rowWith(line, at)
	if to-from != 3 || from == 0 || to == len(line)-1 {
		return false
	}
	fives := distances(line, makesFive)
	return len(fives) == 2 && fives[1]-fives[0] == 5
}

// The wording of the renju federation's rules gives the classes that decide about forbidden moves.
func TestRestrictedLinesFollowTheRules(t *testing.T) {
	everyLine(Restricted, func(line []Square) {
		from, to := rowWith(line, len(line)/2)
		fives := distances(line, makesFive)
		want := Dead // stands for no four and no three
		switch {
		case to-from == 4:
			want = Five
		case to-from > 4, len(fives) == 2 && fives[1]-fives[0] < 5:
			want = Overline
		case len(fives) == 2:
			want = OpenFour
		case len(fives) == 1:
			want = Four
		default:
			switch len(distances(line, makesStraightFour)) {
			case 0:
			case 1:
				want = OpenThree
			default:
				want = OpenThree2
			}
		}
		got := Classify(Restricted, line)
		if got < OpenThree {
			got = Dead
		}
		if got != want {
			t.Fatalf("%v is %v, want %v", line, got, want)
		}
	})
}

// Under Restricted a line is never stronger than under the law of exactly five, and differs only where a move is
// forbidden.
func TestRestrictedIsNeverStronger(t *testing.T) {
	fouls := 0
	everyLine(Restricted, func(line []Square) {
		exact, restricted := Classify(Exact, line), Classify(Restricted, line)
		switch {
		case restricted == Overline && exact == OpenFour:
			fouls++
		case restricted > exact:
			t.Fatalf("%v is %v, without the fouls %v", line, restricted, exact)
		}
	})
	if fouls == 0 {
		t.Error("no line has two fours")
	}
}

type vectors struct {
	Lines []struct {
		ID, Rule, Class string
		Drawn           string `json:"line"`
		FivePoints      []int  `json:"five_points"`
		OpenFourPoints  []int  `json:"open_four_points"`
	} `json:"line_vectors"`
	Cells []struct {
		Rule, Class string
		Lines       []string
	} `json:"cell_vectors"`
	Histograms map[string]map[string]int
}

func readVectors(t *testing.T) (v vectors) {
	t.Helper()
	data, err := os.ReadFile("testdata/pattern_vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Lines) != 222 || len(v.Cells) != 21 || len(v.Histograms) != 2 {
		t.Fatalf("%d lines, %d cells, %d histograms, want 222, 21, 2", len(v.Lines), len(v.Cells), len(v.Histograms))
	}
	return v
}

// The vectors' own words for the classes.
var (
	lineWords = []string{
		"DEAD", "CLOSED_ONE", "OPEN_ONE", "CLOSED_TWO", "OPEN_TWO", "OPEN_TWO_3", "OPEN_TWO_4",
		"CLOSED_THREE", "OPEN_THREE", "OPEN_THREE_2", "FOUR", "OPEN_FOUR", "FIVE", "OVERLINE",
	}
	cellWords = []string{
		"NONE", "FORBIDDEN", "L_TWO", "K_CLOSED_THREE", "J_DOUBLE_TWO", "I_CLOSED_THREE_PLUS", "H_THREE", "G_THREE_PLUS",
		"F_DOUBLE_THREE", "E_FOUR", "D_FOUR_PLUS", "C_FOUR_THREE", "B_OPEN_FOUR", "A_FIVE",
	}
)

// The vectors' words for the laws they cover.
var laws = map[string]Law{"freestyle": Free, "standard": Exact}

func TestHistograms(t *testing.T) {
	v := readVectors(t)
	for name, law := range laws {
		got := map[string]int{}
		everyLine(law, func(line []Square) { got[lineWords[Classify(law, line)]]++ })
		want := v.Histograms[name]
		for _, word := range lineWords {
			if got[word] != want[word] {
				t.Errorf("%v: %d lines are %s, want %d", name, got[word], word, want[word])
			}
		}
	}
}

// parse reads a drawn line (X own, O theirs, _ empty, * the stone just placed, ends are edges)
// into the law's window; shift moves the middle off the * by that many cells.
func parse(t *testing.T, law Law, drawn string, shift int) []Square {
	t.Helper()
	star := slices.Index([]byte(drawn), '*')
	if star < 0 {
		t.Fatalf("%q has no *", drawn)
	}
	reach := law.Reach()
	line := make([]Square, 2*reach+1)
	for i := range line {
		line[i] = Opponent
		if at := star + shift + i - reach; at >= 0 && at < len(drawn) {
			line[i] = map[byte]Square{'X': Own, '*': Own, 'O': Opponent, '_': Empty}[drawn[at]]
		}
	}
	line[reach] = Own
	return line
}

func TestLineVectors(t *testing.T) {
	for _, vec := range readVectors(t).Lines {
		law, known := laws[vec.Rule]
		if !known {
			t.Fatalf("%s is not a rule of the vectors", vec.Rule)
		}
		t.Run(vec.ID+" "+vec.Rule, func(t *testing.T) {
			if got := lineWords[Classify(law, parse(t, law, vec.Drawn, 0))]; got != vec.Class {
				t.Errorf("%s: %s, want %s", vec.Drawn, got, vec.Class)
			}
			for _, point := range vec.OpenFourPoints {
				if got := Classify(law, parse(t, law, vec.Drawn, point)); got != OpenFour {
					t.Errorf("%s: a stone at %+d makes %v, want an open four", vec.Drawn, point, got)
				}
			}
			if vec.Class != "FOUR" && vec.Class != "OPEN_FOUR" {
				return
			}
			for _, point := range vec.FivePoints {
				if got := Classify(law, parse(t, law, vec.Drawn, point)); got != Five {
					t.Errorf("%s: a stone at %+d makes %v, want five", vec.Drawn, point, got)
				}
			}
		})
	}
}

func TestCellVectors(t *testing.T) {
	for _, vec := range readVectors(t).Cells {
		law, known := laws[vec.Rule]
		if !known {
			t.Fatalf("%s is not a rule of the vectors", vec.Rule)
		}
		var lines [4]LineClass
		for i, drawn := range vec.Lines {
			lines[i] = Classify(law, parse(t, law, drawn, 0))
		}
		for range 4 { // order does not matter
			lines[0], lines[1], lines[2], lines[3] = lines[3], lines[0], lines[1], lines[2]
			if got := cellWords[law.Combined().EntryOf(lines[0], lines[1], lines[2], lines[3]).Class()]; got != vec.Class {
				t.Errorf("%s %v: %s, want %s", vec.Rule, vec.Lines, got, vec.Class)
			}
		}
	}
}

func TestCodesNumberTheMultisets(t *testing.T) {
	for law := range Law(NumLaws) {
		table := law.Combined()
		seen := map[Code][4]LineClass{}
		for packed := range 1 << 16 {
			lines := unpack(packed)
			if slices.Max(lines[:]) >= NumLines {
				continue
			}
			entry := table.EntryOf(lines[0], lines[1], lines[2], lines[3])
			slices.Sort(lines[:])
			if known, ok := seen[entry.Code()]; ok && known != lines {
				t.Fatalf("code %d stands for %v and %v", entry.Code(), known, lines)
			}
			seen[entry.Code()] = lines
			if table.Lines[entry.Code()] != lines {
				t.Fatalf("Lines[%d] is %v, want %v", entry.Code(), table.Lines[entry.Code()], lines)
			}
			if entry.Class() != law.ClassifyCell(lines) {
				t.Fatalf("%v: entry says %v, want %v", lines, entry.Class(), law.ClassifyCell(lines))
			}
		}
		if len(seen) != NumCodes || table.Lines != Free.Combined().Lines {
			t.Errorf("%d codes, want %d, alike for all laws", len(seen), NumCodes)
		}
		if code := table.EntryOf(Dead, Dead, Dead, Dead).Code(); code != 0 {
			t.Errorf("four dead lines have code %d, want 0", code)
		}
	}
}

// A class above CellForbidden that is neither CellDoubleThree nor CellFourThree must be allowed for sure.
func TestRestrictedCellClasses(t *testing.T) {
	for _, lines := range Restricted.Combined().Lines {
		fours, threes, fouls, fives := 0, 0, 0, 0
		for _, l := range lines {
			switch l {
			case Four, OpenFour:
				fours++
			case OpenThree, OpenThree2:
				threes++
			case Overline:
				fouls++
			case Five:
				fives++
			}
		}
		class, free := Restricted.ClassifyCell(lines), Free.ClassifyCell(lines)
		sure := fives == 0 && (fouls > 0 || fours >= 2)
		maybeForbidden := fives == 0 && !sure && threes >= 2
		switch {
		case (class == CellForbidden) != sure:
			t.Errorf("%v is %v", lines, class)
		case maybeForbidden != (threes >= 2 && (class == CellDoubleThree || class == CellFourThree)):
			t.Errorf("%v is %v, which hides that it may be forbidden", lines, class)
		case !sure && !maybeForbidden && class != free:
			t.Errorf("%v is %v, without fouls %v", lines, class, free)
		}
	}
}

func TestRuleNames(t *testing.T) {
	for rule := range Rule(NumRules) {
		if got, err := ParseRule(rule.String()); err != nil || got != rule {
			t.Errorf("ParseRule(%q) = %v, %v", rule.String(), got, err)
		}
	}
	for _, bad := range []string{"", "Freestyle", "caro", "rule(7)"} {
		t.Run(bad, func(t *testing.T) {
			if _, err := ParseRule(bad); err == nil {
				t.Errorf("ParseRule(%q) is accepted", bad)
			}
		})
	}
	if got := Rule(7).String(); got != "rule(7)" {
		t.Errorf("Rule(7) is %q", got)
	}
}
