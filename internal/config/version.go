package config

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// unknownCommit stands for builds outside version control, such as tests.
const unknownCommit = "unknown"

// Commit returns the commit that the program was built from, with "+dirty" where the tree had
// changes, or "unknown".
func Commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return unknownCommit
	}
	return commitOf(info)
}

func commitOf(info *debug.BuildInfo) string {
	commit, dirty := unknownCommit, ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+dirty"
		}
	}
	return commit + dirty
}

// Version returns the text of --version: version, commit, engine signature, compiler and system.
func Version(engine string) string {
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	return fmt.Sprintf("quintune %s\ncommit %s\nengine %s\n%s %s/%s",
		version, Commit(), engine, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
