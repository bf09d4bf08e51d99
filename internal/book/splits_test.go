package book

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"quintune/board"
	"quintune/internal/stream"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights"
)

// BenchmarkSplits says what openings teach: in each iteration three pairs are played from one opening, at 1000 nodes a
// move, between the preset huang and three sets whose line and order weights are huang's times e^(.3 N).
// Reported are the share of pairs that split by colour (half of them is what a fair opening between equal
// players gives), of openings from which one colour won all six games (3 % by chance), of drawn games
// and of the games won by Black.
//
// docs/results/openings.md holds the results of go test -run '^$' -bench Splits -benchtime 150x -timeout 2h.
func BenchmarkSplits(b *testing.B) {
	for _, window := range []int32{500, 1000, 2000, 4000, 8000, 1 << 20} {
		b.Run(fmt.Sprintf("freestyle15/window%d", window), func(b *testing.B) {
			made, err := Generate(context.Background(), Config{Size: 15, Count: b.N, Window: window, Seed: 2}, nil)
			if err != nil {
				b.Fatal(err)
			}
			benchmarkSplits(b, made)
		})
	}
	for _, in := range builtIn {
		name := fmt.Sprintf("%s%d", in.rule, in.size)
		b.Run(name+"/embedded", func(b *testing.B) { benchmarkSplits(b, Embedded(in.rule, in.size)) })
		if expert := Expert(in.rule, in.size); expert != nil {
			b.Run(name+"/expert", func(b *testing.B) { benchmarkSplits(b, expert) })
		}
	}
}

func benchmarkSplits(b *testing.B, book *Book) {
	huang, err := weights.Preset("huang")
	if err != nil {
		b.Fatal(err)
	}
	position, err := board.New(book.Size, book.Rule)
	if err != nil {
		b.Fatal(err)
	}
	var players [2]*search.Engine
	for i := range players {
		if players[i], err = search.NewEngine(huang, book.Size, book.Rule, search.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	wins := map[board.Outcome]int{}
	splits, dead := 0, 0
	b.ResetTimer()
	for i := range b.N {
		opening := book.Openings[i%len(book.Openings)]
		split, black := 0, wins[board.BlackWins]
		for pair := range 3 {
			players[1].SetWeights(perturbed(huang, 3*i+pair))
			first := playOut(position, opening.Moves, players[0], players[1])
			second := playOut(position, opening.Moves, players[1], players[0])
			wins[first]++
			wins[second]++
			if first == second && first != board.Draw {
				split++
			}
		}
		splits += split
		if black = wins[board.BlackWins] - black; split == 3 && black%6 == 0 {
			dead++
		}
	}
	n := float64(b.N)
	b.ReportMetric(float64(splits)/(3*n), "splits/pair")
	b.ReportMetric(float64(dead)/n, "dead/opening")
	b.ReportMetric(float64(wins[board.Draw])/(6*n), "draws/game")
	b.ReportMetric(float64(wins[board.BlackWins])/(6*n), "black/game")
}

// perturbed returns the set with its line and order weights times e^(.3 N), N normal.
func perturbed(set *weights.Set, number int) *weights.Set {
	rng := stream.New(uint64(number), "perturbed")
	p := set.Clone()
	for i, d := range weights.Declarations() {
		if group := strings.TrimPrefix(d.Group, weights.Prefix(pattern.Restricted)); group == "line" || group == "order" {
			v := float64(p.Values[i]) * math.Exp(.3*rng.NormFloat64())
			p.Values[i] = int32(max(float64(d.Min), min(float64(d.Max), v)))
		}
	}
	return p
}

// playOut plays a game at 1000 nodes a move, up to a proven win.
func playOut(position *board.Board, opening []board.Cell, players ...*search.Engine) board.Outcome {
	play(position, opening)
	for _, p := range players {
		p.NewGame()
	}
	for position.Outcome() == board.Ongoing {
		mover := position.SideToMove()
		r := players[mover].Search(context.Background(), position, search.Limits{Nodes: 1000}, nil)
		switch plies := search.PliesToWin(r.Score); {
		case plies > 0:
			return board.WinFor(mover)
		case plies < 0:
			return board.WinFor(mover.Other())
		}
		position.Play(r.Best)
	}
	return position.Outcome()
}
