package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// build is what the Go toolchain noted in the binary.
type build struct{ version, revision, goVersion string }

func thisBuild() build {
	b := build{version: "devel", revision: "unknown", goVersion: runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		b.version = v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.revision = s.Value
		}
	}
	return b
}

func (b build) String() string {
	return fmt.Sprintf("calbridge %s (revision %s, %s)", b.version, b.revision, b.goVersion)
}

func versionCommand(_ context.Context, p *program, args []string) error {
	if len(args) > 0 && args[0] != "--help" && args[0] != "-h" {
		return usagef("version takes no arguments, got %q", args[0])
	}
	fmt.Fprintln(p.stdout, thisBuild())
	return nil
}
