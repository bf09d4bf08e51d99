package main

import (
	"runtime"
	"runtime/debug"

	"quintune/internal/gomocup"
	"quintune/search"
)

// homeEntries is the size of the TT for games and analysis of people: 16 MiB.
const homeEntries = 1 << 20

const (
	// tournamentMemory is Gomocup's limit of a process, bytes, taken where the manager names none.
	tournamentMemory = 350 << 20
	// programMemory is what the process takes beside the TT, bytes: 15 MiB as measured, with room for
	// the garbage between two collections.
	programMemory = 32 << 20
	// usualTable and leastTable are the sizes of the TT where there is plenty of memory and too
	// little, bytes. Half a minute a move fills the first about once.
	usualTable = 128 << 20
	leastTable = 1 << 18
)

// resources are what a manager's limits leave to the engine.
type resources struct {
	entries int   // of the TT
	threads int   // that search
	heap    int64 // bytes that the Go runtime may take
}

// resourcesOf returns the resources that fit into the limits: the table of the size asked for or
// the usual one, as far as the memory of the process allows, and no more threads than processors.
func resourcesOf(l gomocup.Limits) resources {
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
		threads: max(1, min(l.Threads, runtime.GOMAXPROCS(0))),
		heap:    max(memory-programMemory/2, table+programMemory),
	}
}

// reserve keeps the process within the memory, garbage of earlier engines included.
func (r resources) reserve() {
	debug.FreeOSMemory()
	debug.SetMemoryLimit(r.heap)
}
