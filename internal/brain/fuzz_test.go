package brain

import (
	"context"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/weights"
	"quintune/weights/weightstest"
)

// hasty is our engine with small limits of its own, so that a fuzz test sees many games.
type hasty struct{ *Brain }

// smallLimits are the limits of every move.
func smallLimits(l gomocup.Limits) gomocup.Limits {
	l.MaxNodes, l.MaxDepth, l.HashBytes, l.Threads, l.MemoryBytes = 60, 3, 1, 1, 0
	return l
}

func (h hasty) NewGame(size int, rule pattern.Rule) error {
	if h.engine == nil {
		if err := h.choosePlayer(size, rule); err != nil {
			return err
		}
		return h.build(size, rule, resourcesOf(smallLimits(gomocup.Limits{}), 1, 0))
	}
	return h.Brain.NewGame(size, rule)
}

func (h hasty) Think(ctx context.Context, p gomocup.Position, l gomocup.Limits, report func(string)) (board.Cell, error) {
	return h.Brain.Think(ctx, p, smallLimits(l), report)
}

// FuzzGomocup sends arbitrary commands to our own engine. It must not panic, must write only lines of the
// protocol, and must play cells of the board.
func FuzzGomocup(f *testing.F) {
	for _, input := range []string{
		"ABOUT\nSTART 15\nINFO rule 1\nBEGIN\nTURN 0,0\nTAKEBACK 0,0\nRESTART\nTURN 7,7\nEND\n",
		"START 20\r\nINFO rule 4\r\nBOARD\r\n9,9,1\r\n9,10,2\r\n10,10,1\r\n8,8,2\r\nDONE\r\nTURN 0,0\r\nYXSHOWFORBID\r\n",
		"START 5\nBOARD\n0,0,2\n1,1,2\n2,2,2\n3,3,2\n0,1,1\nDONE\nTURN 4,4\nBEGIN\nBEGIN\n",
		"INFO max_memory 1\nINFO thread_num 9\nINFO timeout_turn 1\nSTART 15\nYXBOARD\n7,7,1\nDONE\nYXHASHCLEAR\nBEGIN\nYXSTOP\n",
		"START 6\nRECTSTART 7,7\nINFO rule 4\nTURN 3,3\nTURN 2,2\nTURN 0,1\nSWAP2BOARD\nDONE\nSWAP2BOARD\n1,1\n2,2\n3,3\nDONE\n",
	} {
		f.Add(input)
	}
	set := weightstest.Preset(f, "huang")
	limit := debug.SetMemoryLimit(-1)
	f.Cleanup(func() { debug.SetMemoryLimit(limit) })
	f.Fuzz(func(t *testing.T, input string) { serveHostile(t, set, input) })
}

// serveHostile gives our engine the input and returns the lines of its answers, which must be ones of the protocol.
func serveHostile(t *testing.T, set *weights.Set, input string) []string {
	t.Helper()
	var out strings.Builder
	engine := hasty{&Brain{choose: Always(player.Of("huang", set))}}
	if err := gomocup.Serve(context.Background(), strings.NewReader(input), &out, engine, gomocup.ServeOptions{Grace: time.Minute}); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for _, line := range lines {
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case "OK", "SWAP", "ERROR", "UNKNOWN", "MESSAGE", "FORBID":
		default:
			if !moveLine.MatchString(word) && !strings.HasPrefix(line, "name=") && out.Len() > 0 {
				t.Fatalf("the engine wrote %q", line)
			}
		}
		if strings.Contains(line, "the engine chose") {
			t.Fatalf("%q", line)
		}
	}
	return lines
}
