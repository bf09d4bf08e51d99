package brain

import (
	"math"
	"math/bits"
	"runtime"
	"runtime/debug"
	"time"

	"quintune/internal/gomocup"
	"quintune/search"
)

const (
	// tournamentMemory is Gomocup's limit of a process, bytes, taken where the manager names none, or names 0, which means no limit:
	// only a table that the manager asks for would be greater without it.
	tournamentMemory = 350 << 20
	// programMemory is what the process takes besides the TT, bytes: 15 MiB as measured, with room for
	// the garbage between two collections.
	programMemory = 32 << 20
	// greatTable and leastTable are sizes of the TT in bytes: without a limit of time, and with too little memory.
	greatTable = 128 << 20
	leastTable = 1 << 18
	// mostTable is the greatest TT that a manager can ask for, bytes: 4 GiB, less on 32 bits. A number that is meant as no limit
	// would end the program otherwise, and a table beyond greatTable does not help.
	mostTable int64 = min(4<<30, math.MaxInt/4)
	// briefTable is the least size that a limit of time leads to, bytes.
	briefTable = search.DefaultTableEntries * search.EntryBytes
	// entriesPerMicrosecond is how many entries of the TT a microsecond of a move is worth to a thread: four for each node. More
	// do not help, and a table beyond the caches costs speed (docs/results/gomocup.md).
	entriesPerMicrosecond = 2
)

// resources is what the engine may use within a manager's limits.
type resources struct {
	entries int   // entries of the TT
	threads int   // that search
	heap    int64 // bytes that the Go runtime may take
}

// resourcesOf returns the resources within the limits. The table has the requested size, or one that suits the time of a
// move, as far as the process's memory allows. A table that suits has at least the given number of entries, those of the
// present one: moves differ in time, and a new table is empty. There are at most as many threads as processors.
func resourcesOf(l gomocup.Limits, processors, entries int) resources {
	threads := max(1, min(l.Threads, processors))
	memory := l.MemoryBytes
	if memory == 0 {
		memory = tournamentMemory
	}
	table := l.HashBytes
	if table == 0 {
		table = max(suitable(l.MoveTime, threads), int64(entries)*search.EntryBytes)
	}
	table = max(min(table, memory-programMemory, mostTable), leastTable)
	return resources{
		entries: int(table / search.EntryBytes),
		threads: threads,
		heap:    max(memory-programMemory/2, table+programMemory),
	}
}

// suitable returns the size of a TT, bytes, for moves of a time. Before the first move nothing is known of it, and it is 0.
func suitable(move time.Duration, threads int) int64 {
	entries := move.Microseconds() * entriesPerMicrosecond
	if entries > greatTable/search.EntryBytes {
		return greatTable
	}
	powerOfTwo := int64(1) << bits.Len64(uint64(entries*int64(threads)))
	return max(briefTable, min(powerOfTwo*search.EntryBytes, greatTable))
}

// reserve keeps the process within the memory, garbage of earlier engines included.
func (r resources) reserve() {
	debug.FreeOSMemory()
	debug.SetMemoryLimit(r.heap)
}

// fewNodes is the greatest node limit whose search, some 20 ms, ends before anybody could want to stop it.
const fewNodes = 20_000

// useProcessors lets the Go runtime use no more processors than threads search, where no clock runs and nodes are
// few: on other threads it looked for work in vain, which cost a tenth of a search of 1 000 nodes. Else it has one more
// than they, even where the machine has none: without it, END and YXSTOP would wait for the end of the search, since the
// runtime's monitor, which interrupts a search for others, may sleep while it goes on.
func (b *Brain) useProcessors(l gomocup.Limits) {
	n := max(b.usual, b.has.threads+1)
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
	if limits.Optimum > 0 {
		limits.Optimum = max(limits.Optimum-gone, least)
	}
	return limits
}
