package ga

import (
	"fmt"
	"reflect"
	"testing"
)

// withRivals is a configuration with two rivals among its opponents.
func withRivals(n int) Config {
	c := inFlight(n)
	c.Opponents = []Opponent{{Name: "start", Kind: Anchor}, {Name: "first", Kind: Rival}, {Name: "second", Kind: Rival}}
	return c
}

// One couple in five plays the rivals in turn, both twins on one opening; the batches hold what they cost, and a restored strategy asks
// for the same.
func TestRivalsPlayTheTwinsInTurn(t *testing.T) {
	for _, n := range []int{1, 3} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			o, l := mustNew(t, MethodGA, withRivals(n)), newLandscape(2, 6)
			couples, played := 0, map[int]int{}
			for b, more := o.Ask(); more; b, more = o.Ask() {
				for i := 0; b.Phase == MethodGA && i < len(b.Pairings); i++ {
					p := b.Pairings[i]
					if p.B >= 0 {
						if p.Pairs == 1 && p.A+2 < len(b.Genomes) {
							couples++
						}
						continue
					}
					mate := b.Pairings[i+1]
					if p.A%2 != 0 || mate.A != p.A+1 || mate.B != p.B || mate.Opening != p.Opening {
						t.Fatalf("generation %d: the twins play %+v and %+v", b.Generation, p, mate)
					}
					couples++
					played[-1-p.B]++
					i++
				}
				if o = restored(t, MethodGA, withRivals(n), o); b.Generation%7 == 0 {
					if again, _ := o.Ask(); !reflect.DeepEqual(again, b) {
						t.Fatalf("generation %d is another one after a restore", b.Generation)
					}
				}
				if _, more := o.Ask(); !more {
					t.Fatal("nothing is open")
				}
				if err := o.Tell(l.play(b)); err != nil {
					t.Fatal(err)
				}
			}
			if played[0] > 0 || played[1] == 0 || max(played[1], played[2])-min(played[1], played[2]) > couples/50 {
				t.Errorf("rivals were played %v times by %d couples", played, couples)
			}
			if share := float64(played[1]+played[2]) / float64(couples); share < .17 || share > .23 {
				t.Errorf("%.2f of the couples play rivals, want .2", share)
			}
			if games := o.Progress().Games; games != 12_000 {
				t.Errorf("%d games, want 12000", games)
			}
		})
	}
}

// Twins that play a rival alone move the centre as twins that play each other do: uphill.
func TestRivalsTeach(t *testing.T) {
	f := family{"reference", newLandscape}
	reached := f.reachedIn(t, func(c Config) (Optimizer, error) {
		c.Opponents = []Opponent{{Name: "start", Kind: Rival}}
		return New(MethodGA, c)
	}, 12_000, 20, 4)
	if got := mean(reached); got < 180 {
		t.Errorf("reached %.1f Elo of %v with a rival, want 180", got, startLoss)
	}
}
