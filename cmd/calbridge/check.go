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
	"calbridge/wpstore/sitedb"
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
	var report sitedb.Report
	if err != nil {
		report = sitedb.Report{failure("settings", err.Error(), "Mend this setting; `calbridge serve --help` lists all.")}
	} else {
		report = c.check(ctx)
	}
	if asJSON {
		err = writeReportJSON(p.stdout, report)
	} else {
		writeReport(p.stdout, report)
	}
	if err == nil && report.Worst() == sitedb.StatusFail {
		err = exitError(exitFailed)
	}
	return err
}

// check makes all checks. It goes on after failures as far as there is something
// left to look at.
func (c *configuration) check(ctx context.Context) sitedb.Report {
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
	if report.Worst() == sitedb.StatusFail || c.cache != cacheAuto && c.cache != cacheStrict {
		return report
	}
	found, err = store.CheckFeed(ctx)
	if err != nil {
		found = append(found, failure("database.change-feed", err.Error(), ""))
	}
	return append(report, found...)
}

func success(name, found string) sitedb.Finding {
	return sitedb.Finding{Name: name, Status: sitedb.StatusOK, Found: found}
}

func warning(name, found, advice string) sitedb.Finding {
	return sitedb.Finding{Name: name, Status: sitedb.StatusWarn, Found: found, Advice: advice}
}

func failure(name, found, advice string) sitedb.Finding {
	return sitedb.Finding{Name: name, Status: sitedb.StatusFail, Found: found, Advice: advice}
}

// openDatabase connects and looks at everything that the database tells. The
// error says what keeps from looking.
func (c *configuration) openDatabase(ctx context.Context, logger *slog.Logger, m *metrics.Metrics, committed func(sitedb.Changes), ledger *coherence.Ledger) (*sitedb.DB, sitedb.Report, error) {
	if c.dsn == "" {
		return nil, nil, errors.New("no database is named: pass --wp-config FILE, or --dsn user:password@tcp(host:3306)/name; `calbridge demo` needs neither")
	}
	cfg := c.storeConfig(logger, m, committed)
	cfg.Ledger = ledger
	store, err := sitedb.Open(ctx, cfg)
	if err != nil {
		return nil, nil, err
	}
	report := sitedb.Report{success("database.connection", "connected as "+c.sourceOf("dsn")+" says")}
	found, err := store.CheckSchema(ctx)
	report = append(report, found...)
	if err == nil && report.Worst() != sitedb.StatusFail {
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
func writeReport(w io.Writer, report sitedb.Report) {
	counts := map[sitedb.Status]int{}
	for _, f := range report {
		counts[f.Status]++
		fmt.Fprintf(w, "%-4s  %-24s %s\n", f.Status, f.Name, strings.ReplaceAll(f.Found, "\n", "\n                               "))
		if f.Advice != "" && f.Status != sitedb.StatusOK {
			fmt.Fprintf(w, "      %-24s → %s\n", "", strings.ReplaceAll(f.Advice, "\n", "\n                                 "))
		}
	}
	verdict := "this site can be served"
	if counts[sitedb.StatusFail] > 0 {
		verdict = "this site cannot be served yet"
	}
	fmt.Fprintf(w, "\n%d ok, %d warnings, %d failures: %s\n", counts[sitedb.StatusOK], counts[sitedb.StatusWarn], counts[sitedb.StatusFail], verdict)
}

func writeReportJSON(w io.Writer, report sitedb.Report) error {
	out := struct {
		Status   sitedb.Status `json:"status"`
		Findings sitedb.Report `json:"findings"`
	}{report.Worst(), report}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}
