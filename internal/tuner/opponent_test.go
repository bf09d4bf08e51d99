package tuner

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"quintune/internal/match/matchtest"
	"quintune/internal/run"
	"quintune/internal/run/runtest"
	"quintune/selfplay"
)

// engineArgument makes the test's own program act as a Gomocup engine. The text that follows it names the
// behaviour.
const engineArgument = "-engine="

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], engineArgument) {
		beEngine(strings.TrimPrefix(os.Args[1], engineArgument))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// beEngine answers the protocol. It answers requests for a move as the behaviour requires.
func beEngine(behaviour string) {
	draw := rand.New(rand.NewPCG(1, 1))
	size := 15
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		switch word, rest, _ := strings.Cut(in.Text(), " "); word {
		case "START":
			_, _ = fmt.Sscan(rest, &size)
			fmt.Println("OK")
		case "RESTART":
			fmt.Println("OK")
		case "END":
			return
		case "BEGIN", "TURN", "DONE":
			answer(behaviour, draw, size)
		}
	}
}

func answer(behaviour string, draw *rand.Rand, size int) {
	switch behaviour {
	case "crashes":
		os.Exit(3)
	case "hangs":
		time.Sleep(time.Hour)
	case "garbage":
		for range 2000 {
			fmt.Println("xyzzy")
		}
	case "illegal":
		fmt.Println("99,99")
	case "sound": // mostly: it does not check whether the cell is empty
		fmt.Printf("%d,%d\n", draw.IntN(size), draw.IntN(size))
	}
}

// engineCommand returns the player argument of this test's program.
func engineCommand(t *testing.T, behaviour string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`gomocup:"%s" %s%s`, program, engineArgument, behaviour)
}

// boardConfig returns a small run of real games.
func boardConfig(t *testing.T) *Config {
	t.Helper()
	c := smallConfig(t, 100)
	start := c.weights.Clone()
	start.Size = 9
	c.Size, c.Nodes, c.Start, c.Openings = 9, 20, marshal(t, start), Lines(matchtest.Book(t, 200, 9))
	return open(t, c.Spec, nil)
}

// A run goes on whatever an external engine does. Its failure is reported once, and counted.
func TestRunGoesOnWithABadOutsideEngine(t *testing.T) {
	for behaviour, kind := range map[string]string{
		"crashes": "crash", "hangs": "timeout", "garbage": "protocol", "illegal": "illegal",
	} {
		t.Run(behaviour, func(t *testing.T) {
			t.Parallel()
			c := boardConfig(t)
			c.Anchors = []run.Anchor{{Name: "the outsider", Player: engineCommand(t, behaviour), Rival: true}}
			c.OutsideMS = 50
			if behaviour != "hangs" {
				c.OutsideMS = 10_000 // the others answer at once, but for a busy machine
			}
			var warnings []string
			r := newRun(t, c)
			o, err := r.Run(context.Background(), Environment{
				Runner: selfplay.NewPool(2), Store: &runtest.Store{}, Warn: func(m string) { warnings = append(warnings, m) },
			})
			if err != nil {
				t.Fatal(err)
			}
			if r.state.Void == 0 || !r.state.Done {
				t.Errorf("%d void pairs, done %v, want some and true", r.state.Void, r.state.Done)
			}
			if len(o.Faults) != 1 || o.Faults[0].Player != "the outsider" || o.Faults[0].Kind != kind || o.Faults[0].Count < 2 {
				t.Errorf("faults %+v, want several of the outsider, all of kind %s", o.Faults, kind)
			}
			if len(warnings) != 1 || !strings.Contains(warnings[0], "the outsider failed: "+o.Faults[0].First) {
				t.Errorf("warnings %q, want one of the first fault %q", warnings, o.Faults[0].First)
			}
		})
	}
}

// refusing is a Runner on another machine, which cannot start processes of this one.
type refusing struct {
	selfplay.Runner
	t *testing.T
}

func (r refusing) Run(ctx context.Context, b *selfplay.Batch, done func(int, *selfplay.Result)) ([]selfplay.Result, error) {
	for _, c := range b.Contestants {
		if c.Open != nil && c.Name != "random" { // baselines can be sent
			r.t.Errorf("%s was sent away", c.Name)
		}
	}
	return r.Runner.Run(ctx, b, done)
}

func TestOutsideEnginesPlayHere(t *testing.T) {
	c := boardConfig(t)
	c.Anchors = []run.Anchor{{Name: "random", Player: "baseline:random", Rival: true}, {Name: "outside", Player: engineCommand(t, "sound"), Rival: true}}
	r := newRun(t, c)
	pool := selfplay.NewPool(2)
	o, err := r.Run(context.Background(), Environment{Runner: refusing{pool, t}, Local: selfplay.NewPool(1), Store: &runtest.Store{}})
	if err != nil {
		t.Fatal(err)
	}
	if o.Games < c.Budget/2 {
		t.Errorf("%d games, want half of %d or more", o.Games, c.Budget)
	}
}

// A baseline draws its random numbers from the seed of the game. So a run against baselines gives the same
// result with any number of workers.
func TestRunAgainstABaselineDoesNotDependOnWorkers(t *testing.T) {
	var want []byte
	for _, workers := range []int{1, 2, 8} {
		c := boardConfig(t)
		c.Anchors = []run.Anchor{{Name: "random", Player: "baseline:random", Rival: true}}
		got := marshal(t, play(t, c, selfplay.NewPool(workers), &runtest.Store{}).Set)
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("%d workers: another file", workers)
		}
	}
}

func TestOutsideEnginesAreStoredAsNotReproducible(t *testing.T) {
	c := boardConfig(t)
	for _, test := range []struct {
		player string
		want   bool
	}{{"baseline:random", true}, {"gomocup:/no/such/program", false}, {"engine:/no/such/file.json", false}} {
		t.Run(test.player, func(t *testing.T) {
			c.Anchors = []run.Anchor{{Name: "anchor", Player: test.player}}
			if back := open(t, c.Spec, nil); back.Reproducible != test.want || (len(External(c.Anchors)) == 0) != test.want {
				t.Errorf("%s: reproducible %v, external %q, want reproducible %v", test.player, back.Reproducible, External(c.Anchors), test.want)
			}
		})
	}
}
