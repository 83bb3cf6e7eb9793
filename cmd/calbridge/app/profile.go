package app

import (
	"context"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat"
	"calbridge/compat/profile"
	"calbridge/compat/recording"
)

// profileCommand has one action so far: build.
func profileCommand(_ context.Context, p *cmdline.Process, args []string) error {
	const usage = "calbridge profile build --recordings GLOB --out FILE [flags]"
	if len(args) > 0 && args[0] == "build" {
		args = args[1:]
	} else if len(args) == 0 || args[0] != "--help" && args[0] != "-h" {
		return cmdline.Usagef("profile: the action is missing or unknown; usage: %s", usage)
	}
	o := profile.Options{Generator: buildinfo.This().String()}
	fs := cmdline.NewFlags("profile build")
	fs.Var((*cmdline.List)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines with or without gzip; may be repeated (required)")
	out := fs.String("out", "-", "`FILE` to write; - is standard output")
	fs.StringVar(&o.Site, "site", "", "`FILE` that describes the recorded site")
	fs.StringVar(&o.Namespace, "namespace", recording.DefaultNamespace, "namespace of the recordings, `PATH`")
	fs.Var((*cmdline.List)(&o.Merge), "merge", "`FILE` of texts that win over the recorded ones; may be repeated")
	if err := cmdline.ParseFlags(p.Stdout, fs, args, usage, "Exit codes: 0 written, 2 wrong flags or files."); err != nil {
		return err
	}
	if len(o.Recordings) == 0 {
		return cmdline.Usagef("profile build: --recordings is required; run `calbridge profile build --help`")
	}
	return cmdline.Exit(compat.RunProfileBuild(o, *out, p.Stdout, p.Stderr))
}
