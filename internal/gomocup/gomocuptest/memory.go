package gomocuptest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
)

// PeakMemory returns the most memory, bytes, that a child of this process has ever held at once: its resident set
// with what it shares, by the kernel's account. It is 0 without a living child, and on systems other than Linux.
func PeakMemory() (peak int64) {
	files, _ := filepath.Glob("/proc/[0-9]*/status")
	for _, file := range files {
		status, err := os.ReadFile(file)
		if err != nil {
			continue // the process has ended
		}
		if field(status, "PPid") == int64(os.Getpid()) {
			peak = max(peak, field(status, "VmHWM")<<10)
		}
	}
	return peak
}

// field returns the number of a line of a status file, 0 without that line.
func field(status []byte, name string) int64 {
	_, rest, _ := bytes.Cut(status, []byte("\n"+name+":\t"))
	var n int64
	_, _ = fmt.Sscan(string(rest[:min(len(rest), 32)]), &n)
	return n
}
