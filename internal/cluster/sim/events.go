package main

import (
	"container/heap"
	"time"
)

// event is an action at a time. serial orders events with the same time.
type event struct {
	at      time.Duration
	serial  int
	happens func()
}

// events is a heap by time.
type events []event

func (e events) Len() int { return len(e) }

func (e events) Less(i, j int) bool {
	if e[i].at != e[j].at {
		return e[i].at < e[j].at
	}
	return e[i].serial < e[j].serial
}

func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }

// Push adds an event; see heap.Interface.
func (e *events) Push(x any) { *e = append(*e, x.(event)) }

// Pop removes the last event; see heap.Interface.
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// at schedules an action.
func (c *course) at(when time.Duration, happens func()) {
	c.serial++
	heap.Push(&c.events, event{when, c.serial, happens})
}
