package rest

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"sync/atomic"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// liveSite is the site as of its last read, with its routes.
type liveSite struct {
	*wpsite.Site
	tables []*wprest.Table // of the dialects
	read   invalidation.Stamp
	// plain is the site at Config.ReadCompat; nil if that is the same level.
	plain *liveSite
}

// answering returns the site at the level at which a request is answered.
func (s *liveSite) answering(r *http.Request) *liveSite {
	if s.plain != nil && api.PlainGET(r) {
		return s.plain
	}
	return s
}

// siteCache holds the current site. One request at a time reads it again, once it has changed, or
// if it is too old while changes don't arrive. The other requests wait if it has changed. If it is
// only old, they continue with it, so that a slow database does not pile up requests.
type siteCache struct {
	load   func(ctx context.Context, store *sitedb.Session) (*liveSite, error)
	aging  invalidation.Aging
	logger *slog.Logger
	// mayServeStale, if not nil, reports whether replicas can answer while the primary is
	// unreachable. The old site is then good enough, unless it has changed.
	mayServeStale func() bool

	current atomic.Pointer[liveSite]
	reading chan struct{} // a semaphore of one
	warned  bool          // that the primary is unreachable; with reading
}

// staleAfter is how long a request that has an old copy of the site waits for its options.
const staleAfter = time.Second

func newSiteCache(cfg *Config, load func(context.Context, *sitedb.Session) (*liveSite, error)) *siteCache {
	return &siteCache{load: load, aging: cfg.aging(time.Now), logger: cfg.Logger, reading: make(chan struct{}, 1)}
}

// state reports whether a site may be used.
func (sc *siteCache) state(s *liveSite, caughtUp bool) invalidation.State {
	if s == nil {
		return invalidation.Outdated
	}
	return sc.aging.State(s.read, caughtUp, invalidation.Tag{Kind: invalidation.Site})
}

// get returns the current site, and makes the request depend on it. caughtUp reports that the tracker
// has all changes that this request must see. Otherwise the site is read after the call began,
// perhaps for another request.
func (sc *siteCache) get(ctx context.Context, store *sitedb.Session, caughtUp bool) (*liveSite, error) {
	store.Depends().OnSet(invalidation.Site)
	arrived := sc.aging.Now()
	s := sc.current.Load()
	state := sc.state(s, caughtUp)
	if state == invalidation.Current {
		return s, nil
	}
	select {
	case sc.reading <- struct{}{}:
	default:
		if state == invalidation.Old {
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
	state = sc.state(s, caughtUp)
	if state == invalidation.Current || s != nil && !s.read.At.Before(arrived) {
		return s, nil
	}
	read := sc.aging.Stamp()
	mayServeStale := state == invalidation.Old && sc.mayServeStale != nil && sc.mayServeStale()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if mayServeStale { // a primary that hangs must leave time for the replicas
		limited, cancel = context.WithTimeout(ctx, staleAfter)
	}
	defer cancel()
	loaded, err := sc.load(limited, store)
	if err != nil && mayServeStale && ctx.Err() == nil && wpstore.Outage(err) {
		if !sc.warned {
			sc.warned = true
			sc.logger.Warn("the primary is unreachable: using the site's old options until it is back", "err", err)
		}
		return s, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the site's options: %w", err)
	}
	sc.warned = false
	if s != nil && reflect.DeepEqual(s.Facts, loaded.Facts) {
		// Cache keys contain pointers to the parts of a site.
		same := *s
		loaded = &same
	}
	loaded.read = read
	sc.current.Store(loaded)
	return loaded, nil
}

// cookies returns the names of the site's cookies, nil while the site is unknown.
func (c *siteCache) cookies() *wpauth.CookieNames {
	live := c.current.Load()
	if live == nil {
		return nil
	}
	return &live.Cookies
}

// loadSite reads the site.
func (s *Server) loadSite(ctx context.Context, store *sitedb.Session) (*liveSite, error) {
	facts, err := store.Options.SiteFacts(ctx)
	if err != nil {
		return nil, err
	}
	old := s.sites.current.Load()
	site := s.routed(s.site.Site(facts), old)
	if s.plain != nil {
		if old != nil {
			old = old.plain
		}
		site.plain = s.routed(s.plain.Site(facts), old)
	}
	return site, nil
}

// routed adds the routes to a site. It builds new route tables only if languages or traits differ
// from those of the old site, which is nil if there was none.
func (s *Server) routed(of *wpsite.Site, old *liveSite) *liveSite {
	site := &liveSite{Site: of}
	offered := of.Languages.Offered
	if old != nil && slices.Equal(old.Languages.Offered, offered) && maps.Equal(old.Traits, of.Traits) {
		site.tables = old.tables
		return site
	}
	for _, d := range s.dialects {
		site.tables = append(site.tables, wprest.NewTable(d, of.Traits, s.cfg.LanguageParameter(), offered))
	}
	return site
}
