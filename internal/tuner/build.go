package tuner

import (
	"runtime/debug"
	"strings"
)

// goLevel returns the architecture level that the program was built for, such as "v1" of GOAMD64,
// or "" where there is none: fused operations, and so float bytes, may differ between levels.
func goLevel() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if strings.HasPrefix(s.Key, "GOAMD64") || strings.HasPrefix(s.Key, "GOARM") || strings.HasPrefix(s.Key, "GOPPC64") {
			return s.Value
		}
	}
	return ""
}
