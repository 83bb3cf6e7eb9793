package site

import (
	"fmt"
	"log/slog"
	"time"

	"calbridge/cmd/calbridge/buildinfo"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/calfeed"
	"calbridge/rest/login"
	"calbridge/rest/metrics"
	"calbridge/rest/picture"
	"calbridge/rest/proof"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/rest/tribev1/edit"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// StoreConfig returns the configuration of the database. m may be nil.
func StoreConfig(s *settings.Settings, logger *slog.Logger, m *metrics.Metrics) sitedb.Config {
	d := &s.Database
	cfg := sitedb.Config{
		Config: sqlconn.Config{
			Database:      d.Address,
			Feed:          d.Feed,
			Charset:       d.Charset,
			Now:           s.Now,
			FixedClock:    !s.Clock.IsZero(),
			ReadOnly:      s.API.ReadOnly,
			MaxOpen:       d.MaxOpenConns,
			PoolWait:      d.PoolWait,
			SlowPlaces:    d.SlowConns,
			ExportPlaces:  d.ExportConns,
			QueryTimeout:  s.Limits.RequestTimeout,
			Replicas:      d.Replicas,
			ReplicaMaxLag: d.ReplicaMaxLag,
			DriverOnly:    d.DriverOnly,
			Logger:        logger,
			Guard:         newGuard(logger, m),
		},
		Tables: table.Config{
			Prefix:         d.TablePrefix,
			BlogID:         d.BlogID,
			Network:        s.Sites.Network || sitecheck.Multisite(s),
			CustomUsers:    d.UserTable,
			CustomUserMeta: d.UserMetaTable,
		},
	}
	cfg.CalendarTablesOff = s.Site.CalendarTablesOff
	if m != nil {
		cfg.Observe, cfg.Listed, cfg.Searched = m.Queries.Query, m.Caches.Listed, m.Caches.Searched
		cfg.ObserveServer, cfg.ReplicaState = m.Servers.Statement, m.Servers.Replica
	}
	return cfg
}

// describedBy returns the texts of events that a prover holds.
func describedBy(p *proof.Prover) calfeed.Described {
	return func(r *api.Request, route, language string, id int64) (string, bool) {
		return p.Description(route, proof.SiteOf(r.HTTPS, r.Host), language, id)
	}
}

// newGuard returns a guard that counts panics in m, unless m is nil.
func newGuard(logger *slog.Logger, m *metrics.Metrics) *guard.Guard {
	if m == nil {
		return guard.New(logger, nil)
	}
	return guard.New(logger, func(string) { m.Process.Panicked() })
}

// restConfig returns the configuration of the API.
func restConfig(s *settings.Settings, p Parts, logger *slog.Logger, observe func(*api.Observation)) rest.Config {
	a, l, w := &s.API, &s.Login, &s.Site
	cfg := rest.Config{
		Namespace: a.Namespace,
		Settings: wpsite.Settings{
			RESTPrefix: a.RESTPrefix, Home: w.Home, SiteURL: w.SiteURL, Uploads: sitecheck.Uploads(s),
			Theme: p.Theme, WordPress: w.WordPress,
			DisallowUnfilteredHTML: w.DisallowUnfilteredHTML, Compat: a.Compat, Profile: p.Profile,
			LanguageParam: a.LanguageParam, Languages: a.Languages, PluginBlocks: sitecheck.PluginBlocks(s, p.Facts),
			Shortcodes: sitecheck.Shortcodes(s, p.Facts), Constant: l.CookieConstant,
		},
		Limits: rest.Limits{
			RequestTimeout: s.Limits.RequestTimeout, MaxBody: s.Limits.MaxBody, MaxVars: s.Limits.MaxVars,
			MaxDepth: s.Limits.MaxDepth,
		},
		Caching: rest.Caching{SiteRefresh: a.SiteRefresh, RenderCache: int(s.Cache.Rendered), CacheControl: a.CacheControl},
		Writing: rest.Writing{
			Config: edit.Config{NoTrash: w.EmptyTrashDays == 0, Revisions: w.PostRevisions}, UploadsDir: s.Uploads.Dir, PictureMemory: s.Uploads.Memory,
			Fetch:    picture.New(picture.Config{MaxBytes: s.Uploads.MaxBytes, Timeout: s.Uploads.Timeout, Agent: buildinfo.This().Agent("calbridge")}),
			ReadOnly: a.ReadOnly, NoTransactions: a.NoTransactions,
		},
		Auth: login.Config{
			Keys: l.Keys, Environment: w.Environment,
			ApplicationPasswords: l.ApplicationPasswords, RecordUse: l.RecordUse, FreeFailures: l.Tries,
		},
		TrustedProxies: s.Listen.TrustedProxies,
		OwnWrites:      ownWrites(s),
		Extensions:     s.Extends(),
		Changes:        rest.Changes{MaxStreams: s.Limits.Streams, MaxStreamsPerClient: s.Limits.StreamsPerClient},
		Now:            s.Now,
		Logger:         logger,
		Guard:          p.Store.Guard(),
		Observe:        observe,
	}
	if p.prover != nil {
		cfg.Described = describedBy(p.prover)
	}
	if s.Rollout.Plan.Mode == rollout.Auto {
		cfg.PageCap, cfg.ReadCompat = p.prover.Adjustments().PageCap, s.ReadCompat()
	}
	if f := p.Facts; f != nil {
		cfg.RESTPrefix, cfg.APIDisabled = f.Text(sitefacts.RESTPrefix), f.Is(sitefacts.APIDisabled)
		cfg.Traits = f.Traits()
		cfg.Language = wpsite.Language{Packs: f.Packs(), Further: f.FurtherPacks(), Texts: f.LanguageTexts()}
		if !f.Is(sitefacts.ApplicationPasswords) {
			cfg.Auth.ApplicationPasswords = "off"
		}
	}
	return cfg
}

// ownWrites returns how long another instance may lag behind what was written here. It returns
// 0 if other instances don't have to recognise clients that wrote.
func ownWrites(s *settings.Settings) time.Duration {
	if !s.Database.WriterCookie {
		return 0
	}
	longest := max(s.Database.ReplicaMaxLag, leastOwnWrites)
	if mode := s.Cache.Mode; mode == settings.CacheTimed || mode == settings.CacheNotices || mode == settings.CacheAuto {
		longest = max(longest, s.Cache.MaxAge)
	}
	return longest + time.Second
}

// leastOwnWrites is longer than a change feed lags under load.
const leastOwnWrites = 10 * time.Second

// LoadProfile reads the file with the site's message texts. It returns nil if there is none.
func LoadProfile(s *settings.Settings) (*api.Profile, error) {
	if s.API.Profile == "" {
		return nil, nil
	}
	profile, err := api.LoadProfile(s.API.Profile)
	if err != nil {
		return nil, cmdline.SettingError{Err: fmt.Errorf("%s: %w", s.Origin.Of("profile"), err)}
	}
	return profile, nil
}
