package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"time"

	"calbridge/rest/metrics"
	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
)

// checkCommand makes the checks that serve makes, and prints all of them.
func checkCommand(ctx context.Context, p *program, args []string) error {
	var asJSON bool
	c, err := configure(p, "check", args, settingTable(), func(fs *flag.FlagSet) {
		fs.BoolVar(&asJSON, "json", false, "print the findings as JSON; exit codes: 0 can be served, 1 cannot, 2 wrong flags")
	})
	var usage usageError
	if errors.Is(err, flag.ErrHelp) || errors.As(err, &usage) {
		return err
	}
	var report wpstore.Report
	if err != nil {
		report = wpstore.Report{failure("settings", err.Error(), "Mend this setting; `calbridge serve --help` lists all.")}
	} else {
		report = c.check(ctx)
	}
	if asJSON {
		err = writeReportJSON(p.stdout, report)
	} else {
		writeReport(p.stdout, report)
	}
	if err == nil && report.Worst() == wpstore.StatusFail {
		err = exitError(exitFailed)
	}
	return err
}

// check makes all checks. It goes on after failures as far as there is something
// left to look at.
func (c *configuration) check(ctx context.Context) wpstore.Report {
	report := c.settingsFindings()
	if !c.clock.IsZero() {
		report = append(report, warning("settings.clock", "the clock stands still at "+c.clock.Format(time.RFC3339), "Only for replaying recordings."))
	}
	if _, err := c.loadProfile(); err != nil {
		report = append(report, failure("settings.profile", err.Error(), "Build it with `calbridge profile build`, or leave --profile away: calbridge then uses its own words."))
	}
	if _, err := new(certificate).load(c.tlsCert, c.tlsKey); err != nil {
		report = append(report, failure("settings.tls", err.Error(), "Name a readable certificate chain and its key, both PEM."))
	}
	report = append(report, c.listenFindings(ctx)...)
	report = append(report, c.upstreamFindings(ctx)...)
	store, found, err := c.openDatabase(ctx, slog.New(slog.DiscardHandler), nil, nil, nil)
	if err != nil {
		return append(report, failure("database.connection", err.Error(), ""))
	}
	defer store.Close()
	report = append(report, found...)
	if report.Worst() == wpstore.StatusFail || c.cache != cacheAuto && c.cache != cacheStrict {
		return report
	}
	found, err = store.CheckFeed(ctx)
	if err != nil {
		found = append(found, failure("database.change-feed", err.Error(), ""))
	}
	return append(report, found...)
}

func success(name, found string) wpstore.Finding {
	return wpstore.Finding{Name: name, Status: wpstore.StatusOK, Found: found}
}

func warning(name, found, advice string) wpstore.Finding {
	return wpstore.Finding{Name: name, Status: wpstore.StatusWarn, Found: found, Advice: advice}
}

func failure(name, found, advice string) wpstore.Finding {
	return wpstore.Finding{Name: name, Status: wpstore.StatusFail, Found: found, Advice: advice}
}

// openDatabase connects and looks at everything that the database tells. The
// error says what keeps from looking.
func (c *configuration) openDatabase(ctx context.Context, logger *slog.Logger, m *metrics.Metrics, committed func(wpstore.Changes), ledger *coherence.Ledger) (*wpstore.DB, wpstore.Report, error) {
	if c.dsn == "" {
		return nil, nil, errors.New("no database is named: pass --wp-config FILE, or --dsn user:password@tcp(host:3306)/name; `calbridge demo` needs neither")
	}
	cfg := c.storeConfig(logger, m, committed)
	cfg.Ledger = ledger
	store, err := wpstore.Open(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	report := wpstore.Report{success("database.connection", "connected as "+c.sourceOf("dsn")+" says")}
	found, err := store.CheckSchema(ctx)
	report = append(report, found...)
	if err == nil && report.Worst() != wpstore.StatusFail {
		var facts *wpstore.SiteFacts
		if facts, err = store.SiteFacts(ctx); err == nil {
			report = append(report, store.CheckReplicas(ctx)...)
			report = append(report, c.siteFindings(facts)...)
			report = append(report, c.companionFindings(ctx, facts.ActivePlugins)...)
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return store, report, nil
}

// sourceOf names where a setting comes from.
func (c *configuration) sourceOf(name string) string {
	if g, ok := c.sources[name]; ok {
		return g.where
	}
	return "the default"
}

// indented prepares text of several lines for being printed below a title.
func indented(text string) string { return strings.ReplaceAll(text, "\n", "\n  ") }

// writeReport prints one line per finding, advice below.
func writeReport(w io.Writer, report wpstore.Report) {
	counts := map[wpstore.Status]int{}
	for _, f := range report {
		counts[f.Status]++
		fmt.Fprintf(w, "%-4s  %-24s %s\n", f.Status, f.Name, strings.ReplaceAll(f.Found, "\n", "\n                               "))
		if f.Advice != "" && f.Status != wpstore.StatusOK {
			fmt.Fprintf(w, "      %-24s → %s\n", "", strings.ReplaceAll(f.Advice, "\n", "\n                                 "))
		}
	}
	verdict := "this site can be served"
	if counts[wpstore.StatusFail] > 0 {
		verdict = "this site cannot be served yet"
	}
	fmt.Fprintf(w, "\n%d ok, %d warnings, %d failures: %s\n", counts[wpstore.StatusOK], counts[wpstore.StatusWarn], counts[wpstore.StatusFail], verdict)
}

func writeReportJSON(w io.Writer, report wpstore.Report) error {
	out := struct {
		Status   wpstore.Status `json:"status"`
		Findings wpstore.Report `json:"findings"`
	}{report.Worst(), report}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}
