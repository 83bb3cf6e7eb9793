// Package buildinfo identifies the running build of calbridge. It imports nothing of
// calbridge.
package buildinfo

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is the semantic version of this tree. It has the suffix -dev until it is released:
// the first section of .github/CHANGELOG.md is then called Unreleased.
const Version = "0.2.0-dev"

// Build is the build information of the binary.
type Build struct{ Version, Revision, GoVersion string }

// revision is set by the linker for builds that cannot read version control, such as
// docker/Dockerfile: -ldflags "-X calbridge/cmd/calbridge/buildinfo.revision=0123abc".
var revision string

// This returns the build of the running program.
func This() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return of(info, revision)
}

// of returns the build that info describes. revision is used where info has none.
func of(info *debug.BuildInfo, revision string) Build {
	b := Build{Version: Version, Revision: cmp.Or(revision, "unknown"), GoVersion: runtime.Version()}
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

// Agent returns the User-Agent of a part of calbridge: its name and the version.
func (b Build) Agent(product string) string { return product + "/" + b.Version }
