package board

import "testing"

func TestCloneIsIndependent(t *testing.T) {
	b := mustNew(t, 15, 0)
	moves, err := ParseMoves("h8i9h9g7")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		b.Play(m)
	}
	hash := b.Hash()
	c := b.Clone()
	if c.Hash() != hash || FormatMoves(c.Moves()) != "h8i9h9g7" || *c.Counts(White) != *b.Counts(White) {
		t.Errorf("the copy is another position: %s", FormatMoves(c.Moves()))
	}
	for range 4 {
		c.Undo()
	}
	c.Play(At(0, 0))
	if b.Hash() != hash || !b.Empty(At(0, 0)) || FormatMoves(b.Moves()) != "h8i9h9g7" {
		t.Errorf("playing on the copy changes the board: %s", FormatMoves(b.Moves()))
	}
	b.Undo()
	b.Play(moves[3])
	if b.Hash() != hash {
		t.Error("the board cannot take back after it was copied")
	}
}
