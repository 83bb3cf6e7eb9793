package app

import (
	"context"
	"fmt"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
)

// versionCommand prints the version.
func versionCommand(_ context.Context, p *cmdline.Process, args []string) error {
	if len(args) > 0 && args[0] != "--help" && args[0] != "-h" {
		return cmdline.Usagef("version takes no arguments, got %q", args[0])
	}
	fmt.Fprintln(p.Stdout, buildinfo.This())
	return nil
}
