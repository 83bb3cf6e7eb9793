package app

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/sites"
	"calbridge/cmd/calbridge/warmup"
	"calbridge/rest/proof"
)

// proofWarmCommand sends a running server in auto mode the requests that its clients will likely send.
func proofWarmCommand(ctx context.Context, p *cmdline.Process, args []string) error {
	cfg := warmup.Config{Now: time.Now, Sleep: sleep}
	var logs cmdline.List
	var site string
	s, err := opsSettings(p, "proof warm", args, func(fs *flag.FlagSet) {
		fs.StringVar(&cfg.Site.URL, "url", "", "`URL` of the site, or of calbridge itself with --host, such as https://town.example (required)")
		fs.StringVar(&cfg.Site.Host, "host", "", "host `NAME` of the site if --url is another address, with its scheme: https://town.example")
		fs.StringVar(&site, "site", "", "count the responses of "+sites.SiteHelp)
		fs.Var(&logs, "access-log", "access log of the web server, `FILE`, in the combined format or Caddy's JSON, with or without gzip: its requests are sent too; may be repeated")
		fs.DurationVar(&cfg.Longest, "for", 15*time.Minute, "end after this `TIME`, or once calbridge answers everything itself")
		fs.Float64Var(&cfg.Share, "share", 50, "take at most this share of one PHP process's time, `PERCENT`")
		fs.DurationVar(&cfg.RoundEvery, "round", 30*time.Second, "send each kind of request once in this `TIME`, or the likeliest kinds if WordPress is too slow for all; a shorter one proves nothing sooner unless the server's --proof-time is shorter too")
	}, "namespace")
	switch {
	case err != nil:
		return err
	case cfg.Site.URL == "":
		return cmdline.Usagef("proof warm: --url is required; run `calbridge proof warm --help`")
	case cfg.Share <= 0 || cfg.Share > 100:
		return cmdline.Usagef("proof warm: --share must be above 0 and at most 100")
	case cfg.RoundEvery <= 0 || cfg.Longest <= 0:
		return cmdline.Usagef("proof warm: --for and --round must be above 0")
	}
	cfg.Site.Namespace, cfg.Site.Agent = s.API.Namespace, buildinfo.This().Agent("calbridge-warm")
	for _, name := range logs {
		targets, err := readLog(name, s.API.Namespace)
		if err != nil {
			return cmdline.Usagef("proof warm: --access-log: %v", err)
		}
		fmt.Fprintf(p.Stdout, "%s: %d different requests of %s\n", name, len(targets), s.API.Namespace)
		cfg.Logged = append(cfg.Logged, targets...)
	}
	cfg.Counts = func(ctx context.Context) (native, all int64, err error) {
		report, err := proofOf(ctx, s, site)
		if err != nil {
			return 0, 0, err
		}
		for n := range maps.Values(report.Answers) {
			all += n
		}
		return report.Answers[proof.None], all, nil
	}
	cfg.Progress = func(r warmup.Round) {
		fmt.Fprintf(p.Stdout, "after %s: %d requests sent, %d of %d different ones; calbridge answered %s of the last round itself\n",
			r.Elapsed.Round(time.Second), r.Sent, r.Known-r.Unsent, r.Known, percent(r.Native, r.Answered))
	}
	last, err := warmup.Run(ctx, cfg)
	if err != nil {
		return fmt.Errorf("proof warm: %w", err)
	}
	if last.Answered == 0 {
		return fmt.Errorf("proof warm: none of the requests reached the server whose ops address is %s: check that %s leads to it, or send them to its --listen address with --host", s.Listen.Ops, cfg.Site.URL)
	}
	report, err := proofOf(ctx, s, site)
	if err != nil {
		return fmt.Errorf("proof warm: %w", err)
	}
	kinds, proven := map[proof.Shape]bool{}, 0
	for _, p := range report.Shapes {
		kind := p.Shape
		kind.Composed = false // proven either way
		kinds[kind] = kinds[kind] || p.State == proof.Proven
	}
	for isProven := range maps.Values(kinds) {
		if isProven {
			proven++
		}
	}
	fmt.Fprintf(p.Stdout, "%d of %d kinds of requests are proven; `calbridge proof` shows why the others aren't\n", proven, len(kinds))
	if report.Held != proof.None {
		fmt.Fprintf(p.Stdout, "nothing is answered natively now: %s\n", report.Held.Means())
	}
	return nil
}

// readLog returns the requests in an access log, compressed or not.
func readLog(name, namespace string) ([]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var in io.Reader = bufio.NewReader(file)
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(in); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	targets, err := warmup.ReadLog(in, namespace)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return slices.Clip(targets), nil
}

// sleep waits, unless the context ends first.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return errors.New("interrupted; what was compared so far counts")
	}
}

// percent returns a share as text.
func percent(part, all int64) string {
	if all == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%d %%", part*100/all)
}
