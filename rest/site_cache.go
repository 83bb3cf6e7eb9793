package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"calbridge/rest/routes"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// liveSite is the site as of its last read, with its routes.
type liveSite struct {
	*wpsite.Site
	table  *routes.Table
	loaded time.Time
	asOf   uint64 // the tracker's sequence before the read
}

// siteCache holds the current site. While a tracker follows the change feed, the site is
// read again once it has changed, and every request waits for that. Otherwise it is read
// again when it is older than the refresh interval: by one request at a time, while the
// others go on with the old one, so that a slow database does not pile requests up.
type siteCache struct {
	load    func(ctx context.Context, store *sitedb.Session) (*liveSite, error)
	now     func() time.Time // the real clock: a replay's clock stands still
	refresh time.Duration
	tracker *invalidation.Tracker // may be nil
	logger  *slog.Logger
	// mayServeStale, when not nil, says whether replicas can answer while the primary is
	// unreachable. The old site is then good enough, unless it has changed.
	mayServeStale func() bool

	current atomic.Pointer[liveSite]
	reading chan struct{} // a semaphore of one
}

// staleAfter is how long a request waits for the options of a site that has an old copy.
const staleAfter = time.Second

func newSiteCache(cfg *Config, load func(context.Context, *sitedb.Session) (*liveSite, error)) *siteCache {
	return &siteCache{load: load, now: time.Now, refresh: cfg.SiteRefresh, tracker: cfg.Tracker, logger: cfg.Logger, reading: make(chan struct{}, 1)}
}

// state says whether a site is fresh, and if not, whether it must not be used while
// another request reads it again: because it has changed, or because every request is to
// read its own.
func (sc *siteCache) state(s *liveSite) (fresh, unusable bool) {
	switch {
	case s == nil:
		return false, true
	case sc.tracker != nil && sc.tracker.Active():
		fresh = sc.tracker.Fresh(s.asOf, []invalidation.Tag{{Kind: invalidation.Site}})
		return fresh, !fresh
	}
	return sc.now().Sub(s.loaded) < sc.refresh, sc.refresh <= 0
}

// get returns the current site, on which the request then depends.
func (sc *siteCache) get(ctx context.Context, store *sitedb.Session) (*liveSite, error) {
	store.Depends().OnSet(invalidation.Site)
	s := sc.current.Load()
	fresh, unusable := sc.state(s)
	if fresh {
		return s, nil
	}
	select {
	case sc.reading <- struct{}{}:
	default:
		if !unusable {
			return s, nil
		}
		select {
		case sc.reading <- struct{}{}:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the site's options: %w: %w", wpstore.ErrUnavailable, ctx.Err())
		}
	}
	defer func() { <-sc.reading }()
	s = sc.current.Load()
	fresh, unusable = sc.state(s)
	if fresh {
		return s, nil
	}
	var asOf uint64
	if sc.tracker != nil {
		asOf = sc.tracker.Generation()
	}
	mayServeStale := !unusable && sc.mayServeStale != nil && sc.mayServeStale()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if mayServeStale { // a primary that hangs must leave time for the replicas
		limited, cancel = context.WithTimeout(ctx, staleAfter)
	}
	defer cancel()
	loaded, err := sc.load(limited, store)
	if err != nil && mayServeStale && ctx.Err() == nil && errors.Is(err, wpstore.ErrUnavailable) {
		sc.logger.Warn("the primary is unreachable: using the site's old options", "err", err)
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the site's options: %w", err)
	}
	if s != nil && reflect.DeepEqual(s.Facts, loaded.Facts) {
		// Cache keys contain pointers to the parts of a site.
		same := *s
		loaded = &same
	}
	loaded.loaded, loaded.asOf = sc.now(), asOf
	sc.current.Store(loaded)
	return loaded, nil
}

// loadSite reads the site. It makes a route table only for other languages than those of
// the current site.
func (s *Server) loadSite(ctx context.Context, store *sitedb.Session) (*liveSite, error) {
	facts, err := store.Options.SiteFacts(ctx)
	if err != nil {
		return nil, err
	}
	site := &liveSite{Site: s.site.Site(facts)}
	offered := site.Languages.Offered
	if old := s.sites.current.Load(); old != nil && slices.Equal(old.Languages.Offered, offered) {
		site.table = old.table
	} else {
		site.table = routes.NewTable(s.handlers, s.cfg.LanguageParameter(), offered)
	}
	return site, nil
}
