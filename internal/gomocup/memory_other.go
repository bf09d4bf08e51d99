//go:build !linux

package gomocup

// peakMemory is known on Linux alone.
func peakMemory(int) (int64, bool) { return 0, false }
