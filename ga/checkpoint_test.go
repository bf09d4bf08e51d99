package ga

import (
	"regexp"
	"strings"
	"testing"

	"quintune/internal/stats"
)

func TestRestoreContinuesByteForByte(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			c := smallConfig()
			whole := transcript(t, mustNew(t, v.method, c), same)
			broken := transcript(t, mustNew(t, v.method, c), func(o Optimizer) Optimizer {
				fresh := mustNew(t, v.method, c)
				if err := fresh.Restore([]byte(mustCheckpoint(t, o))); err != nil {
					t.Fatal(err)
				}
				return fresh
			})
			for i := range whole {
				if whole[i] != broken[i] {
					t.Fatalf("line %d of the transcript differs:\n%s\n%s", i, whole[i], broken[i])
				}
			}
			if len(whole) != len(broken) {
				t.Errorf("%d lines without restores, %d with", len(whole), len(broken))
			}
		})
	}
}

func TestRestoreRefusesForeignCheckpoints(t *testing.T) {
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			c := smallConfig()
			o := mustNew(t, v.method, c)
			good := mustCheckpoint(t, o)
			fewer := smallConfig()
			fewer.Genes = fewer.Genes[:8]
			foreign := map[string]string{
				"other number of genes": mustCheckpoint(t, mustNew(t, v.method, fewer)),
				"unknown field":         strings.Replace(good, `{`, `{"x":1,`, 1),
				"other format":          strings.Replace(good, checkpointFormat, "quintune.optimizer/0", 1),
				"cut off":               good[:len(good)-2],
				"followed by more":      good + "{}",
			}
			for _, other := range variants {
				if other.name != v.name {
					foreign[other.name] = mustCheckpoint(t, mustNew(t, other.method, smallConfig()))
				}
			}
			for name, edit := range map[string][2]string{
				"gene out of range": {`:[0,`, `:[1.5,`},
				"lost opponents":    {`"opponents":[{"name":"start","kind":"anchor","from":0}]`, `"opponents":[]`},
				"other opponents":   {`"name":"start"`, `"name":"huang"`},
				"negative games":    {`"games":0`, `"games":-2`},
				"games that wrap":   {`"games":0`, `"games":9223372036854775807`},
			} {
				edited := strings.Replace(good, edit[0], edit[1], 1)
				if edited == good {
					t.Errorf("%s: %s is not in the checkpoint", name, edit[0])
				}
				foreign[name] = edited
			}
			for name, data := range foreign {
				if err := o.Restore([]byte(data)); err == nil {
					t.Errorf("%s: no error", name)
				}
			}
			if mustCheckpoint(t, o) != good {
				t.Error("a refused checkpoint changed the state")
			}
		})
	}
}

// The error of a state names the first field that is wrong, and its bounds.
func TestStateNamesTheFieldOutOfBounds(t *testing.T) {
	for _, test := range []struct {
		name  string
		spoil func(*adaptiveState)
		want  string
	}{
		{"no width", func(s *adaptiveState) { s.Width = 0 }, "width 0 is outside (0, 1]"},
		{"great width", func(s *adaptiveState) { s.Width = 2 }, "width 2 is outside (0, 1]"},
		{"great step", func(s *adaptiveState) { s.Step = 2 }, "step 2 is outside [0, 1]"},
		{"no share", func(s *adaptiveState) { s.Shares[3] = 0 }, "a share is 0, below 0.05"},
		{"standstill of more pairs than the run", func(s *adaptiveState) {
			s.Pairs, s.Standstill.Running, s.Standstill.Before = 7, stats.Pentanomial{2: 4}, stats.Pentanomial{4}
		}, "8 pairs of the 7"},
		{"no end of a stretch", func(s *adaptiveState) { s.Standstill.Ends = 0 }, "a stretch ends at 0 pairs, not above 0"},
		{"trail beyond the closed generations", func(s *adaptiveState) { s.Trail.Closed = 3 }, "a trail of 3 generations, 0 are closed"},
		{"four vectors", func(s *adaptiveState) { s.Shares, s.Path, s.WidePath, s.Dissent = nil, nil, nil, nil }, "shares has 0 genes"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a := newAdaptive(smallConfig())
			test.spoil(&a.state)
			if err := a.state.check(len(a.space.free)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want %q", err, test.want)
			}
		})
	}
}

// Whatever bytes are restored, the optimiser refuses them or goes on playing.
func FuzzRestore(f *testing.F) {
	l, shares := newLandscape(3, 9), regexp.MustCompile(`"shares":\[[^]]*\],`)
	for _, v := range variants {
		o, err := New(v.method, smallConfig())
		if err != nil {
			f.Fatal(err)
		}
		for b, more := o.Ask(); more; b, more = o.Ask() {
			data, err := o.Checkpoint()
			if err != nil {
				f.Fatal(err)
			}
			if b.Generation%5 == 0 {
				f.Add(data)
				f.Add(shares.ReplaceAll(data, []byte(`"shares":[0,0,0,0,0,0,0,0],`)))
			}
			if err := o.Tell(l.play(b)); err != nil {
				f.Fatal(err)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, v := range variants {
			o := mustNew(t, v.method, smallConfig())
			if o.Restore(data) != nil {
				continue
			}
			for range 2 {
				b, more := o.Ask()
				if !more {
					break
				}
				if err := o.Tell(l.play(b)); err != nil {
					t.Errorf("%s: %v", v.name, err)
				}
			}
			o.Champion()
			mustCheckpoint(t, o)
		}
	})
}

// A drawing has no more pairs than its optimiser draws: they are all made when the checkpoint is read.
func TestRestoreRefusesGreatDrawings(t *testing.T) {
	pairs := regexp.MustCompile(`"pairs":\d+,"before"`)
	for _, method := range Methods() {
		c := smallConfig()
		c.Budget, c.InFlight = 1_000_000, 3
		o := mustNew(t, method, c)
		o.Ask()
		good := mustCheckpoint(t, o)
		if err := mustNew(t, method, c).Restore([]byte(good)); err != nil || !pairs.MatchString(good) {
			t.Fatalf("%s: %.500s: %v", method, good, err)
		}
		forged := pairs.ReplaceAllString(good, `"pairs":9000,"before"`)
		if err := mustNew(t, method, c).Restore([]byte(forged)); err == nil || !strings.Contains(err.Error(), "at most") {
			t.Errorf("%s: error %v", method, err)
		}
	}
}

func TestRestoreWithAnotherBudget(t *testing.T) {
	l := newLandscape(3, 9)
	for _, v := range variants {
		for _, budget := range []int{0, 100, 3000} {
			c := smallConfig()
			o := mustNew(t, v.method, c)
			if err := run(o, l); err != nil {
				t.Fatal(err)
			}
			spent := o.Progress().Games
			c.Budget = budget
			resumed := mustNew(t, v.method, c)
			if err := resumed.Restore([]byte(mustCheckpoint(t, o))); err != nil {
				t.Fatal(err)
			}
			if err := run(resumed, l); err != nil {
				t.Fatal(err)
			}
			games := resumed.Progress().Games
			if budget < spent && games != spent {
				t.Errorf("%s: %d games with a budget of %d, %d had been spent", v.name, games, budget, spent)
			}
			if budget > spent && (games > budget || games < budget*9/10) {
				t.Errorf("%s: %d games with a budget of %d", v.name, games, budget)
			}
		}
	}
}
