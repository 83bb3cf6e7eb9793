package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"calbridge/compat"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/metrics"
	"calbridge/rest/rollout"
	"calbridge/wpstore"
)

// rolloutSettings are about who answers while calbridge takes over from WordPress.
// A reload changes all of them.
func rolloutSettings() []setting {
	const g = groupRollout
	return []setting{
		{name: "mode", arg: "MODE", def: string(rollout.Native), group: g, help: "who answers: native (calbridge), proxy (WordPress), diff-native (calbridge, and WordPress is asked too and compared), diff-proxy (the other way round)",
			set: oneOf(func(s *settings) *rollout.Mode { return &s.plan.Mode }, rollout.Modes()...)},
		{name: "mode-share", arg: "PERCENT", def: "100", group: g, help: "share of the clients that mode is for, chosen by address, each for good; the others get WordPress's answers",
			set: percent(func(s *settings) *float64 { return &s.plan.Clients })},
		{name: "upstream", arg: "URL", group: g, help: "address at which WordPress itself answers (PHP, not calbridge): scheme, host and port; it also answers what only its plugins can render",
			set: webURL(func(s *settings) *string { return &s.upstream.URL })},
		{name: "upstream-host", arg: "NAME", group: g, help: "host name of the site, where upstream is a bare address; without it the client's Host is passed on",
			set: text(func(s *settings) *string { return &s.upstream.Host })},
		{name: "upstream-timeout", arg: "TIME", def: "10s", group: g, help: "longest wait for WordPress to begin its answer",
			set: duration(func(s *settings) *time.Duration { return &s.upstream.Timeout }, 10*time.Millisecond, time.Hour)},
		{name: "compare-share", arg: "PERCENT", def: "100", group: g, help: "share of the GETs that the diff modes compare, chosen at random",
			set: percent(func(s *settings) *float64 { return &s.plan.Compared })},
		{name: "compare-level", arg: "LEVEL", def: string(compat.LevelBytes), group: g, help: "how closely: status, headers, schema, semantic or bytes, as in `calbridge compare`",
			set: oneOf(func(s *settings) *compat.Level { return &s.compareLevel }, compat.Levels()...)},
		{name: "compare-rules", arg: "FILE", group: g, help: "rules and known differences, as for `calbridge compare`",
			set: text(func(s *settings) *string { return &s.compareRules })},
		{name: "compare-log", arg: "FILE", group: g, help: "recording of the requests whose answers differ, with WordPress's answers, for `calbridge compare`; credentials are left out",
			set: text(func(s *settings) *string { return &s.compareLog })},
		{name: "compare-log-max", arg: "SIZE", def: "64MiB", group: g, help: "size at which that recording becomes FILE.1 and a new one is begun",
			set: size(func(s *settings) *int64 { return &s.compareLogMax })},
		{name: "static-blocks", arg: "NAMES", group: g, help: "blocks of other plugins that show what is saved in the text, such as kadence/*,stackable/divider: calbridge answers for them",
			set: names(func(s *settings) *[]string { return &s.staticBlocks })},
		{name: "plugin-shortcodes", arg: "NAMES", group: g, help: "shortcodes of other plugins that are written like plain words in brackets, such as tickets,map: WordPress answers for them",
			set: names(func(s *settings) *[]string { return &s.pluginShortcodes })},
	}
}

// percent reads a share: a number from 0 to 100, which may have a fraction.
func percent(field func(*settings) *float64) setter {
	return func(s *settings, v string) error {
		n, err := strconv.ParseFloat(strings.TrimSuffix(v, "%"), 64)
		if err != nil || !(n >= 0 && n <= 100) {
			return fmt.Errorf("%q is no share: write a number from 0 to 100", v)
		}
		*field(s) = n
		return nil
	}
}

// names reads words that are separated by commas.
func names(field func(*settings) *[]string) setter {
	return func(s *settings, v string) error {
		var list []string
		for name := range strings.SplitSeq(v, ",") {
			if name = strings.TrimSpace(name); name == "" || strings.ContainsAny(name, " \t[]<>") {
				return fmt.Errorf("%q is no list of names such as one,two", v)
			}
			list = append(list, name)
		}
		*field(s) = list
		return nil
	}
}

// openRollout puts the server into its place between clients and WordPress. home is
// the address of the site.
func (c *configuration) openRollout(api *rest.Server, home string, logger *slog.Logger, m *metrics.Metrics, unknown *unknownNames) (*rollout.Handler, *comparer, error) {
	o := rollout.Config{
		Plan: c.plan, Native: api, Client: c.clientKey, TrustedProxies: c.trustedProxies, MaxBody: c.maxBody,
		Observer: rolloutObserver{m, logger, unknown}, Logger: logger,
	}
	if o.Mode == "" { // a command without these settings
		o.Plan = rollout.Plan{Mode: rollout.Native, Clients: 100}
	}
	if c.upstream.URL != "" {
		o.Upstream = &c.upstream
	} else if !o.Alone() {
		return nil, nil, fmt.Errorf("--mode %s with --mode-share %g needs --upstream, the address at which WordPress itself answers", o.Mode, o.Clients)
	}
	var comparing *comparer
	if o.Compares() {
		var err error
		if comparing, err = c.openComparer(home, logger); err != nil {
			return nil, nil, err
		}
		o.Judge = comparing
	}
	h, err := rollout.New(o)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("--mode and --upstream: %w", err), comparing.close())
	}
	m.Rollout(o.Plan)
	return h, comparing, nil
}

// clientKey names the client of a request.
func (s *settings) clientKey(r *http.Request) string {
	addr, _ := api.Client(r, s.trustedProxies)
	return clientKey(addr)
}

// longestAnswer is what a request may take until its answer begins.
func (s *settings) longestAnswer() time.Duration { return max(s.requestTimeout, s.upstream.Timeout) }

// upstreamFindings asks WordPress for the namespace, as clients will be.
func (c *configuration) upstreamFindings(ctx context.Context) wpstore.Report {
	const name = "rollout.upstream"
	const advice = "Set --upstream to an address at which PHP answers for this site, such as a server block of its own on loopback (docker/nginx/wordpress.conf), and --upstream-host to the site's host name."
	if c.upstream.URL == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, min(c.upstream.Timeout, 10*time.Second))
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.upstream.URL, "/")+"/?rest_route=/"+c.namespace, nil)
	if err != nil {
		return wpstore.Report{failure(name, err.Error(), advice)}
	}
	req.Host = c.upstream.Host
	req.Header.Set(rollout.Marker, "1")
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	begin := time.Now()
	resp, err := client.Do(req)
	if err != nil {
		return wpstore.Report{failure(name, "WordPress does not answer: "+err.Error(), advice)}
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<20))
	switch {
	case resp.StatusCode == http.StatusLoopDetected:
		return wpstore.Report{failure(name, c.upstream.URL+" leads back to calbridge", advice)}
	case resp.StatusCode != http.StatusOK:
		return wpstore.Report{warning(name, fmt.Sprintf("%s answers the namespace %s with status %d", c.upstream.URL, c.namespace, resp.StatusCode), advice)}
	}
	return wpstore.Report{success(name, fmt.Sprintf("%s answers in %s", c.upstream.URL, time.Since(begin).Round(time.Millisecond)))}
}
