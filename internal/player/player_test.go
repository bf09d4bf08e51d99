package player

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/board/boardtest"
	"quintune/internal/gomocup"
	"quintune/pattern"
	"quintune/search"
	"quintune/selfplay"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// engineArgument makes the test's own program a Gomocup engine; what follows says how it behaves.
const engineArgument = "-engine="

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && strings.HasPrefix(os.Args[1], engineArgument) {
		engine := &corner{crashAfter: -1}
		if strings.TrimPrefix(os.Args[1], engineArgument) == "crashing" {
			engine.crashAfter = 1
		}
		if err := gomocup.Serve(context.Background(), os.Stdin, os.Stdout, engine, gomocup.ServeOptions{}); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// corner plays the first empty cell by rows. Its thoughts show the limits that it was given.
type corner struct {
	moves, crashAfter int
}

func (*corner) NewGame(int, pattern.Rule) error { return nil }

func (c *corner) Think(_ context.Context, p gomocup.Position, l gomocup.Limits, _ func(string)) (board.Cell, error) {
	if c.moves == c.crashAfter {
		os.Exit(3)
	}
	c.moves++
	if l.MaxNodes != 77 && l.MoveTime > time.Second && (l.GameTimeLeft == gomocup.NoLimit || l.Increment == 0) {
		return board.NoCell, errors.New("limits did not arrive")
	}
	b, err := p.Board()
	if err != nil {
		return board.NoCell, err
	}
	return b.AllEmpty(nil)[0], nil
}

// engineCommand returns the argument of a player that is this test's program.
func engineCommand(t *testing.T, behaviour string) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf(`gomocup:"%s" %s%s`, program, engineArgument, behaviour)
}

func TestParseWeights(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mine.json")
	set, err := weights.Preset("zhang")
	if err != nil {
		t.Fatal(err)
	}
	weightstest.Save(t, file, set)
	for _, argument := range append(weights.PresetNames(), file) {
		p, err := Parse(argument)
		if err != nil {
			t.Errorf("%s: %v", argument, err)
			continue
		}
		if p.Weights == nil || p.Contestant(TimeControl{}).Weights != p.Weights || p.Contestant(TimeControl{Move: time.Second}).Open == nil || p.Name == "" || p.Proven == "" {
			t.Errorf("%s: %+v", argument, p)
		}
	}
}

func TestParseRefusals(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("huang2", []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("broken.json", []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		argument string
		want     []string
	}{
		{"huang2", []string{`player "huang2" is not a preset: did you mean "huang"?`}}, // a file of that name changes nothing
		{"baselin:zhang", []string{`did you mean "baseline:zhang"?`}},
		{"nobody", []string{"nobody", "default, freestyle20, standard15, standard20, renju15, renju20, former, former15, former20, former-standard20, former-renju20, huang, zhang", ".json"}},
		{"", []string{`""`, "huang"}},
		{"Huang", []string{"Huang"}},
		{"absent.json", []string{"absent.json"}},
		{"broken.json", []string{"broken.json", "format"}},
		{"engine:absent.yaml", []string{"absent.yaml"}},
		{"baseline:plain", []string{"baseline:plain", "not one of huang, zhang", "random"}},
		{"gomocup:", []string{"gomocup:", "names no program"}},
		{`gomocup:"open`, []string{"open"}},
	}
	for _, test := range tests {
		t.Run(test.argument, func(t *testing.T) {
			_, err := Parse(test.argument)
			if err == nil {
				t.Errorf("%q is accepted", test.argument)
				return
			}
			if file := IsFile(test.argument) || strings.HasPrefix(test.argument, enginePrefix); Misused(err) == file {
				t.Errorf("%q: Misused is %v, want %v: %v", test.argument, file, !file, err)
			}
			for _, part := range test.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q: %q does not name %q", test.argument, err, part)
				}
			}
		})
	}
}

func TestWeightsOfPlayersWithoutAny(t *testing.T) {
	for _, argument := range []string{"baseline:huang", "gomocup:./x"} {
		t.Run(argument, func(t *testing.T) {
			if _, err := Weights(argument); err == nil || !strings.Contains(err.Error(), argument) || !strings.Contains(err.Error(), "has no weights: a preset (default, freestyle20") {
				t.Errorf("%s: %v", argument, err)
			}
		})
	}
}

func TestDisplayedNamesAreFitForTerminals(t *testing.T) {
	p, err := Parse("gomocup:a\x1b[2J\n" + strings.Repeat("é", 100))
	if err != nil || strings.ContainsAny(p.Name, "\x1b\n") || len(p.Name) > maxName || !strings.HasPrefix(p.Name, "gomocup:a?[2J?é") {
		t.Errorf("%v, error %v", p, err)
	}
}

// Long paths differ at their end, and what is switched off stands there.
func TestLongNamesDiffer(t *testing.T) {
	folder := strings.Repeat("a-long-folder/", 10)
	set := weights.New("x", pattern.Freestyle, 15)
	first, second := OfFile(folder+"old.json", set), OfFile(folder+"new.json", set)
	without, err := second.Without(search.Killers)
	if err != nil || first.Name == second.Name || second.Name == without.Name || !strings.HasSuffix(without.Name, "new.json without Killers") {
		t.Errorf("%q, %q and %q, error %v", first.Name, second.Name, without.Name, err)
	}
}

// A command that is advised names the whole path.
func TestAdviceNamesTheFile(t *testing.T) {
	file := strings.Repeat("a-long-folder/", 10) + "weights.json"
	p := OfFile(file, weights.New("x", pattern.Freestyle, 15))
	if p.found = true; !strings.Contains(p.Caution(), "tune match "+file+" default") {
		t.Error(p.Caution())
	}
}

func TestLoadTakesABareWordForAPreset(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := Load("huag"); err == nil || !strings.Contains(err.Error(), `did you mean "huang"?`) {
		t.Errorf("a mistyped preset: error %v", err)
	}
	if _, err := Load("no/huag"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: error %v", err)
	}
}

func TestProven(t *testing.T) {
	validation := &weights.Validation{Opponent: "huang", Nodes: 1000, Games: 400, Elo: 52, EloLow: 30.1, EloHigh: 75.2}
	tests := []struct {
		provenance *weights.Provenance
		want       string
	}{
		{nil, "nothing proven: no run"},
		{&weights.Provenance{Run: "ab", Start: "flat", Games: 7}, "nothing proven: a candidate that passed no gate (run ab from flat, 7 games)"},
		{&weights.Provenance{Proven: true}, "passed its gate, not validated"},
		{&weights.Provenance{Proven: true, Validation: validation}, "+52.0 Elo [+30.1, +75.2] against huang, 400 games at 1000 nodes a move (run"},
		{&weights.Provenance{Validation: validation}, "did not pass its gate; +52.0 Elo"},
	}
	for _, test := range tests {
		t.Run(test.want, func(t *testing.T) {
			set := weights.New("x", pattern.Freestyle, 15)
			set.Provenance = test.provenance
			if got := Proven(set); !strings.HasPrefix(got, test.want) {
				t.Errorf("%q, want %q…", got, test.want)
			}
		})
	}
}

// playMatch plays one pair of the arguments and returns its result.
func playMatch(t *testing.T, a, b string, move time.Duration) selfplay.Result {
	t.Helper()
	batch := &selfplay.Batch{Pairings: []selfplay.Pairing{{A: 0, B: 1}}, Size: 6, Nodes: 77}
	for _, argument := range []string{a, b} {
		p, err := Parse(argument)
		if err != nil {
			t.Fatal(err)
		}
		batch.Contestants = append(batch.Contestants, p.Contestant(TimeControl{Move: move}))
	}
	results, err := selfplay.NewPool(1).Run(context.Background(), batch, nil)
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

func TestOutsideEnginePlays(t *testing.T) {
	for _, move := range []time.Duration{0, 20 * time.Millisecond} {
		r := playMatch(t, "huang", engineCommand(t, "sound"), move)
		for i, g := range r.Games {
			if g.Fault != nil {
				t.Errorf("time %v: game %d: %v after %s", move, i, g.Fault, board.FormatMoves(g.Moves))
			}
		}
		if r.Points() != 4 {
			t.Errorf("time %v: %d half points against an engine that fills the corner", move, r.Points())
		}
	}
}

func TestCrashesAreFaultsAndTheEngineIsStartedAgain(t *testing.T) {
	r := playMatch(t, engineCommand(t, "crashing"), "huang", 0)
	for i, g := range r.Games {
		var fault *gomocup.Fault
		if !errors.As(g.Fault, &fault) || fault.Kind != gomocup.FaultCrash || g.Faulty != board.Colour(i) || len(g.Moves) < 2 {
			t.Errorf("game %d: %v by %v after %s", i, g.Fault, g.Faulty, board.FormatMoves(g.Moves))
		}
	}
}

func TestProgramThatDoesNotStart(t *testing.T) {
	r := playMatch(t, "gomocup:/no/such/program", "huang", 0)
	var fault *gomocup.Fault
	if !r.Void() || !errors.As(r.Games[0].Fault, &fault) || fault.Kind != gomocup.FaultStart {
		t.Errorf("%+v", r.Games[0])
	}
}

// A position that does not follow from the last one reaches the engine whole.
func TestOutsideEngineIsToldNewPositions(t *testing.T) {
	p, err := Parse(engineCommand(t, "sound"))
	if err != nil {
		t.Fatal(err)
	}
	player, err := p.Open(15, pattern.Freestyle, search.Limits{Nodes: 77})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := player.(io.Closer).Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := player.Move(context.Background(), boardtest.SetUp(t, 15, pattern.Freestyle, "")); err == nil {
		t.Error("a move before the first game is not an error")
	}
	if err := player.NewGame(0); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ moves, want string }{
		{"", "a1"}, {"a1b1", "c1"}, {"a1b1c1h8", "d1"}, {"a1b1", "c1"}, {"b1", "a1"}, {"h8a1b1", "c1"},
	} {
		t.Run(test.moves, func(t *testing.T) {
			reply, err := player.Move(context.Background(), boardtest.SetUp(t, 15, pattern.Freestyle, test.moves))
			if err != nil || reply.Move.String() != test.want || reply.Claim != 0 {
				t.Errorf("%s: %v (%v), want %s", test.moves, reply, err, test.want)
			}
		})
	}
}

// A feature that is switched off changes the games of our engine, which stay repeatable; other players have none.
func TestWithoutAFeature(t *testing.T) {
	p, err := Parse("huang")
	if err != nil {
		t.Fatal(err)
	}
	without, err := p.Without(search.Reductions | search.MoveCount)
	if err != nil {
		t.Fatal(err)
	}
	if without.Name != "huang without Reductions+MoveCount" || p.Name != "huang" {
		t.Errorf("names are %q and %q", without.Name, p.Name)
	}
	other, err := p.Without(search.Futility)
	if err != nil {
		t.Fatal(err)
	}
	if a, b, c := p.Identity("huang"), without.Identity("huang"), other.Identity("huang"); a == b || b == c || a == c {
		t.Errorf("stored matches cannot tell %q, %q and %q apart", a, b, c)
	}
	moves := func(first *Player) string {
		t.Helper()
		batch := &selfplay.Batch{
			Contestants: []selfplay.Contestant{first.Contestant(TimeControl{}), p.Contestant(TimeControl{})},
			Pairings:    []selfplay.Pairing{{A: 0, B: 1}}, Size: 9, Nodes: 500,
		}
		results, err := selfplay.NewPool(1).Run(context.Background(), batch, nil)
		if err != nil {
			t.Fatal(err)
		}
		return board.FormatMoves(results[0].Games[0].Moves)
	}
	if moves(p) == moves(without) {
		t.Error("the games are those of the whole search")
	}
	if a, b := moves(without), moves(without); a != b {
		t.Errorf("%s, then %s", a, b)
	}
	other, err = Parse("baseline:random")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Without(search.Futility); err == nil || !strings.Contains(err.Error(), "baseline:random") {
		t.Errorf("error is %v", err)
	}
}
