package sitecheck

import (
	"context"

	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore"
)

// Database looks at everything that an open database says. The error says what keeps
// from looking.
func Database(ctx context.Context, s *settings.Settings, store *wpstore.DB) (wpstore.Report, error) {
	report := wpstore.Report{Success("database.connection", "connected as "+s.Origin.Of("dsn")+" says")}
	found, err := store.CheckSchema(ctx)
	report = append(report, found...)
	if err != nil || report.Worst() == wpstore.StatusFail {
		return report, err
	}
	facts, err := store.SiteFacts(ctx)
	if err != nil {
		return report, err
	}
	report = append(report, store.CheckReplicas(ctx)...)
	report = append(report, siteFindings(s, facts)...)
	return append(report, companionFindings(ctx, s, facts.ActivePlugins)...), nil
}

// ChangeFeed looks whether changes can be followed in the binary log.
func ChangeFeed(ctx context.Context, store *wpstore.DB) wpstore.Report {
	found, err := store.CheckFeed(ctx)
	if err != nil {
		found = append(found, Failure("database.change-feed", err.Error(), ""))
	}
	return found
}
