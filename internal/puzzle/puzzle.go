// Package puzzle finds positions in games in which exactly one move begins a forced win, and reads and writes them.
//
// A win is one by continuous fours (VCF) or by continuous threats (VCT), found by the solvers of package search. What
// "exactly one" means is said at unique, and for people in docs/puzzles.md.
package puzzle

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"quintune/board"
	"quintune/internal/strictjson"
	"quintune/pattern"
)

// Format is the format number that every puzzle carries.
const Format = "quintune.puzzle/1"

// Kind is how a puzzle is won.
type Kind string

// Kinds of puzzles.
const (
	VCF Kind = "vcf" // by continuous fours
	VCT Kind = "vct" // by continuous threats: there is no win by fours alone
)

// Puzzle is a position with the one move that begins a forced win. Cells are in pos notation.
type Puzzle struct {
	Format   string   `json:"format"`
	ID       string   `json:"id"` // the same for all turned and mirrored images of the position
	Rule     string   `json:"rule"`
	Size     int      `json:"size"`
	Moves    string   `json:"moves"` // that lead to the position, Black first
	Turn     string   `json:"turn"`  // the side that moves and wins
	Kind     Kind     `json:"kind"`
	Best     string   `json:"best"`     // the only winning move
	Solution []string `json:"solution"` // best first, both sides, up to the five
	Plies    int      `json:"plies"`    // of the solution
	Nodes    int64    `json:"nodes"`    // that the solver needed
	Level    int      `json:"level"`    // from 1, easy, to MaxLevel, hard
}

// MaxLevel is the level of the hardest puzzles.
const MaxLevel = 5

// level rates a puzzle: a longer win, and one that takes the solver more, is harder to see.
func level(plies int, nodes int64) int {
	work := 0 // doublings of the nodes
	for n := nodes; n > 1; n /= 2 {
		work++
	}
	return max(1, min(MaxLevel, (plies+work-6)/4))
}

// Position returns the puzzle's position, in which the game goes on. The error names what is wrong.
func (p *Puzzle) Position() (*board.Board, error) {
	rule, err := pattern.ParseRule(p.Rule)
	if err != nil {
		return nil, err
	}
	b, err := board.New(p.Size, rule)
	if err != nil {
		return nil, err
	}
	if err := playAll(b, p.Moves); err != nil {
		return nil, fmt.Errorf("moves: %w", err)
	}
	if b.Outcome() != board.Ongoing {
		return nil, fmt.Errorf("moves: the game is over (%v)", b.Outcome())
	}
	return b, nil
}

// check returns an error where the puzzle contradicts itself: its solution must be legal and end with the five.
func (p *Puzzle) check() error {
	if p.Format != Format {
		return fmt.Errorf("format is %.40q, not %q", p.Format, Format)
	}
	b, err := p.Position()
	if err != nil {
		return err
	}
	winner := b.SideToMove()
	switch {
	case p.ID == "":
		return errors.New("id is empty")
	case p.Kind != VCF && p.Kind != VCT:
		return fmt.Errorf("kind is %.20q, not %q or %q", p.Kind, VCF, VCT)
	case p.Turn != winner.String():
		return fmt.Errorf("turn is %.20q, and %v is to move", p.Turn, winner)
	case len(p.Solution) == 0 || p.Best != p.Solution[0]:
		return fmt.Errorf("best is %.20q, not the first move of the solution", p.Best)
	case p.Plies != len(p.Solution):
		return fmt.Errorf("plies is %d, and the solution has %d", p.Plies, len(p.Solution))
	case p.Level < 1 || p.Level > MaxLevel:
		return fmt.Errorf("level is %d, outside [1, %d]", p.Level, MaxLevel)
	}
	for _, move := range p.Solution {
		cell, err := board.ParseCell(move)
		if err == nil {
			err = play(b, cell)
		}
		if err != nil {
			return fmt.Errorf("solution: %w", err)
		}
	}
	if b.Outcome() != board.WinFor(winner) {
		return fmt.Errorf("solution: it ends with %v, not with a win of %v", b.Outcome(), winner)
	}
	return nil
}

// playAll plays moves in pos notation.
func playAll(b *board.Board, moves string) error {
	cells, err := board.ParseMoves(moves)
	if err != nil {
		return err
	}
	for _, c := range cells {
		if err := play(b, c); err != nil {
			return err
		}
	}
	return nil
}

// play plays a move, or returns an error where it is not legal.
func play(b *board.Board, c board.Cell) error {
	if err := b.Legal(c); err != nil {
		return err
	}
	b.Play(c)
	return nil
}

// Write writes puzzles as JSON lines, one a line.
func Write(w io.Writer, puzzles []Puzzle) error {
	for i := range puzzles {
		line, err := json.Marshal(&puzzles[i])
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// maxLine bounds one line of a file of puzzles, bytes.
const maxLine = 1 << 16

// Read reads what Write writes. Each puzzle is checked for contradictions, not for other wins, and has an id of its own; an error names
// the line.
func Read(r io.Reader) ([]Puzzle, error) {
	var puzzles []Puzzle
	seen := map[string]int{} // lines, by id
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var p Puzzle
		err := strictjson.DecodeComplete(lines.Bytes(), &p)
		if err == nil {
			err = p.check()
		}
		if first := seen[p.ID]; err == nil && first > 0 {
			err = fmt.Errorf("id is %.60q, which line %d has too", p.ID, first)
		}
		if err != nil {
			return nil, fmt.Errorf("puzzles: line %d: %w", n, err)
		}
		seen[p.ID] = n
		puzzles = append(puzzles, p)
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("puzzles: a line is longer than %d bytes", maxLine)
	}
	return puzzles, lines.Err()
}
