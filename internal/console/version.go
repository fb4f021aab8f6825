package console

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// A Build describes a program: what it was built from, and for which system.
type Build struct {
	Version string `json:"version"` // a tag such as v1.2.3, or a pseudo-version, or (devel)
	Commit  string `json:"commit"`  // empty if not known
	Time    string `json:"time"`    // of the commit; empty if not known
	Changed bool   `json:"changed"` // files differed from the commit
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// ReadBuild describes this program.
func ReadBuild() Build {
	b := Build{Version: "(devel)", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if info.Main.Version != "" {
		b.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Changed = s.Value == "true"
		}
	}
	return b
}

// String describes the build in one line.
func (b Build) String() string {
	s := b.Version
	if b.Commit != "" {
		s += fmt.Sprintf(" (commit %.12s)", b.Commit)
	}
	return fmt.Sprintf("%s, %s, %s/%s", s, b.Go, b.OS, b.Arch)
}
