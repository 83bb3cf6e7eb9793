package main

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"calbridge/rest"
	"calbridge/rest/metrics"
	"calbridge/rest/notice"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/sitedb"
)

// cacheMode says how changes in the database are heard of, so that answers can be
// kept in memory until then.
type cacheMode string

// The values of the setting cache.
const (
	// cacheAuto is the binary log where it can be followed, else the companion
	// plugin's notices where they can come, else nothing is kept.
	cacheAuto cacheMode = "auto"
	// cacheStrict is the binary log, and each request proves that it was followed up
	// to the request's arrival.
	cacheStrict cacheMode = "strict"
	// cacheNotices goes by what the companion plugin tells of WordPress's changes.
	cacheNotices cacheMode = "notices"
	// cacheTimed keeps answers for a while, whatever changes.
	cacheTimed cacheMode = "timed"
	cacheOff   cacheMode = "off"
	// cacheOwn is no setting: nobody else writes to the database.
	cacheOwn cacheMode = "own"
)

func cacheSettings() []setting {
	const g = groupCache
	return []setting{
		{name: "cache", arg: "MODE", def: "auto", group: g, help: "answers are kept in memory until something that they show changes; the mode says how changes are heard of: auto (by the database's binary log, else by the companion plugin's notices, else nothing is kept), strict (by the binary log, and every request proves that nothing was missed), notices, timed (kept for --cache-max-age, whatever changes), off",
			set: oneOf(func(s *settings) *cacheMode { return &s.cache }, cacheAuto, cacheStrict, cacheNotices, cacheTimed, cacheOff)},
		{name: "cache-size", arg: "SIZE", def: "256MiB", group: g, help: "memory for all that is kept: rendered events (--render-cache, a quarter at most), and of the rest three quarters for answers and one for rows; the index of events that the binary log keeps true comes on top, and a quarter of this size for the garbage collector to work with",
			set: size(func(s *settings) *int64 { return &s.cacheSize })},
		{name: "cache-max-age", arg: "TIME", def: "30s", group: g, help: "oldest that an answer can become under --cache timed, and under notices if one is lost",
			set: duration(func(s *settings) *time.Duration { return &s.cacheMaxAge }, 100*time.Millisecond, 24*time.Hour)},
		{name: "cache-control", arg: "TEXT", def: "no-cache", group: g, help: "header Cache-Control of answers to anonymous GETs, for browsers and CDNs: no-cache lets them keep a copy and ask whether it still holds; not under --compat exact",
			set: text(func(s *settings) *string { return &s.cacheControl })},
	}
}

// keeper keeps what a generation of the site remembers true to the database.
type keeper struct {
	mode    cacheMode
	ledger  *coherence.Ledger
	listing *eventindex.Index // nil where events are found in the database
	stop    context.CancelFunc
	work    sync.WaitGroup
}

// newLedger returns the ledger that the store is opened with; nil where nothing is
// kept.
func (s *settings) newLedger() *coherence.Ledger {
	if s.cache == cacheOff || s.cacheSize == 0 {
		return nil
	}
	return coherence.NewLedger()
}

// chooseCache decides on a mode for the store: what the setting says, or what is
// possible.
func (s *settings) chooseCache(ctx context.Context, store *sitedb.DB, logger *slog.Logger) cacheMode {
	if s.cache != cacheAuto {
		return s.cache
	}
	feed, err := store.CheckFeed(ctx)
	if err == nil && len(feed) > 0 && feed[0].Status == sitedb.StatusOK {
		return cacheAuto
	}
	mode := cacheOff
	if s.takesNotices() {
		mode = cacheNotices
	}
	why := "the embedded engine has none"
	if err != nil {
		why = err.Error()
	} else if len(feed) > 0 {
		why = feed[0].Found
	}
	logger.Info("the binary log cannot be followed", "cache", string(mode), "why", why)
	return mode
}

// takesNotices says whether the companion plugin can tell us of WordPress's changes.
func (s *settings) takesNotices() bool { return s.companionSecret != "" && s.opsListen != "" }

// keep starts to keep. Closing the returned keeper ends it. It is nil for cacheOff.
func (s *settings) keep(mode cacheMode, store *sitedb.DB, ledger *coherence.Ledger, m *metrics.Metrics, logger *slog.Logger) *keeper {
	on := mode != cacheOff && ledger != nil
	m.CacheEnabled(on)
	m.CacheFollowed(false)
	if !on {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	k := &keeper{mode: mode, ledger: ledger, stop: stop}
	_, rows, _ := shareOut(s.cacheSize, s.renderCache)
	store.Remember(ledger, uint64(rows))
	switch mode {
	case cacheAuto, cacheStrict:
		k.listing = store.OpenIndex(ctx, ledger)
		k.work.Go(func() { k.follow(ctx, store, m, logger) })
	case cacheOwn:
		k.listing = store.OpenIndex(ctx, ledger)
		k.believe(m)
	default: // no index: all of it would be read again with each forgetting
		k.believe(m)
		k.work.Go(func() { k.forget(ctx, s.cacheMaxAge) })
	}
	return k
}

// believe takes what is heard for all there is.
func (k *keeper) believe(m *metrics.Metrics) {
	k.ledger.Follow(true)
	m.CacheFollowed(true)
}

// follow follows the binary log.
func (k *keeper) follow(ctx context.Context, store *sitedb.DB, m *metrics.Metrics, logger *slog.Logger) {
	err := store.Follow(ctx, k.ledger, sitedb.FollowOptions{
		Following: func(on bool, err error) {
			m.CacheFollowed(on)
			if !on && ctx.Err() == nil {
				m.BinlogLost()
			}
		},
		Applied: func(a sitedb.FeedApplied) { m.BinlogApplied(a.Transactions, a.Delay) },
	})
	if err != nil && ctx.Err() == nil {
		logger.Error("nothing is kept in memory", "err", err)
	}
}

// forget forgets everything at intervals, which bounds the age of what is kept.
func (k *keeper) forget(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			k.ledger.Everything()
		}
	}
}

// shareOut divides the memory for all that is kept, of which so much is wanted for
// rendered events. An event's answer is about three times as long as its rows.
func shareOut(bytes, wanted int64) (answers, rows, rendered int64) {
	rendered = min(wanted, bytes/4)
	rows = (bytes - rendered) / 4
	return bytes - rendered - rows, rows, rendered
}

// configure tells the interface of the keeper, which keeps in so many bytes.
func (k *keeper) configure(c *rest.Config, store *sitedb.DB, bytes int64) {
	answers, _, rendered := shareOut(bytes, int64(c.RenderCache))
	c.Ledger, c.CacheBytes, c.RenderCache = k.ledger, uint64(answers), int(rendered)
	if k.listing != nil {
		c.Settle = k.listing.Settle
	}
	if k.mode == cacheStrict {
		c.Prove = store.CaughtUp
	}
}

// close ends the keeper's work.
func (k *keeper) close() {
	if k != nil {
		k.stop()
		k.work.Wait()
	}
}

// heard takes a notice of the companion plugin.
func (k *keeper) heard(n notice.Notice) {
	if k == nil || n.Empty() {
		return
	}
	if n.All {
		k.ledger.Everything()
		return
	}
	var tags []coherence.Tag
	add := func(kind coherence.Kind, ids []int64, sets ...coherence.Kind) {
		if len(ids) == 0 {
			return
		}
		for _, id := range ids {
			tags = append(tags, coherence.Tag{Kind: kind, ID: id})
		}
		for _, set := range sets {
			tags = append(tags, coherence.Tag{Kind: set})
		}
	}
	add(coherence.Post, n.Posts, coherence.Posts, coherence.Events, coherence.Translations)
	add(coherence.Term, n.Terms, coherence.Terms, coherence.Translations)
	add(coherence.User, n.Users)
	if len(n.Taxonomies) > 0 {
		tags = append(tags, coherence.Tag{Kind: coherence.Terms})
	}
	if len(n.Options) > 0 {
		tags = append(tags, coherence.Tag{Kind: coherence.Site})
	}
	k.ledger.Changed(tags...)
}

// noticesPath is where the ops listener takes the companion plugin's notices.
const noticesPath = "/notices"

// noticeHandler takes the companion plugin's notices for the site as it is served at
// the time; nil where there is no secret to know it by.
func (r *running) noticeHandler() http.Handler {
	if !r.takesNotices() {
		return nil
	}
	h, err := notice.NewHandler(notice.HandlerOptions{
		Secret: r.companionSecret,
		Apply: func(_ context.Context, n notice.Notice) {
			g := r.site.enter()
			defer g.users.Done()
			g.keeper.heard(n)
		},
		Refused: func(reason string) {
			r.logger.Warn("a notice of the companion plugin was refused", "reason", reason)
		},
	})
	if err != nil {
		r.logger.Error("notices of the companion plugin are not taken", "err", err)
		return nil
	}
	return h
}
