package brain

import (
	"context"
	"io"
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"quintune/board"
	"quintune/internal/gomocup"
	"quintune/internal/player"
	"quintune/pattern"
	"quintune/search"
	"quintune/weights/weightstest"
)

func TestResources(t *testing.T) {
	const mib = 1 << 20
	processors := runtime.GOMAXPROCS(0)
	for _, test := range []struct {
		name         string
		limits       gomocup.Limits
		table, total int64 // bytes, at the most
		threads      int
	}{
		{"before the first move", gomocup.Limits{}, briefTable, tournamentMemory, 1},
		{"no limit of time", gomocup.Limits{MoveTime: gomocup.NoLimit}, greatTable, tournamentMemory, 1},
		{"10 ms", gomocup.Limits{MoveTime: 10 * time.Millisecond}, briefTable, tournamentMemory, 1},
		{"100 ms", gomocup.Limits{MoveTime: 100 * time.Millisecond}, 4 * mib, tournamentMemory, 1},
		{"1 s", gomocup.Limits{MoveTime: time.Second}, 32 * mib, tournamentMemory, 1},
		{"Gomocup", gomocup.Limits{MoveTime: 30 * time.Second, MemoryBytes: 350 * mib}, greatTable, 350 * mib, 1},
		{"plenty", gomocup.Limits{MoveTime: gomocup.NoLimit, MemoryBytes: 1 << 40}, greatTable, 1 << 40, 1},
		{"old Piskvork", gomocup.Limits{MoveTime: time.Minute, MemoryBytes: 80 * mib}, 48 * mib, 80 * mib, 1},
		{"too little", gomocup.Limits{MemoryBytes: 1 * mib}, leastTable, 64 * mib, 1},
		{"a table asked for", gomocup.Limits{HashBytes: 4 * mib}, 4 * mib, tournamentMemory, 1},
		{"a great table", gomocup.Limits{HashBytes: 200 * mib}, 200 * mib, tournamentMemory, 1},
		{"more than the memory", gomocup.Limits{HashBytes: 1 << 40, MemoryBytes: 100 * mib}, 68 * mib, 100 * mib, 1},
		{"a table without a bound", gomocup.Limits{HashBytes: 1 << 50, MemoryBytes: 1 << 50}, mostTable / 16 * 16, 1 << 50, 1},
		{"threads", gomocup.Limits{MoveTime: time.Minute, Threads: processors}, greatTable, tournamentMemory, processors},
		{"too many threads", gomocup.Limits{MoveTime: time.Minute, Threads: 1000}, greatTable, tournamentMemory, processors},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := resourcesOf(test.limits, processors, 0)
			if got := int64(r.entries) * 16; got != test.table || r.threads != test.threads {
				t.Errorf("%s: table of %d bytes, %d threads; want %d, %d", test.name, got, r.threads, test.table, test.threads)
			}
			if r.heap > test.total || r.heap < test.table+programMemory/2 {
				t.Errorf("%s: the heap may take %d bytes, the table %d of %d", test.name, r.heap, test.table, test.total)
			}
		})
	}
}

// Moves of a game get more or less time. The table grows for them, but is not made smaller.
func TestTableOnlyGrows(t *testing.T) {
	const ms = time.Millisecond
	entries := 0
	for _, test := range []struct{ move, as time.Duration }{{100 * ms, 100 * ms}, {20 * ms, 100 * ms}, {time.Second, time.Second}, {0, time.Second}} {
		r := resourcesOf(gomocup.Limits{MoveTime: test.move}, 1, entries)
		if want := resourcesOf(gomocup.Limits{MoveTime: test.as}, 1, 0); r != want {
			t.Errorf("for a move of %v: %+v, want %+v", test.move, r, want)
		}
		entries = r.entries
	}
	small := gomocup.Limits{MoveTime: time.Second, MemoryBytes: 48 << 20}
	if got := resourcesOf(small, 1, entries); got.entries*search.EntryBytes > 16<<20 {
		t.Errorf("with little memory %+v", got)
	}
}

func TestLimitsUnderAManager(t *testing.T) {
	const ms = time.Millisecond
	started := time.Unix(1000, 0)
	none := gomocup.NoLimit
	for _, test := range []struct {
		name             string
		limits           gomocup.Limits
		maximum, optimum time.Duration
	}{
		{"no clock", gomocup.Limits{MoveTime: none, GameTimeLeft: none}, 0, 0},
		{"a turn", gomocup.Limits{MoveTime: 470 * ms, GameTimeLeft: none}, 460 * ms, 0},
		{"a game", gomocup.Limits{MoveTime: 99970 * ms, GameTimeLeft: 100000 * ms}, 19990 * ms, 4990 * ms},
		{"over", gomocup.Limits{MoveTime: ms, GameTimeLeft: none}, time.Microsecond, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.limits.Started, test.limits.MaxDepth, test.limits.MaxNodes = started, 7, 8
			l := limitsUnder(test.limits, started.Add(10*ms))
			if l.Time != test.maximum || l.Optimum != test.optimum || l.Depth != 7 || l.Nodes != 8 {
				t.Errorf("%s: %+v", test.name, l)
			}
		})
	}
}

// A manager may change memory and threads between moves.
func TestBrainFollowsTheManager(t *testing.T) {
	t.Cleanup(func() { debug.SetMemoryLimit(math.MaxInt64) })
	set := weightstest.Preset(t, "huang")
	b := &Brain{choose: Always(player.Of("huang", set))}
	if err := b.NewGame(15, pattern.Freestyle); err != nil {
		t.Fatal(err)
	}
	position := gomocup.Position{Size: 15, SideToMove: board.Black}
	think := func(l gomocup.Limits) {
		t.Helper()
		l.MoveTime, l.GameTimeLeft, l.MaxNodes = gomocup.NoLimit, gomocup.NoLimit, 500
		if _, err := b.Think(context.Background(), position, l, func(string) {}); err != nil {
			t.Fatal(err)
		}
	}
	think(gomocup.Limits{})
	first := b.engine
	if think(gomocup.Limits{}); b.engine != first {
		t.Error("a move without news makes another engine")
	}
	small := gomocup.Limits{HashBytes: 1 << 20, MemoryBytes: 100 << 20, Threads: 2}
	think(small)
	if b.engine == first || b.has != resourcesOf(small, b.usual, 0) || debug.SetMemoryLimit(-1) != b.has.heap {
		t.Errorf("resources are %+v, not %+v", b.has, resourcesOf(small, b.usual, 0))
	}
	if err := b.NewGame(20, pattern.Freestyle); err != nil || b.has != resourcesOf(small, b.usual, 0) {
		t.Errorf("the next game has %+v (%v)", b.has, err)
	}
}

// restoreRuntime undoes, when the test ends, what a brain sets in the Go runtime.
func restoreRuntime(t *testing.T) {
	usual := runtime.GOMAXPROCS(0)
	t.Cleanup(func() {
		debug.SetMemoryLimit(math.MaxInt64)
		runtime.GOMAXPROCS(usual)
	})
}

// A search of many nodes leaves a processor to who reads END or YXSTOP, one of few nodes ends by itself.
func TestLongSearchesLeaveAProcessor(t *testing.T) {
	restoreRuntime(t)
	none := gomocup.NoLimit
	for _, test := range []struct {
		name           string
		usual, threads int
		limits         gomocup.Limits
		want           int
	}{
		{"few nodes", 2, 1, gomocup.Limits{MoveTime: none, MaxNodes: fewNodes}, 1},
		{"many nodes", 2, 1, gomocup.Limits{MoveTime: none, MaxNodes: fewNodes + 1}, 2},
		{"few nodes again", 2, 1, gomocup.Limits{MoveTime: none, MaxNodes: 1}, 1},
		{"a clock", 2, 1, gomocup.Limits{MoveTime: time.Second, MaxNodes: 1}, 2},
		{"no limit", 2, 1, gomocup.Limits{MoveTime: none}, 2},
		{"one processor", 1, 1, gomocup.Limits{MoveTime: time.Second}, 2},
		{"threads on all processors", 2, 2, gomocup.Limits{MoveTime: time.Second}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := &Brain{usual: test.usual, has: resources{threads: test.threads}}
			b.useProcessors(test.limits)
			if got := runtime.GOMAXPROCS(0); got != test.want {
				t.Errorf("%d processors, want %d", got, test.want)
			}
		})
	}
}

// A choice of swap2 searches too, maybe as the first of the process.
func TestSwap2LeavesAProcessor(t *testing.T) {
	restoreRuntime(t)
	runtime.GOMAXPROCS(1)
	set := weightstest.Preset(t, "huang")
	b := New(Always(player.Of("huang", set)), nil)
	if err := b.NewGame(15, pattern.Freestyle); err != nil {
		t.Fatal(err)
	}
	limits := gomocup.Limits{Started: time.Now(), MoveTime: 10 * time.Millisecond, GameTimeLeft: gomocup.NoLimit}
	if _, err := b.Swap2(t.Context(), gomocup.Position{Size: 15, SideToMove: board.Black}, limits, func(string) {}); err != nil {
		t.Fatal(err)
	}
	if got := runtime.GOMAXPROCS(0); got != 2 {
		t.Errorf("swap2 had %d processors, want 2", got)
	}
}

func TestEndStopsALongSearch(t *testing.T) {
	restoreRuntime(t)
	set := weightstest.Preset(t, "huang")
	for _, end := range []string{"END\n", "YXSTOP\nEND\n", ""} {
		t.Run(end, func(t *testing.T) {
			in, manager := io.Pipe()
			served := make(chan error, 1)
			go func() {
				served <- gomocup.Serve(t.Context(), in, io.Discard, New(Always(player.Of("huang", set)), nil), gomocup.ServeOptions{})
			}()
			if _, err := io.WriteString(manager, "START 15\nINFO timeout_turn 0\nINFO max_node 100\nBEGIN\nINFO timeout_turn 2000000000\nINFO max_node 1000000000\nTURN 0,0\n"); err != nil {
				t.Fatal(err)
			}
			if _, err := io.WriteString(manager, end); err != nil {
				t.Fatal(err)
			}
			manager.Close()
			if err := <-served; err != nil {
				t.Errorf("after %q: %v", end, err)
			}
		})
	}
}
