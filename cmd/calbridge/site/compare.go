package site

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecompare"
	"calbridge/compat/rules"
	"calbridge/rest/api"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
)

// Compare compares the site's responses with those of WordPress behind --upstream. progress
// receives the numbers of requests; it may be nil.
func Compare(ctx context.Context, s *settings.Settings, progress func(done, total int)) (*sitecompare.Result, error) {
	if s.Rollout.User != "" && s.Rollout.Password == "" {
		return nil, errors.New("--upstream-user needs an application password: set CALBRIDGE_UPSTREAM_PASSWORD_FILE to a file that contains it")
	}
	own := forComparison(s)
	logger, m := slog.New(slog.DiscardHandler), NewMetrics()
	served, err := Open(ctx, own, logger, m)
	if err != nil {
		return nil, err
	}
	live := NewLive(served, logger, m)
	defer live.Close()
	facts, err := served.Store.Session(nil).Options.FactsWithoutCharsets(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the site's options: %w", err)
	}
	cfg := sitecompare.Config{
		Ours: live, Upstream: s.Rollout.Upstream, Level: s.Rollout.Compare.Level, Now: s.Now, Progress: progress,
		Site: sitecompare.Site{
			Home: served.Home, Permalinks: facts.PermalinkStructure, RESTPrefix: served.Facts.Text(sitefacts.RESTPrefix), Namespace: s.API.Namespace,
			LanguageParam: s.API.LanguageParam, Languages: facts.Languages,
		},
	}
	if s.Rollout.User != "" {
		cfg.Login = &sitecompare.Login{User: s.Rollout.User, Password: s.Rollout.Password}
	}
	if s.Rollout.Compare.Rules != "" {
		if cfg.Rules, err = rules.Load(s.Rollout.Compare.Rules); err != nil {
			return nil, fmt.Errorf("--compare-rules: %w", err)
		}
	}
	return sitecompare.Compare(ctx, cfg), nil
}

// forComparison returns the settings of a site that changes nothing and that responds as the
// reference does, so that only the site itself can cause differences. Content that --upstream
// renders while serving is rendered by it here, too.
func forComparison(s *settings.Settings) *settings.Settings {
	own := *s
	own.API.Compat, own.API.ReadOnly = api.Exact, true
	own.Cache.Mode = settings.CacheOff
	own.Login.RecordUse = false
	own.Rollout.Plan = rollout.Plan{Mode: rollout.Native, Clients: 100}
	own.Rollout.DespiteHooks = true // the comparison shows what the hooks change
	return &own
}
