package brain

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime/debug"
	"strings"
	"testing"

	"quintune/weights/weightstest"
)

// Every line that a manager may send is answered as the protocol has it, and after any of them a game can be played.
func TestHostileLines(t *testing.T) { checkHostileLines(t, 4_000) }

// checkHostileLines sends a number of lines, in sessions of some hundreds.
func checkHostileLines(t *testing.T, count int) {
	t.Helper()
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	const session = 500
	set := weightstest.Preset(t, "huang")
	rng := rand.New(rand.NewPCG(25, 7))
	for sent := 0; sent < count; sent += session {
		var b strings.Builder
		for range session {
			b.WriteString(hostileLine(rng))
			b.WriteByte('\n')
		}
		b.WriteString("DONE\nINFO timeout_turn 1000\nINFO timeout_match 0\nINFO rule 0\nSTART 15\nBEGIN\nEND\n")
		lines := serveHostile(t, set, b.String())
		if last := lines[len(lines)-1]; !moveLine.MatchString(last) {
			t.Fatalf("after line %d the first move is %q", sent+session, last)
		}
	}
}

// hostileLine returns a line that is mostly a command with arguments that may be anything.
func hostileLine(rng *rand.Rand) string {
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	number := func() string {
		return pick("0", "1", "7", "14", "15", "19", "22", "23", "-1", "1e9", "2147483648", "-9223372036854775809", "99999999999999999999999", "٣", "0x7", "NaN", "",
			fmt.Sprint(rng.IntN(16)), fmt.Sprint(rng.IntN(16)))
	}
	switch rng.IntN(12) {
	case 0:
		return "START " + number()
	case 1:
		return "RECTSTART " + number() + pick(",", " ", ";", "") + number()
	case 2:
		return pick("TURN ", "TAKEBACK ", "PLAY ", "SUGGEST ") + number() + pick(",", ", ", "") + number()
	case 3:
		return number() + "," + number() + "," + pick("1", "2", "3", "0", "9", "x")
	case 4:
		return pick("BOARD", "YXBOARD", "DONE", "DONE", "SWAP2BOARD", "BEGIN", "RESTART")
	case 5:
		return "INFO " + pick("timeout_turn", "timeout_match", "time_left", "max_memory", "thread_num", "rule", "game_type", "folder", "max_node", "max_depth",
			"caution_factor", "evaluate", "nothing") + " " + number()
	case 6:
		return pick("ABOUT", "YXSTOP", "YXHASHCLEAR", "YXSHOWFORBID", "STOP", "begin", "Turn 7,7", "START", "TURN", "INFO", "INFO rule")
	case 7:
		bytes := make([]byte, rng.IntN(40))
		for i := range bytes {
			for bytes[i] == 0 || bytes[i] == '\n' {
				bytes[i] = byte(rng.IntN(256))
			}
		}
		return string(bytes)
	case 8:
		return strings.Repeat(pick("A", "7,7 ", "\x1b[2J", " ", "\t"), rng.IntN(3000))
	default:
		return fmt.Sprintf("TURN %d,%d", rng.IntN(15), rng.IntN(15))
	}
}
