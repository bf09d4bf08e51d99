package bench

import (
	"context"
	"errors"
	"flag"
	"os"
	"testing"

	"quintune/board"
	"quintune/pattern"
	"quintune/weights"
)

var update = flag.Bool("update", false, "rewrite testdata/*.golden")

func run(t testing.TB, preset string, depth int) *Report {
	t.Helper()
	set, err := weights.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), set, depth)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestGolden computes both signatures and compares them with the stored ones; the program embeds that of the tables of the literature.
func TestGolden(t *testing.T) {
	for _, test := range []struct {
		preset string
		file   string
	}{
		{SignaturePreset, "testdata/signature.golden"},
		{"default", "testdata/default.golden"},
	} {
		t.Run(test.preset, func(t *testing.T) {
			r := run(t, test.preset, Depth)
			t.Logf("%s: %s, %.0f nodes/s, %v", test.preset, r.Signature(), r.Speed(), r.Elapsed)
			text := r.Signature() + "\n" + r.lines()
			if *update {
				if err := os.WriteFile(test.file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(test.file)
			if err != nil {
				t.Fatal(err)
			}
			if text != string(want) {
				t.Errorf("%s: the engine does not play as in %s (after an intended change: go test ./internal/bench -update).\n"+
					"computed:\n%s\nfile:\n%s", test.preset, test.file, text, want)
			}
		})
	}
}

func TestSignatureIsTheFirstLine(t *testing.T) {
	if got := Signature(); len(got) < 10 || signatureGolden[:len(got)+1] != got+"\n" {
		t.Errorf("signature is %q of %.40q", got, signatureGolden)
	}
}

func TestRunIsRepeatable(t *testing.T) {
	a, b := run(t, "huang", 4), run(t, "huang", 4)
	if a.lines() != b.lines() || a.Signature() != b.Signature() {
		t.Errorf("%s and %s:\n%s\n%s", a.Signature(), b.Signature(), a.lines(), b.lines())
	}
	if c := run(t, "zhang", 4); c.Hash() == a.Hash() {
		t.Error("other weights have the same hash")
	}
	if c := run(t, "huang", 3); c.Hash() == a.Hash() || c.Nodes() >= a.Nodes() {
		t.Errorf("%d nodes at depth 3, %d at 4", c.Nodes(), a.Nodes())
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	set, err := weights.Preset("huang")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Run(ctx, set, 30); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v", err)
	}
}

// The signature covers all rules and both usual sizes, so each needs its positions.
func TestPositionsCoverRulesAndSizes(t *testing.T) {
	type class struct {
		rule pattern.Rule
		size int
	}
	seen, names := map[class]int{}, map[string]bool{}
	for _, p := range positions() {
		if p.board.Outcome() != board.Ongoing {
			t.Errorf("%s: %v", p.name, p.board.Outcome())
		}
		if names[p.name] {
			t.Errorf("%s is listed twice", p.name)
		}
		names[p.name] = true
		seen[class{p.board.Rule(), p.board.Size()}]++
	}
	for rule := range pattern.Rule(pattern.NumRules) {
		for _, size := range []int{15, 20} {
			if seen[class{rule, size}] < 2 {
				t.Errorf("%v %d has %d positions", rule, size, seen[class{rule, size}])
			}
		}
	}
}

func TestBrokenPositionsAreRefused(t *testing.T) {
	for _, line := range []string{"freestyle 15 x", "caro 15 x h8", "freestyle 99 x h8", "freestyle 15 x h8h8", "freestyle 15 x ?"} {
		t.Run(line, func(t *testing.T) {
			if _, err := parsePosition(line); err == nil {
				t.Errorf("%q is accepted", line)
			}
		})
	}
}

func BenchmarkSearch(b *testing.B) {
	var nodes, seconds float64
	for b.Loop() {
		r := run(b, SignaturePreset, Depth)
		nodes += float64(r.Nodes())
		seconds += r.Elapsed.Seconds()
	}
	b.ReportMetric(nodes/seconds, "nodes/s")
	b.ReportMetric(0, "ns/op")
}
