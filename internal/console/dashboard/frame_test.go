package dashboard

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"go.uber.org/goleak"

	"quintune/internal/progress/progresstest"
	"quintune/internal/run"
	"quintune/internal/stats"
)

var update = flag.Bool("update", false, "write the golden files anew")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// playedRun returns a scripted run after a number of generations.
func playedRun(t *testing.T, name string, generations int) *progresstest.Run {
	t.Helper()
	r := progresstest.New(t, name)
	for range generations {
		r.Next()
	}
	return r
}

// checkSize fails where a frame does not fill the screen, or reaches beyond it.
func checkSize(t *testing.T, text string, width, height int) {
	t.Helper()
	lines := strings.Split(text, "\n")
	if len(lines) != height {
		t.Errorf("%d lines on a screen of %d", len(lines), height)
	}
	for i, line := range lines {
		if w := ansi.StringWidth(line); w != width {
			t.Errorf("line %d is %d cells wide on a screen of %d: %q", i+1, w, width, line)
		}
	}
}

func TestFrames(t *testing.T) {
	gate := run.Event{
		Stage: run.StageGate, Generation: 36, Games: 7000, Evolution: 6120, Budget: 12_000, Pairs: 240, Most: 1200,
		Judged: stats.Estimate{Elo: 31, Low: 2, High: 61}, LLR: 1.52, Lower: -2.94, Upper: 2.94, GamesPerSecond: 40, Left: 125,
		Against: stats.Estimate{Elo: 78, Low: 58, High: 97}, AgainstPairs: 360, Opponent: "generation 12",
	}
	labels := run.Event{
		Stage: run.StageLabels, Phase: "fit", Games: 8192, Budget: 100_000, Labelled: 12_345, Positions: 40_321, GamesPerSecond: 40, Left: 125,
	}
	tests := []struct {
		name          string
		width, height int
		generations   int
		then          *run.Event
		cluster       bool
	}{
		{name: "begin-80x24", width: 80, height: 24},
		{name: "run-80x24", width: 80, height: 24, generations: 36},
		{name: "gate-80x24", width: 80, height: 24, generations: 36, then: &gate},
		{name: "labels-80x24", width: 80, height: 24, then: &labels},
		{name: "run-200x60", width: 200, height: 60, generations: 36},
		{name: "gate-120x40", width: 120, height: 40, generations: 36, then: &gate},
		{name: "cluster-80x24", width: 80, height: 24, generations: 36, cluster: true},
		{name: "cluster-120x44", width: 120, height: 44, generations: 36, cluster: true},
		{name: "small-30x8", width: 30, height: 8, generations: 36},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			shown := playedRun(t, "huang", test.generations)
			h := shown.History
			if test.cluster {
				shown.OnCluster()
			}
			if test.then != nil {
				h.Add(*test.then)
			}
			drawn := frame(h, test.width, test.height, "the last line")
			text := ansi.Strip(drawn)
			checkSize(t, text, test.width, test.height)
			path := filepath.Join("testdata", test.name+".txt")
			if *update {
				if err := os.WriteFile(path, []byte(text+"\n"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if text+"\n" != string(want) {
				t.Errorf("%s: the screen is\n%s\nwant\n%s", test.name, text, want)
			}
		})
	}
}

// A terminal that has room for the board in narrow cells shows it, whether they might be wide or not.
func TestTheBoardIsShownWhereItFits(t *testing.T) {
	shown := playedRun(t, "huang", 36)
	for width := 3 + 15 + leastWidth; width <= 100; width++ {
		if text := ansi.Strip(frame(shown.History, width, 24, "")); !strings.Contains(text, "game in pr") {
			t.Errorf("%d columns: no board:\n%s", width, text)
		}
	}
}

// A generation without ratings, such as one of the fit, has no place on the lines of ratings.
func TestUnratedGenerationsAreLeftOut(t *testing.T) {
	best, mean, spread := populationLines([]run.Generation{
		{Games: 10, Figures: run.Figures{Best: 90, Mean: 40, Spread: .2}},
		{Games: 20, Figures: run.Figures{Spread: .1}},
		{Games: 30, Figures: run.Figures{Best: 95, Mean: 50, Spread: .1}},
	})
	if len(best.samples) != 2 || len(mean.samples) != 2 || len(spread.samples) != 3 {
		t.Errorf("%d best, %d mean, %d spreads of three generations of which two are rated", len(best.samples), len(mean.samples), len(spread.samples))
	}
}

func TestFramesOfAnySize(t *testing.T) {
	shown := playedRun(t, progresstest.Hostile+"日本語", 40)
	shown.OnCluster()
	h := shown.History
	for width := 0; width < 220; width += 13 {
		for height := 0; height < 70; height += 3 {
			if text := frame(h, width, height, ""); width > 0 && height > 0 {
				checkSize(t, ansi.Strip(text), width, height)
			}
		}
	}
}

// A name is plain text: it cannot control the terminal or shift what is beside it.
func TestHostileNamesAreText(t *testing.T) {
	h := playedRun(t, progresstest.Hostile+"\x1b]0;owned\a", 9).History
	text := ansi.Strip(frame(h, 200, 60, ""))
	if strings.ContainsAny(text, "\x1b\a\u202e") || !strings.Contains(text, "<img src=x") {
		t.Errorf("the screen holds a command, or lacks the name:\n%s", text)
	}
}

// The link for a phone and its code come and go by a key; on a screen that is too small there is the link alone.
func TestLinkForAPhone(t *testing.T) {
	const link, code = "http://box.lan:8090/#token=abcdefghijklmnopqrstuvwxyz", "▀▄\n▄▀\n"
	tests := []struct {
		name          string
		keys          string
		width, height int
		link          string
		want, never   string
	}{
		{name: "run", width: 80, height: 24, link: link, want: "p: on a phone", never: code},
		{name: "code", keys: "p", width: 80, height: 24, link: link, want: link + "\n" + code + "p goes back"},
		{name: "back", keys: "pp", width: 80, height: 24, link: link, want: "p: on a phone", never: code},
		{name: "q goes back", keys: "pq", width: 80, height: 24, link: link, want: "p: on a phone", never: code},
		{name: "low", keys: "p", width: 80, height: 3, link: link, want: "The code needs a terminal of 2 × 4.", never: code},
		{name: "this machine alone", keys: "p", width: 80, height: 24, want: "http://localhost:8090/ · q leaves", never: "p: on a phone"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := &model{
				Options: Options{Interrupt: func() {}, Address: "http://localhost:8090/", Link: test.link, Code: code},
				history: playedRun(t, "huang", 1).History, width: test.width, height: test.height,
			}
			for _, key := range test.keys {
				m.Update(tea.KeyPressMsg{Code: key, Text: string(key)})
			}
			shown := ansi.Strip(m.View().Content)
			if !strings.Contains(shown, test.want) || test.never != "" && strings.Contains(shown, test.never) {
				t.Errorf("keys %q show\n%s\nwant %q, not %q", test.keys, shown, test.want, test.never)
			}
		})
	}
}
