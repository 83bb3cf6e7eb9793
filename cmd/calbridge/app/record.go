package app

import (
	"context"

	"github.com/schollz/progressbar/v3"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat"
	"calbridge/compat/record"
	"calbridge/compat/recording"
)

// recordCommand records a running site.
func recordCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	o := record.Options{Generator: buildinfo.This().String()}
	fs := cmdline.NewFlags("record")
	fs.StringVar(&o.URL, "url", "", "`URL` of the site, such as https://town.example (required)")
	fs.StringVar(&o.Out, "out", "", "`FILE` to write; when it holds an unfinished recording, that is taken up (required)")
	fs.StringVar(&o.Host, "host", "", "ask the address under another host `NAME`, with its scheme if it is another: https://town.example")
	fs.StringVar(&o.Namespace, "namespace", recording.DefaultNamespace, "namespace to record, `PATH`")
	fs.Var((*cmdline.List)(&o.Languages), "language", "language `CODE` to record; may be repeated (default: those that the index lists)")
	logins := fs.String("passwords", "", "`FILE` of lines login:application password, one for each role to record")
	fs.StringVar(&o.Profile, "profile", "", "also write the site's wording to `FILE`, for serve --profile")
	fs.BoolVar(&o.Writes, "writes", false, "also create, change and delete objects of its own")
	fs.IntVar(&o.Concurrency, "concurrency", 2, "`N` connections to the site")
	fs.DurationVar(&o.Delay, "delay", 0, "least `TIME` between two requests (default 100ms)")
	quiet := fs.Bool("quiet", false, "show no progress")
	const after = "Only GET, HEAD and OPTIONS are sent unless --writes is said. Exit codes: 0 recorded, 1 not finished, 2 wrong flags or files, 3 site unreachable."
	if err := cmdline.ParseFlags(p.Stdout, fs, args, "calbridge record --url URL --out FILE [flags]", after); err != nil {
		return err
	}
	if o.URL == "" || o.Out == "" {
		return cmdline.Usagef("record: --url and --out are required; run `calbridge record --help`")
	}
	if *logins != "" {
		var err error
		if o.Logins, err = recording.LoadLogins(*logins); err != nil {
			return cmdline.Usagef("record: --passwords: %v", err)
		}
	}
	if !*quiet {
		bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(p.Stderr), progressbar.OptionShowCount(),
			progressbar.OptionSetDescription("recording"), progressbar.OptionClearOnFinish())
		o.Progress = func(at record.Progress) {
			bar.ChangeMax(max(at.Planned, 1))
			_ = bar.Set(at.Done) // a bar that cannot be drawn is no reason to stop
		}
		defer func() { _ = bar.Finish() }()
	}
	return cmdline.Exit(compat.RunRecord(ctx, o, p.Stdout, p.Stderr))
}
