package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestHold(t *testing.T) {
	var out bytes.Buffer
	h := &logBuffer{to: &out}
	fmt.Fprintln(h, "before")
	h.begin()
	fmt.Fprintln(h, "meanwhile")
	if out.String() != "before\n" {
		t.Errorf("written while holding: %q", out.String())
	}
	h.end()
	fmt.Fprintln(h, "after")
	if out.String() != "before\nmeanwhile\nafter\n" {
		t.Errorf("written: %q", out.String())
	}
	out.Reset()
	h.begin()
	line := strings.Repeat("x", 1000)
	for k := range 200 {
		fmt.Fprintln(h, k, line)
	}
	h.end()
	if n := out.Len(); n > mostHeld+1100 || n < mostHeld-1100 || !strings.HasSuffix(out.String(), "199 "+line+"\n") {
		t.Errorf("%d bytes were held back, want the last %d", n, mostHeld)
	}
}
