package app

import (
	"context"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat"
	"calbridge/compat/recording"
)

// convertCommand writes recordings in the other format.
func convertCommand(_ context.Context, p *cmdline.Process, args []string) error {
	o := recording.ConvertOptions{Generator: buildinfo.This().String()}
	fs := cmdline.NewFlags("convert")
	fs.Var((*cmdline.List)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines or HAR; may be repeated (required)")
	fs.StringVar(&o.Format, "to", recording.FormatJSONLines, "`FORMAT` to write: "+recording.FormatJSONLines+" or "+recording.FormatHAR)
	out := fs.String("out", "-", "`FILE` to write; - is standard output")
	fs.StringVar(&o.Origin, "origin", "", "scheme and host, `URL`, of exchanges that do not know theirs")
	fs.BoolVar(&o.KeepCredentials, "keep-credentials", false, "leave credentials, cookies and nonces in")
	if err := cmdline.ParseFlags(p.Stdout, fs, args, "calbridge convert --recordings GLOB --to FORMAT --out FILE [flags]", "Exit codes: 0 written, 2 wrong flags or files."); err != nil {
		return err
	}
	if len(o.Recordings) == 0 {
		return cmdline.Usagef("convert: --recordings is required; run `calbridge convert --help`")
	}
	return cmdline.Exit(compat.RunConvert(o, *out, p.Stdout, p.Stderr))
}
