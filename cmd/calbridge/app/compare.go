package app

import (
	"context"
	"regexp"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/compat"
	"calbridge/compat/diff"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/report"
	"calbridge/compat/rules"
)

// compareCommand replays recordings against a target.
func compareCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	o := replay.Options{}
	fs := cmdline.NewFlags("compare")
	fs.StringVar(&o.Target, "target", "", "`URL` of the server to ask, such as http://127.0.0.1:8080 (required)")
	fs.Var((*cmdline.List)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines with or without gzip; may be repeated (required)")
	fs.StringVar(&o.Site, "site", "", "`FILE` that describes the recorded site: home URL and logins")
	fs.StringVar(&o.OutOfScope, "out-of-scope", "", "`FILE` of exchanges that are not compared, or by status only")
	fs.StringVar(&o.RecordedNamespace, "recorded-namespace", "", "namespace of the recordings, `PATH` (default: what they say, else "+recording.DefaultNamespace+")")
	fs.StringVar(&o.TargetNamespace, "target-namespace", "", "namespace that the target serves, `PATH` (default: that of the recordings)")
	level := fs.String("level", "", "how closely to compare: status, headers, schema, semantic or bytes (`LEVEL`, default bytes)")
	rulesFile := fs.String("rules", "", "`FILE` of rules and known differences")
	fs.BoolVar(&o.Strict, "strict", false, "fail on unused and expired rules")
	logins := fs.String("passwords", "", "`FILE` of lines login:application password, for exchanges of logins")
	shard := fs.String("shard", "", "compare only the part `I/N` of the exchanges")
	fs.BoolVar(&o.Writes, "writes", false, "also send recorded requests that change the target")
	var reports report.Files
	fs.StringVar(&reports.JSON, "json", "", "write a JSON report to `FILE`")
	fs.StringVar(&reports.JUnit, "junit", "", "write a JUnit XML report to `FILE`")
	fs.StringVar(&reports.HTML, "html", "", "write a report to look at in a browser to `FILE`")
	pattern := fs.String("run", "", "compare only exchanges whose id or path matches `REGEXP`")
	fs.IntVar(&o.Concurrency, "concurrency", 4, "`N` connections to the target")
	fs.DurationVar(&o.Timeout, "timeout", 0, "longest `TIME` for one exchange (default 30s)")
	fs.BoolVar(&o.FailFast, "fail-fast", false, "stop at the first difference")
	fs.BoolVar(&o.Verbose, "verbose", false, "tell every exchange and every difference")
	const after = "Exit codes: 0 all the same, 1 differences, 2 wrong flags or files, 3 target unreachable."
	if err := cmdline.ParseFlags(p.Stdout, fs, args, "calbridge compare --target URL --recordings GLOB [flags]", after); err != nil {
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
	return cmdline.Exit(compat.RunCompare(ctx, o, reports, p.Stdout, p.Stderr))
}
