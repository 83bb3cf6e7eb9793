// Package buildinfo identifies the running build of calbridge. It imports nothing of
// calbridge.
package buildinfo

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Build is the build information of the binary.
type Build struct{ Version, Revision, GoVersion string }

// version and revision are set by the linker for builds that cannot read version control, such
// as docker/Dockerfile: -ldflags "-X calbridge/cmd/calbridge/buildinfo.version=v1.2.3".
var version, revision string

// This returns the build of the running program.
func This() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(info, version, revision)
}

// of returns the build that info describes. version and revision are used where info has none.
func of(info *debug.BuildInfo, version, revision string) Build {
	b := Build{Version: cmp.Or(version, "devel"), Revision: cmp.Or(revision, "unknown"), GoVersion: runtime.Version()}
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

// String returns what the version command prints.
func (b Build) String() string {
	return fmt.Sprintf("calbridge %s (revision %s, %s)", b.Version, b.Revision, b.GoVersion)
}
