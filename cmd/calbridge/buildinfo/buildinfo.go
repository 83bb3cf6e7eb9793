// Package buildinfo identifies the running build of calbridge. It imports nothing of
// calbridge.
package buildinfo

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Build is the build information of the binary.
type Build struct{ Version, Revision, GoVersion string }

// This returns the running build.
func This() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(info)
}

func of(info *debug.BuildInfo) Build {
	b := Build{Version: "devel", Revision: "unknown", GoVersion: runtime.Version()}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.Version = v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Revision = s.Value
		}
	}
	return b
}

// String is what the version command prints.
func (b Build) String() string {
	return fmt.Sprintf("calbridge %s (revision %s, %s)", b.Version, b.Revision, b.GoVersion)
}
