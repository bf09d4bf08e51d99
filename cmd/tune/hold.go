package main

import (
	"io"
	"sync"
)

// mostHeld bounds what is held back, bytes; beyond, the oldest goes.
const mostHeld = 64 << 10

// hold is a writer that can hold back what is written: log lines while the dashboard has the terminal. Safe
// for concurrent use.
type hold struct {
	to io.Writer

	mu      sync.Mutex
	holding bool
	held    [][]byte
	size    int
}

// Write writes a line, or keeps it for later.
func (h *hold) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.holding {
		return h.to.Write(line)
	}
	h.held, h.size = append(h.held, append([]byte(nil), line...)), h.size+len(line)
	for h.size > mostHeld && len(h.held) > 1 {
		h.size -= len(h.held[0])
		h.held = h.held[1:]
	}
	return len(line), nil
}

// begin begins to hold back.
func (h *hold) begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.holding = true
}

// end writes what was held back; a terminal that is gone takes nothing.
func (h *hold) end() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, line := range h.held {
		_, _ = h.to.Write(line)
	}
	h.holding, h.held, h.size = false, nil, 0
}
