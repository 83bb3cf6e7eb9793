package main

import (
	"context"

	"github.com/schollz/progressbar/v3"

	"calbridge/compat"
	"calbridge/compat/record"
	"calbridge/compat/recording"
)

// recordCommand records a running site.
func recordCommand(ctx context.Context, p *program, args []string) error {
	o := record.Options{Generator: thisBuild().String()}
	fs := newFlags("record")
	fs.StringVar(&o.URL, "url", "", "`URL` of the site, such as https://town.example (required)")
	fs.StringVar(&o.Out, "out", "", "`FILE` to write; when it holds an unfinished recording, that is taken up (required)")
	fs.StringVar(&o.Host, "host", "", "ask the address under another host `NAME`, with its scheme if it is another: https://town.example")
	fs.StringVar(&o.Namespace, "namespace", recording.DefaultNamespace, "namespace to record, `PATH`")
	fs.Var((*list)(&o.Languages), "language", "language `CODE` to record; may be repeated (default: those that the index lists)")
	logins := fs.String("passwords", "", "`FILE` of lines login:application password, one for each role to record")
	fs.StringVar(&o.Profile, "profile", "", "also write the site's wording to `FILE`, for serve --profile")
	fs.BoolVar(&o.Writes, "writes", false, "also create, change and delete objects of its own")
	fs.IntVar(&o.Concurrency, "concurrency", 2, "`N` connections to the site")
	fs.DurationVar(&o.Delay, "delay", 0, "least `TIME` between two requests (default 100ms)")
	quiet := fs.Bool("quiet", false, "show no progress")
	const after = "Only GET, HEAD and OPTIONS are sent unless --writes is said. Exit codes: 0 recorded, 1 not finished, 2 wrong flags or files, 3 site unreachable."
	if err := parseFlags(p, fs, args, "calbridge record --url URL --out FILE [flags]", after); err != nil {
		return err
	}
	if o.URL == "" || o.Out == "" {
		return usagef("record: --url and --out are required; run `calbridge record --help`")
	}
	if *logins != "" {
		var err error
		if o.Logins, err = recording.LoadLogins(*logins); err != nil {
			return usagef("record: --passwords: %v", err)
		}
	}
	if !*quiet {
		bar := progressbar.NewOptions(1, progressbar.OptionSetWriter(p.stderr), progressbar.OptionShowCount(),
			progressbar.OptionSetDescription("recording"), progressbar.OptionClearOnFinish())
		o.Progress = func(at record.Progress) {
			bar.ChangeMax(max(at.Planned, 1))
			_ = bar.Set(at.Done) // a bar that cannot be drawn is no reason to stop
		}
		defer func() { _ = bar.Finish() }()
	}
	if code := compat.RunRecord(ctx, o, p.stdout, p.stderr); code != exitOK {
		return exitError(code)
	}
	return nil
}

// convertCommand writes recordings in the other format.
func convertCommand(_ context.Context, p *program, args []string) error {
	o := recording.ConvertOptions{Generator: thisBuild().String()}
	fs := newFlags("convert")
	fs.Var((*list)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines or HAR; may be repeated (required)")
	fs.StringVar(&o.Format, "to", recording.FormatJSONLines, "`FORMAT` to write: "+recording.FormatJSONLines+" or "+recording.FormatHAR)
	out := fs.String("out", "-", "`FILE` to write; - is standard output")
	fs.StringVar(&o.Origin, "origin", "", "scheme and host, `URL`, of exchanges that do not know theirs")
	fs.BoolVar(&o.KeepCredentials, "keep-credentials", false, "leave credentials, cookies and nonces in")
	if err := parseFlags(p, fs, args, "calbridge convert --recordings GLOB --to FORMAT --out FILE [flags]", "Exit codes: 0 written, 2 wrong flags or files."); err != nil {
		return err
	}
	if len(o.Recordings) == 0 {
		return usagef("convert: --recordings is required; run `calbridge convert --help`")
	}
	if code := compat.RunConvert(o, *out, p.stdout, p.stderr); code != exitOK {
		return exitError(code)
	}
	return nil
}
