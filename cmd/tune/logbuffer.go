package main

import (
	"io"
	"sync"
)

// mostHeld bounds what is held back, bytes; beyond, the oldest goes.
const mostHeld = 64 << 10

// logBuffer is a writer that can hold back what is written: log lines while the dashboard has the terminal. Safe
// for concurrent use.
type logBuffer struct {
	to io.Writer

	mu      sync.Mutex
	holding bool
	held    [][]byte
	size    int
}

// Write writes a line, or keeps it for later.
func (b *logBuffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.holding {
		return b.to.Write(line)
	}
	b.held, b.size = append(b.held, append([]byte(nil), line...)), b.size+len(line)
	for b.size > mostHeld && len(b.held) > 1 {
		b.size -= len(b.held[0])
		b.held = b.held[1:]
	}
	return len(line), nil
}

// begin begins to hold back.
func (b *logBuffer) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.holding = true
}

// end writes what was held back; a terminal that is gone takes nothing.
func (b *logBuffer) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, line := range b.held {
		_, _ = b.to.Write(line)
	}
	b.holding, b.held, b.size = false, nil, 0
}
