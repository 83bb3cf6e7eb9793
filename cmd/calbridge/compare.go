package main

import (
	"context"
	"fmt"
	"regexp"

	"calbridge/compat"
	"calbridge/compat/diff"
	"calbridge/compat/profile"
	"calbridge/compat/recording"
	"calbridge/compat/replay"
	"calbridge/compat/report"
	"calbridge/compat/rules"
)

// compareCommand replays recordings against a target.
func compareCommand(ctx context.Context, p *program, args []string) error {
	o := replay.Options{}
	fs := newFlags("compare")
	fs.StringVar(&o.Target, "target", "", "`URL` of the server to ask, such as http://127.0.0.1:8080 (required)")
	fs.Var((*list)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines with or without gzip; may be repeated (required)")
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
	if err := parseFlags(p, fs, args, "calbridge compare --target URL --recordings GLOB [flags]", after); err != nil {
		return err
	}
	if o.Target == "" || len(o.Recordings) == 0 {
		return usagef("compare: --target and --recordings are required; run `calbridge compare --help`")
	}
	var err error
	if *pattern != "" {
		if o.Run, err = regexp.Compile(*pattern); err != nil {
			return usagef("compare: --run: %v", err)
		}
	}
	if o.Level, err = diff.ParseLevel(*level); err != nil {
		return usagef("compare: --level: %v", err)
	}
	if o.Shard, err = replay.ParseShard(*shard); err != nil {
		return usagef("compare: --shard: %v", err)
	}
	if *rulesFile != "" {
		if o.Rules, err = rules.Load(*rulesFile); err != nil {
			return usagef("compare: --rules: %v", err)
		}
	}
	if *logins != "" {
		if o.Logins, err = recording.LoadLogins(*logins); err != nil {
			return usagef("compare: --passwords: %v", err)
		}
	}
	if code := compat.RunCompare(ctx, o, reports, p.stdout, p.stderr); code != exitOK {
		return exitError(code)
	}
	return nil
}

// profileCommand has one action so far: build.
func profileCommand(_ context.Context, p *program, args []string) error {
	const usage = "calbridge profile build --recordings GLOB --out FILE [flags]"
	if len(args) > 0 && args[0] == "build" {
		args = args[1:]
	} else if len(args) == 0 || args[0] != "--help" && args[0] != "-h" {
		return usagef("profile: the action is missing or unknown; usage: %s", usage)
	}
	o := profile.Options{Generator: thisBuild().String()}
	fs := newFlags("profile build")
	fs.Var((*list)(&o.Recordings), "recordings", "`GLOB` of recordings, JSON Lines with or without gzip; may be repeated (required)")
	out := fs.String("out", "-", "`FILE` to write; - is standard output")
	fs.StringVar(&o.Site, "site", "", "`FILE` that describes the recorded site")
	fs.StringVar(&o.Namespace, "namespace", recording.DefaultNamespace, "namespace of the recordings, `PATH`")
	fs.Var((*list)(&o.Merge), "merge", "`FILE` of texts that win over the recorded ones; may be repeated")
	if err := parseFlags(p, fs, args, usage, "Exit codes: 0 written, 2 wrong flags or files."); err != nil {
		return err
	}
	if len(o.Recordings) == 0 {
		return usagef("profile build: --recordings is required; run `calbridge profile build --help`")
	}
	if code := compat.RunProfileBuild(o, *out, p.stdout, p.stderr); code != exitOK {
		return exitError(code)
	}
	return nil
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string { return fmt.Sprint([]string(*l)) }

func (l *list) Set(text string) error {
	*l = append(*l, text)
	return nil
}
