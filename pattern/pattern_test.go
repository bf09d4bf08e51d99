package pattern

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// everyLine calls visit for each line of the rule with an own stone in the middle.
func everyLine(rule Rule, visit func(line []Square)) {
	n := 2 * rule.Reach()
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
		tables, lines := TablesFor(rule), 0
		everyLine(rule, func(line []Square) {
			lines++
			want := Classify(rule, line)
			for _, other := range []uint32{BitsWhite, BitsWall} {
				left, right := tableKeys(line, BitsBlack, other)
				if got := Line(tables.Pair(left, right) & 15); got != want {
					t.Fatalf("%v %v: black's class is %v, want %v", rule, line, got, want)
				}
			}
			left, right := tableKeys(line, BitsWhite, BitsBlack)
			if got := Line(tables.Pair(left, right) >> 4); got != want {
				t.Fatalf("%v %v: white's class is %v, want %v", rule, line, got, want)
			}
		})
		if want := map[Rule]int{Freestyle: 6561, Standard: 59049}[rule]; lines != want {
			t.Errorf("%v: %d lines visited, want %d", rule, lines, want)
		}
	}
}

type vectors struct {
	Lines []struct {
		ID, Rule, Line, Class string
		FivePoints            []int `json:"five_points"`
		OpenFourPoints        []int `json:"open_four_points"`
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
		"NONE", "L_TWO", "K_CLOSED_THREE", "J_DOUBLE_TWO", "I_CLOSED_THREE_PLUS", "H_THREE", "G_THREE_PLUS",
		"F_DOUBLE_THREE", "E_FOUR", "D_FOUR_PLUS", "C_FOUR_THREE", "B_OPEN_FOUR", "A_FIVE",
	}
)

func TestHistograms(t *testing.T) {
	v := readVectors(t)
	for rule := range Rule(NumRules) {
		got := map[string]int{}
		everyLine(rule, func(line []Square) { got[lineWords[Classify(rule, line)]]++ })
		want := v.Histograms[rule.String()]
		for _, word := range lineWords {
			if got[word] != want[word] {
				t.Errorf("%v: %d lines are %s, want %d", rule, got[word], word, want[word])
			}
		}
	}
}

// parse reads a drawn line (X own, O theirs, _ empty, * the stone just placed, ends are edges)
// into the rule's window; shift moves the middle off the * by that many cells.
func parse(t *testing.T, rule Rule, drawn string, shift int) []Square {
	t.Helper()
	star := slices.Index([]byte(drawn), '*')
	if star < 0 {
		t.Fatalf("%q has no *", drawn)
	}
	reach := rule.Reach()
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
		rule, err := ParseRule(vec.Rule)
		if err != nil {
			t.Fatal(err)
		}
		if got := lineWords[Classify(rule, parse(t, rule, vec.Line, 0))]; got != vec.Class {
			t.Errorf("%s %s %s: %s, want %s", vec.ID, vec.Rule, vec.Line, got, vec.Class)
		}
		if vec.Class != "FOUR" && vec.Class != "OPEN_FOUR" {
			continue
		}
		for _, point := range vec.FivePoints {
			if got := Classify(rule, parse(t, rule, vec.Line, point)); got != Five {
				t.Errorf("%s %s %s: a stone at %+d makes %v, want five", vec.ID, vec.Rule, vec.Line, point, got)
			}
		}
	}
}

func TestCellVectors(t *testing.T) {
	for _, vec := range readVectors(t).Cells {
		rule, err := ParseRule(vec.Rule)
		if err != nil {
			t.Fatal(err)
		}
		var lines [4]Line
		for i, drawn := range vec.Lines {
			lines[i] = Classify(rule, parse(t, rule, drawn, 0))
		}
		for range 4 { // order does not matter
			lines[0], lines[1], lines[2], lines[3] = lines[3], lines[0], lines[1], lines[2]
			if got := cellWords[EntryOf(lines[0], lines[1], lines[2], lines[3]).Class()]; got != vec.Class {
				t.Errorf("%s %v: %s, want %s", vec.Rule, vec.Lines, got, vec.Class)
			}
		}
	}
}

func TestCodesNumberTheMultisets(t *testing.T) {
	seen := map[Code][4]Line{}
	for packed := range 1 << 16 {
		lines := unpack(packed)
		if slices.Max(lines[:]) >= NumLines {
			continue
		}
		entry := EntryOf(lines[0], lines[1], lines[2], lines[3])
		slices.Sort(lines[:])
		if known, ok := seen[entry.Code()]; ok && known != lines {
			t.Fatalf("code %d stands for %v and %v", entry.Code(), known, lines)
		}
		seen[entry.Code()] = lines
		if Combined().Lines[entry.Code()] != lines {
			t.Fatalf("Lines[%d] is %v, want %v", entry.Code(), Combined().Lines[entry.Code()], lines)
		}
		if entry.Class() != ClassifyCell(lines) {
			t.Fatalf("%v: entry says %v, want %v", lines, entry.Class(), ClassifyCell(lines))
		}
	}
	if len(seen) != NumCodes {
		t.Errorf("%d codes, want %d", len(seen), NumCodes)
	}
	if code := EntryOf(Dead, Dead, Dead, Dead).Code(); code != 0 {
		t.Errorf("four dead lines have code %d, want 0", code)
	}
}

func TestRuleNames(t *testing.T) {
	for rule := range Rule(NumRules) {
		if got, err := ParseRule(rule.String()); err != nil || got != rule {
			t.Errorf("ParseRule(%q) = %v, %v", rule.String(), got, err)
		}
	}
	for _, bad := range []string{"", "Freestyle", "renju", "rule(7)"} {
		if _, err := ParseRule(bad); err == nil {
			t.Errorf("ParseRule(%q) is accepted", bad)
		}
	}
	if got := Rule(7).String(); got != "rule(7)" {
		t.Errorf("Rule(7) is %q", got)
	}
}
