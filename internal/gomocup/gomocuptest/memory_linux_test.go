package gomocuptest

import (
	"os/exec"
	"testing"
)

func TestPeakMemory(t *testing.T) {
	if peak := PeakMemory(); peak != 0 {
		t.Errorf("%d bytes without a child", peak)
	}
	child := exec.Command("sleep", "60")
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	peak := PeakMemory()
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = child.Wait() // it was killed
	if peak < 1<<16 || peak > 1<<32 {
		t.Errorf("%d bytes of a child", peak)
	}
}
