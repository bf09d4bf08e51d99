package main

import (
	"time"

	"quintune/internal/config"
)

// deadlineOf returns when --deadline comes next after now, zero where there is none.
func deadlineOf(v *config.Values, now time.Time) time.Time {
	text := v.String("deadline")
	if text == "" {
		return time.Time{}
	}
	clock, err := time.Parse("15:04", text)
	if err != nil {
		panic(err) // the option's kind has read it
	}
	at := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), 0, 0, now.Location())
	if !at.After(now) {
		at = time.Date(now.Year(), now.Month(), now.Day()+1, clock.Hour(), clock.Minute(), 0, 0, now.Location())
	}
	return at
}

// budgetOf returns --budget, or else the time until the deadline.
func budgetOf(v *config.Values, deadline time.Time) config.Budget {
	if v.IsSet("budget") || deadline.IsZero() {
		return v.Budget("budget")
	}
	return config.Budget{Time: max(time.Second, time.Until(deadline))}
}
