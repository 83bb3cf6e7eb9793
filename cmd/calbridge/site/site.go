package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"calbridge/cmd/calbridge/cachesync"
	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/diffmode"
	"calbridge/cmd/calbridge/settings"
	"calbridge/cmd/calbridge/sitecheck"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/metrics"
	"calbridge/rest/rollout"
	"calbridge/rest/sitefacts"
	"calbridge/wpstore/sitedb"
)

// Site is a site with its settings. A reload makes a new one.
type Site struct {
	Parts
	api *rest.Server
	// mayCache bounds the caches, in bytes.
	mayCache uint64
	// rollout is in front of API and WordPress; comparing is nil where they are not
	// compared.
	rollout   *rollout.Handler
	comparing *diffmode.Judge
	users     sync.WaitGroup // requests in flight
	watch     watch
}

// Parts are the parts of a Site.
type Parts struct {
	Store     *sitedb.DB
	Cache     *cachesync.Sync   // nil without caches
	Companion *companion.Client // nil without the plugin
	Theme     settings.Theme
	Home      string // the site's address
	Profile   *api.Profile
	Facts     *sitefacts.Document // nil without
}

// Open checks and opens the site that the settings describe.
func Open(ctx context.Context, s *settings.Settings, logger *slog.Logger, m *metrics.Metrics) (site *Site, err error) {
	findings := sitecheck.Settings(s)
	p := Parts{}
	if p.Profile, err = LoadProfile(s); err != nil {
		return nil, err
	}
	if p.Companion, err = companion.Open(s.Companion, logger); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, p.closeStore(), p.Companion.Close())
		}
	}()
	cfg := StoreConfig(s, logger, m)
	cfg.Committed, cfg.Tracker = p.Companion.Committed(), s.Cache.NewTracker()
	store, databaseFindings, err := OpenDatabase(ctx, s, cfg)
	if err != nil {
		return nil, err
	}
	p.Store = store
	if err := sitecheck.Require(logger, append(findings, databaseFindings...)); err != nil {
		return nil, err
	}
	gatherer := &sitecheck.Gatherer{Settings: s, Store: store, Companion: p.Companion, Profile: p.Profile}
	facts, problems, err := gatherer.Gather(ctx)
	if err != nil {
		return nil, fmt.Errorf("gather the site's facts: %w", err)
	}
	if err := sitecheck.Require(logger, append(problems, sitecheck.Facts(s, facts)...)); err != nil {
		return nil, err
	}
	if !cfg.ReadOnly { // what a process that died may have left
		if err := store.MendRange(ctx); err != nil {
			logger.Warn("the range of all events could not be corrected, which the next save of an event will do", "err", err)
		}
	}
	p.Facts = facts
	p.Theme = sitecheck.Theme(s.Site.Theme, p.Facts)
	p.Home = cmp.Or(s.Site.Home, p.Facts.Text(sitefacts.Home))
	caching := s.Cache
	caching.Mode = cachesync.Choose(ctx, caching.Mode, store, s.TakesNotices(), logger)
	p.Cache = cachesync.Start(caching, store, cfg.Tracker, m, logger)
	if site, err = Assemble(s, p, logger, m); err == nil {
		site.watch.start(gatherer, facts, logger)
	}
	return site, err
}

// Assemble puts API and rollout over the database. If it fails, it closes the caches, but
// neither the store nor the companion.
func Assemble(s *settings.Settings, p Parts, logger *slog.Logger, m *metrics.Metrics) (*Site, error) {
	unknown := &unknownNames{}
	cfg := restConfig(s, p, logger, observeRequests(m, logger, unknown))
	site := &Site{Parts: p, mayCache: uint64(cfg.RenderCache)}
	if p.Cache != nil {
		p.Cache.Configure(&cfg)
		site.mayCache = uint64(s.Cache.Size)
	}
	site.api = rest.New(p.Store, cfg)
	var err error
	if site.rollout, site.comparing, err = openRollout(s, site.api, p.Home, site.watch.closed.Load, observer{m, logger, unknown}); err != nil {
		p.Cache.Close()
		site.api.Close()
		return nil, err
	}
	m.WatchPools(p.Store.Pools())
	m.WatchCache(site.sizes)
	return site, nil
}

// sizes returns the sizes of the caches.
func (s *Site) sizes() metrics.CacheSizes {
	var sizes metrics.CacheSizes
	sizes.Answers, sizes.AnswerBytes, sizes.Evicted = s.api.CacheSize()
	sizes.RowBytes, sizes.RenderedBytes = s.Store.CachedBytes(), s.api.RenderedBytes()
	if listing := s.Cache.EventIndex(); listing != nil {
		sizes.Events = listing.Rows()
	}
	return sizes
}

// Close waits for requests in flight and closes the site.
func (s *Site) Close() error {
	s.watch.stop()
	s.users.Wait()
	s.rollout.Close() // before what its comparisons ask
	s.Cache.Close()
	s.api.Close()
	return errors.Join(s.comparing.Close(), s.Companion.Close(), s.Store.Close())
}

func (p *Parts) closeStore() error {
	if p.Store == nil {
		return nil
	}
	return p.Store.Close()
}
