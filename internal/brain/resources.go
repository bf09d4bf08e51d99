package brain

import (
	"runtime"
	"runtime/debug"
	"time"

	"quintune/internal/gomocup"
	"quintune/search"
)

const (
	// tournamentMemory is Gomocup's limit of a process, bytes, taken where the manager names none.
	tournamentMemory = 350 << 20
	// programMemory is what the process takes besides the TT, bytes: 15 MiB as measured, with room for
	// the garbage between two collections.
	programMemory = 32 << 20
	// usualTable and leastTable are sizes of the TT in bytes: with enough memory, and with too little. Half a minute a
	// move fills the first about once.
	usualTable = 128 << 20
	leastTable = 1 << 18
)

// resources is what the engine may use within a manager's limits.
type resources struct {
	entries int   // entries of the TT
	threads int   // that search
	heap    int64 // bytes that the Go runtime may take
}

// resourcesOf returns the resources within the limits. The table has the requested or the usual size, as far as
// the process's memory allows. There are at most as many threads as processors.
func resourcesOf(l gomocup.Limits, processors int) resources {
	memory := l.MemoryBytes
	if memory == 0 {
		memory = tournamentMemory
	}
	table := l.HashBytes
	if table == 0 {
		table = usualTable
	}
	table = max(min(table, memory-programMemory), leastTable)
	return resources{
		entries: int(table / search.EntryBytes),
		threads: max(1, min(l.Threads, processors)),
		heap:    max(memory-programMemory/2, table+programMemory),
	}
}

// reserve keeps the process within the memory, garbage of earlier engines included.
func (r resources) reserve() {
	debug.FreeOSMemory()
	debug.SetMemoryLimit(r.heap)
}

// fewNodes is the greatest node limit whose search, some 20 ms, ends before anybody could want to stop it.
const fewNodes = 20_000

// useProcessors lets the Go runtime use no more processors than threads search, where no clock runs and nodes are
// few: on other threads it looked for work in vain, which cost a tenth of a search of 1 000 nodes. Else all are free
// for what comes meanwhile: without a processor for it, END and YXSTOP would wait until the system interrupts the
// search.
func (b *Brain) useProcessors(l gomocup.Limits) {
	n := b.usual
	if l.MoveTime == gomocup.NoLimit && l.MaxNodes > 0 && l.MaxNodes <= fewNodes {
		n = b.has.threads
	}
	if n != runtime.GOMAXPROCS(0) {
		runtime.GOMAXPROCS(n)
	}
}

// limitsUnder returns the limits of a search that begins at start, for a move under a manager. How
// much of the game's clock a move is worth is search.Clock's to say.
func limitsUnder(l gomocup.Limits, start time.Time) search.Limits {
	limits := search.Clock{Turn: l.MoveTime, Left: l.GameTimeLeft, Increment: l.Increment}.Limits()
	limits.Depth, limits.Nodes = l.MaxDepth, l.MaxNodes
	const least = time.Microsecond // never 0, which would mean no limit
	gone := start.Sub(l.Started)
	if limits.Time > 0 {
		limits.Time = max(limits.Time-gone, least)
	}
	if limits.Soft > 0 {
		limits.Soft = max(limits.Soft-gone, least)
	}
	return limits
}
