package rest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"sync/atomic"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/routes"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// liveSite is the site as it was read last, with its routes.
type liveSite struct {
	*wpsite.Site
	table  *routes.Table
	loaded time.Time
	read   uint64 // the tracker's sequence before the facts were read
}

// siteCache keeps the current site. Where a tracker hears of changes, it is read anew
// when it has changed, and every request waits for that. Otherwise it is read anew
// when it is older than the refresh interval: one request at a time reads, and the
// others go on with what is there, so that a slow database never piles requests up
// behind the options.
type siteCache struct {
	load    func(ctx context.Context, store *sitedb.Session) (*liveSite, error)
	now     func() time.Time // the real clock: a replay's clock stands still
	refresh time.Duration
	tracker *invalidation.Tracker // nil without
	logger  *slog.Logger
	// mayKeep, when not nil, says that requests can be answered while the primary is
	// away; the site as last read is then good enough, unless it is known to be wrong.
	mayKeep func() bool

	current atomic.Pointer[liveSite]
	turn    chan struct{} // holds one: whose turn it is to read
}

// keepAfter is how long a request waits for the options of a site that it knows.
const keepAfter = time.Second

func newSiteCache(cfg *Config, load func(context.Context, *sitedb.Session) (*liveSite, error)) *siteCache {
	return &siteCache{load: load, now: time.Now, refresh: cfg.SiteRefresh, tracker: cfg.Tracker, logger: cfg.Logger, turn: make(chan struct{}, 1)}
}

// state says whether a site can be used, and if not, whether it is wrong to use it
// while somebody reads it anew: it is known to have changed, or every request is to
// read its own.
func (sc *siteCache) state(s *liveSite) (usable, wrong bool) {
	switch {
	case s == nil:
		return false, true
	case sc.tracker != nil && sc.tracker.Active():
		usable = sc.tracker.Fresh(s.read, []invalidation.Tag{{Kind: invalidation.Site}})
		return usable, !usable
	}
	return sc.now().Sub(s.loaded) < sc.refresh, sc.refresh <= 0
}

// get returns the current site. Requests that collect dependencies depend on it.
func (sc *siteCache) get(ctx context.Context, store *sitedb.Session) (*liveSite, error) {
	store.Depends().OnSet(invalidation.Site)
	s := sc.current.Load()
	usable, wrong := sc.state(s)
	if usable {
		return s, nil
	}
	if !wrong {
		select {
		case sc.turn <- struct{}{}:
		default:
			return s, nil
		}
	} else {
		select {
		case sc.turn <- struct{}{}:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for the site's options: %w: %w", wpstore.ErrUnavailable, ctx.Err())
		}
	}
	defer func() { <-sc.turn }()
	s = sc.current.Load()
	usable, wrong = sc.state(s)
	if usable {
		return s, nil
	}
	var read uint64
	if sc.tracker != nil {
		read = sc.tracker.Generation()
	}
	keep := !wrong && sc.mayKeep != nil && sc.mayKeep()
	limited, cancel := ctx, context.CancelFunc(func() {})
	if keep { // a primary that hangs must leave time for the replicas
		limited, cancel = context.WithTimeout(ctx, keepAfter)
	}
	defer cancel()
	fresh, err := sc.load(limited, store)
	if err != nil && keep && ctx.Err() == nil && errors.Is(err, wpstore.ErrUnavailable) {
		sc.logger.Warn("the primary is away: the site's options stay as they were", "err", err)
		return s, nil
	}
	if err != nil {
		return nil, api.Wrap("read the site's options", err)
	}
	if s != nil && reflect.DeepEqual(s.Facts, fresh.Facts) {
		// The same parts, so that what was made with them stays good.
		same := *s
		fresh = &same
	}
	fresh.loaded, fresh.read = sc.now(), read
	sc.current.Store(fresh)
	return fresh, nil
}
