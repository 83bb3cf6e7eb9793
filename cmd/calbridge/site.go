package main

import (
	"log/slog"
	"strings"
	"time"

	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/login"
	"calbridge/rest/metrics"
	"calbridge/rest/rollout"
	"calbridge/rest/webfetch"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
)

// now is the clock that the settings ask for.
func (s *settings) now() time.Time {
	if s.clock.IsZero() {
		return time.Now()
	}
	return s.clock
}

// storeConfig is what the settings mean to the database. The metrics may be nil.
func (s *settings) storeConfig(logger *slog.Logger, m *metrics.Metrics, committed func(wpstore.Changes)) wpstore.Config {
	cfg := wpstore.Config{
		DSN: s.dsn, TablePrefix: s.tablePrefix, BlogID: s.blogID,
		CustomUserTable: s.customUserTable, CustomUserMetaTable: s.customUserMetaTable,
		Now: s.now, FixedClock: !s.clock.IsZero(),
		ReadOnly: s.readOnly, MaxOpen: s.maxOpenConns, PoolWait: s.poolWait, QueryTimeout: s.requestTimeout,
		Replicas: s.replicaDSNs, ReplicaMaxLag: s.replicaMaxLag,
		Logger: logger, Committed: committed,
	}
	if m != nil {
		cfg.Observe, cfg.Listed = m.Query, m.Listed
		cfg.ObserveServer, cfg.ReplicaState = m.Statement, m.Replica
	}
	return cfg
}

// restConfig is what the settings mean to the interface.
func (s *settings) restConfig(logger *slog.Logger, theme wptext.Theme, profile *api.Profile, observe func(*api.Observation)) rest.Config {
	return rest.Config{
		Settings: wpsite.Settings{
			Namespace: s.namespace, RESTPrefix: s.restPrefix, Home: s.home, SiteURL: s.siteURL, ContentURL: s.contentURL,
			Theme: theme, WordPress: s.wordpress, DisallowUnfilteredHTML: s.disallowUnfilteredHTML, Compat: s.compat,
			Profile: profile, LanguageParam: s.languageParam, Languages: s.languages, StaticBlocks: s.staticBlocks,
			Shortcodes: s.pluginShortcodes, Constant: s.cookieConstant,
		},
		Limits:  rest.Limits{RequestTimeout: s.requestTimeout, MaxBody: s.maxBody, MaxVars: s.maxVars, MaxDepth: s.maxDepth},
		Caching: rest.Caching{SiteRefresh: s.siteRefresh, RenderCache: int(s.renderCache), CacheControl: s.cacheControl},
		Writing: rest.Writing{
			NoTrash: s.emptyTrashDays == 0, Revisions: s.postRevisions, UploadsDir: s.uploadsDir,
			Fetch: webfetch.New(webfetch.Config{MaxBytes: s.maxImage, Timeout: s.imageTimeout}), ReadOnly: s.readOnly,
		},
		Auth: login.Config{
			Keys: s.keys, Environment: s.environment,
			ApplicationPasswords: s.applicationPasswords, RecordUse: s.recordUse, FreeFailures: s.loginTries,
		},
		TrustedProxies: s.trustedProxies,
		Now:            s.now,
		Logger:         logger,
		Observe:        observe,
		Decline:        rollout.Decline,
	}
}

// loadProfile reads the site's wording, nil when there is none.
func (s *settings) loadProfile() (*api.Profile, error) {
	if s.profile == "" {
		return nil, nil
	}
	return api.LoadProfile(s.profile)
}

// The values of the setting theme.
const (
	themeAuto             = "auto"
	themeTwentyTwentyFive = "twentytwentyfive"
	themeClassicHTML5     = "classic-html5"
	themeClassic          = "classic"
)

// themeKind chooses the kind of theme: the setting, else by the name of the
// site's theme. sure is false when the name says little.
func (s *settings) themeKind(template string) (kind string, sure bool) {
	if s.theme != themeAuto && s.theme != "" {
		return s.theme, true
	}
	switch template = strings.ToLower(template); template {
	case "twentytwentyfive", "":
		return themeTwentyTwentyFive, template != ""
	case "twentytwentytwo", "twentytwentythree", "twentytwentyfour":
		return themeTwentyTwentyFive, false
	}
	return themeClassicHTML5, false
}

// themeFacts describes a kind of theme.
func (s *settings) themeFacts(kind string) wptext.Theme {
	theme := wptext.TwentyTwentyFive()
	if kind != themeTwentyTwentyFive {
		theme = wptext.ClassicTheme(kind == themeClassicHTML5)
	}
	if s.contentWidth > 0 {
		theme.ContentWidth = s.contentWidth
	}
	return theme
}
