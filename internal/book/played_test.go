package book

import (
	"context"
	"slices"
	"testing"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/weights"
)

// TestDecidedOpeningsAreLeftOut: from an open three with the move Black always wins.
func TestDecidedOpeningsAreLeftOut(t *testing.T) {
	cfg, err := Config{Size: 15, Count: 1, Nodes: 500, Pairs: 3}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	j, err := newJudge(&cfg)
	if err != nil {
		t.Fatal(err)
	}
	decided := "h8a1g8o1i8a15"
	fair := board.FormatMoves(mustGenerate(t, small())[2].Moves)
	var openings []Opening
	for _, text := range []string{decided, fair, decided} {
		moves, err := board.ParseMoves(text)
		if err != nil {
			t.Fatal(err)
		}
		openings = append(openings, newOpening(moves, 15))
	}
	left, err := j.undecided(context.Background(), openings)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 || left[0].Key != openings[1].Key {
		t.Errorf("%d openings are left of %s, %s and %s, want the second alone", len(left), decided, fair, decided)
	}
}

// TestPlayedOpeningsAreSomeOfTheBalanced: in their order, for any number of workers, and the first of more.
func TestPlayedOpeningsAreSomeOfTheBalanced(t *testing.T) {
	cfg := small()
	cfg.Count = 30
	all := mustGenerate(t, cfg)
	cfg.Count, cfg.Pairs = 6, 1
	played := mustGenerate(t, cfg)
	next := 0
	for _, o := range played {
		at := slices.IndexFunc(all[next:], func(a Opening) bool { return a.Key == o.Key })
		if at < 0 {
			t.Fatalf("%s is not among the balanced openings after the one before it", board.FormatMoves(o.Moves))
		}
		next += at + 1
	}
	if next == len(played) {
		t.Errorf("no opening of %d was left out, so this says nothing", next)
	}
	cfg.Workers, cfg.Count = 3, 4
	for i, o := range mustGenerate(t, cfg) {
		if o.Key != played[i].Key {
			t.Errorf("opening %d with 3 workers is %s, want %s", i, board.FormatMoves(o.Moves), board.FormatMoves(played[i].Moves))
		}
	}
}

func TestVariedChangesOnlyTheOrdering(t *testing.T) {
	set, err := weights.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	v := varied(set, stream.New(1, "test"))
	for i, d := range weights.Declarations() {
		switch {
		case v.Values[i] == set.Values[i]:
		case d.Group == "order" || d.Group == "black_order":
			changed++
		default:
			t.Errorf("%s was changed from %d to %d", d.Name, set.Values[i], v.Values[i])
		}
	}
	if changed < 10 {
		t.Errorf("%d weights of the ordering were changed, want at least 10", changed)
	}
}
