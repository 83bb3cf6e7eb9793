package app

import (
	"context"
	"regexp"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat"
	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/compat/profile"
	"calbridge/compat/record"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/report"
	"calbridge/compat/rules"
)

// namespaceOfRecordings describes the default of --namespace for commands that read
// recordings.
const namespaceOfRecordings = "the one that `record` stored in the first of them, else " + recording.DefaultNamespace

// compareCommand replays recordings against a target.
func compareCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	o := replay.Options{}
	fs := cmdline.NewFlags("compare")
	fs.StringVar(&o.Target, "target", "", "`URL` of the server to compare, such as http://127.0.0.1:8080 (required)")
	fs.Var((*cmdline.List)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines with or without gzip; may be repeated (required)")
	fs.StringVar(&o.Site, "site", "", "`FILE` that describes the recorded site: home URL and logins")
	fs.StringVar(&o.OutOfScope, "out-of-scope", "", "`FILE` of exchanges that are ignored, or compared by status only")
	fs.StringVar(&o.RecordedNamespace, "recorded-namespace", "", "namespace of the recordings, `PATH` (default: "+namespaceOfRecordings+")")
	fs.StringVar(&o.TargetNamespace, "target-namespace", "", "namespace that the target serves, `PATH` (default: that of the recordings; `calbridge serve` serves "+recording.CalbridgeNamespace+" unless --namespace is set)")
	level := fs.String("level", "", "comparison `LEVEL`: status, headers, schema, semantic or bytes (default bytes)")
	target := fs.String("target-compat", "auto", "--compat `LEVEL` of the target: exact, safe or fixed, or auto to find it out; differences of safe and fixed from the reference are intended")
	rulesFile := fs.String("rules", "", "`FILE` of rules and known differences")
	fs.BoolVar(&o.Strict, "strict", false, "fail on unused and expired rules")
	logins := fs.String("passwords", "", "`FILE` of lines login:application password, for exchanges of logins")
	shard := fs.String("shard", "", "compare only the part `I/N` of the exchanges")
	fs.BoolVar(&o.Writes, "writes", false, "also send recorded requests that change the target")
	var reports report.Files
	fs.StringVar(&reports.JSON, "json", "", "write a JSON report to `FILE`")
	fs.StringVar(&reports.JUnit, "junit", "", "write a JUnit XML report to `FILE`")
	fs.StringVar(&reports.HTML, "html", "", "write an HTML report to `FILE`")
	pattern := fs.String("run", "", "compare only exchanges whose id or path matches `REGEXP`")
	fs.IntVar(&o.Concurrency, "concurrency", 4, "`N` connections to the target")
	fs.DurationVar(&o.Timeout, "timeout", 0, "timeout, `TIME`, for one exchange (default 30s)")
	fs.BoolVar(&o.FailFast, "fail-fast", false, "stop at the first difference")
	fs.BoolVar(&o.Verbose, "verbose", false, "print every exchange and every difference")
	after := cmdline.CodesOf(cmdline.OK, cmdline.Failed, cmdline.Usage, cmdline.Unreachable)
	if err := cmdline.ParseFlags(p, fs, args, "calbridge compare --target URL --recordings GLOB [flags]", after); err != nil {
		return err
	}
	if o.Target == "" || len(o.Recordings) == 0 {
		return cmdline.Usagef("compare: --target and --recordings are required; run `calbridge compare --help`")
	}
	var err error
	if *pattern != "" {
		if o.Run, err = regexp.Compile(*pattern); err != nil {
			return cmdline.Usagef("compare: --run: %v", err)
		}
	}
	if o.Level, err = diff.ParseLevel(*level); err != nil {
		return cmdline.Usagef("compare: --level: %v", err)
	}
	if o.Compat, err = explain.ParseLevel(*target); err != nil {
		return cmdline.Usagef("compare: --target-compat: %v", err)
	}
	if o.Shard, err = replay.ParseShard(*shard); err != nil {
		return cmdline.Usagef("compare: --shard: %v", err)
	}
	if *rulesFile != "" {
		if o.Rules, err = rules.Load(*rulesFile); err != nil {
			return cmdline.Usagef("compare: --rules: %v", err)
		}
	}
	if *logins != "" {
		if o.Logins, err = recording.LoadLogins(*logins); err != nil {
			return cmdline.Usagef("compare: --passwords: %v", err)
		}
	}
	bar := newByteBar(p, "comparing")
	defer bar.finish()
	o.Progress = bar.set
	return cmdline.Exit(compat.RunCompare(ctx, o, reports, bar.above(p.Stdout), p.Stderr))
}

// recordCommand records a running site.
func recordCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	o := record.Options{Generator: buildinfo.This().String(), Agent: buildinfo.This().Agent("calbridge-record")}
	fs := cmdline.NewFlags("record")
	fs.StringVar(&o.URL, "url", "", "`URL` of the site, such as https://town.example (required)")
	fs.StringVar(&o.Out, "out", "", "`FILE` to write, compressed if its name ends with .gz; an unfinished recording is continued (required)")
	fs.StringVar(&o.Host, "host", "", "host `NAME` to send, with a scheme if it differs: https://town.example")
	fs.StringVar(&o.Namespace, "namespace", "", "namespace to record, `PATH` (default: "+recording.DefaultNamespace+", that of The Events Calendar, or on a site without it "+recording.CalbridgeNamespace+", that of calbridge without --namespace)")
	fs.Var((*cmdline.List)(&o.Languages), "language", "language `CODE` to record; may be repeated (default: those in the index)")
	logins := fs.String("passwords", "", "`FILE` of lines login:application password, one for each role to record")
	fs.StringVar(&o.User, "user", "", userHelp)
	fs.StringVar(&o.Profile, "profile", "", "also write the site's wording to `FILE`, for serve --profile")
	fs.BoolVar(&o.Writes, "writes", false, "also create, update and delete test objects")
	fs.IntVar(&o.Concurrency, "concurrency", 2, "`N` connections to the site")
	fs.DurationVar(&o.Delay, "delay", 0, "shortest `TIME` between two requests (default 100ms)")
	quiet := fs.Bool("quiet", false, "show no progress")
	after := "Unless --writes is given, all requests read, or are refused before anything is written. " + cmdline.CodesOf(cmdline.OK, cmdline.Failed, cmdline.Usage, cmdline.Unreachable)
	if err := cmdline.ParseFlags(p, fs, args, "calbridge record --url URL --out FILE [flags]", after); err != nil {
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
	if o.User != "" {
		if o.Password = o.Logins[o.User]; o.Password == "" {
			var err error
			if o.Password, err = passwordOf(p, "record", o.User); err != nil {
				return err
			}
		}
	}
	if !*quiet {
		bar := newProgress(p, "recording", "requests")
		defer bar.finish()
		o.Progress = func(at record.Progress) { bar.set(int64(at.Done), int64(at.Planned)) }
	}
	return cmdline.Exit(compat.RunRecord(ctx, o, p.Stdout, p.Stderr))
}

// convertCommand writes recordings in the other format.
func convertCommand(_ context.Context, p *cmdline.Process, args []string) error {
	o := recording.ConvertOptions{Generator: buildinfo.This().String()}
	fs := cmdline.NewFlags("convert")
	fs.Var((*cmdline.List)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines or HAR; may be repeated (required)")
	fs.StringVar(&o.Format, "to", recording.FormatJSONLines, "`FORMAT` to write: "+recording.FormatJSONLines+" or "+recording.FormatHAR)
	out := fs.String("out", "-", "`FILE` to write; - is standard output")
	fs.StringVar(&o.Origin, "origin", "", "base `URL` for exchanges that lack one")
	fs.BoolVar(&o.KeepCredentials, "keep-credentials", false, "do not remove credentials, cookies and nonces")
	if err := cmdline.ParseFlags(p, fs, args, "calbridge convert --recordings GLOB --to FORMAT --out FILE [flags]", cmdline.CodesOf(cmdline.OK, cmdline.Usage)); err != nil {
		return err
	}
	if len(o.Recordings) == 0 {
		return cmdline.Usagef("convert: --recordings is required; run `calbridge convert --help`")
	}
	bar := newByteBar(p, "reading")
	defer bar.finish()
	o.Progress = bar.set
	return cmdline.Exit(compat.RunConvert(o, *out, p.Stdout, p.Stderr))
}

// profileCommand runs `profile build`, its only action.
func profileCommand(_ context.Context, p *cmdline.Process, args []string) error {
	const usage = "calbridge profile build --recordings GLOB --out FILE [flags]"
	if len(args) > 0 && args[0] == "build" {
		args = args[1:]
	} else if len(args) == 0 || args[0] != "--help" && args[0] != "-h" {
		return cmdline.Usagef("profile needs the subcommand build: %s", usage)
	}
	o := profile.Options{Generator: buildinfo.This().String()}
	fs := cmdline.NewFlags("profile build")
	fs.Var((*cmdline.List)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines with or without gzip; may be repeated (required)")
	out := fs.String("out", "-", "`FILE` to write; - is standard output")
	fs.StringVar(&o.Site, "site", "", "`FILE` that describes the recorded site")
	fs.StringVar(&o.Namespace, "namespace", "", "namespace of the recordings, `PATH` (default: "+namespaceOfRecordings+")")
	fs.Var((*cmdline.List)(&o.Merge), "merge", "`FILE` of texts that override the recorded ones; may be repeated")
	if err := cmdline.ParseFlags(p, fs, args, usage, cmdline.CodesOf(cmdline.OK, cmdline.Usage)); err != nil {
		return err
	}
	if len(o.Recordings) == 0 {
		return cmdline.Usagef("profile build: --recordings is required; run `calbridge profile build --help`")
	}
	bar := newByteBar(p, "reading")
	defer bar.finish()
	o.Progress = bar.set
	return cmdline.Exit(compat.RunProfileBuild(o, *out, p.Stdout, p.Stderr))
}
