package cachesync

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"calbridge/rest"
	"calbridge/rest/metrics"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// Sync invalidates what is cached of a store when its database changes. A nil *Sync is
// valid: nothing is cached.
type Sync struct {
	config  Config
	store   *sitedb.DB
	tracker *invalidation.Tracker
	index   *eventindex.Index // nil where lists of events come from the database
	metrics *metrics.Metrics
	stop    context.CancelFunc
	work    sync.WaitGroup
}

// Start makes the store cache what it reads, until Close. The tracker is the one that the
// store was opened with. Start returns nil for the mode Off, and without a tracker.
func Start(c Config, store *sitedb.DB, tracker *invalidation.Tracker, m *metrics.Metrics, logger *slog.Logger) *Sync {
	on := c.Mode != Off && tracker != nil
	m.CacheEnabled(on)
	m.CacheFollowed(false)
	if !on {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Sync{config: c, store: store, tracker: tracker, metrics: m, stop: stop}
	_, rows, _ := divide(c.Size, c.Rendered)
	store.CacheRows(tracker, uint64(rows))
	switch c.Mode {
	case Auto, Strict:
		s.index = store.OpenIndex(ctx, tracker)
		s.work.Go(func() { s.follow(ctx, logger) })
	case Own:
		s.index = store.OpenIndex(ctx, tracker)
		s.trust()
	default: // no index: each invalidation would load all of it again
		s.trust()
		s.work.Go(func() { s.expire(ctx, c.MaxAge) })
	}
	return s
}

// trust assumes that all changes reach the tracker.
func (s *Sync) trust() {
	s.tracker.Resume(true)
	s.metrics.CacheFollowed(true)
}

// follow follows the binary log.
func (s *Sync) follow(ctx context.Context, logger *slog.Logger) {
	err := s.store.Feed.Follow(ctx, s.tracker, changefeed.Observer{
		Following: func(on bool, err error) {
			s.metrics.CacheFollowed(on)
			if !on && ctx.Err() == nil {
				s.metrics.BinlogLost()
			}
		},
		Applied: s.metrics.BinlogApplied,
	})
	if err != nil && ctx.Err() == nil {
		logger.Error("nothing is cached", "error", err)
	}
}

// expire invalidates everything at intervals, which bounds the age of cached responses.
func (s *Sync) expire(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			s.tracker.InvalidateAll()
		}
	}
}

// divide divides the memory for all caches, in bytes, of which some is wanted for
// rendered events. An event's response is about three times as long as its rows.
func divide(bytes, wanted int64) (responses, rows, rendered int64) {
	rendered = min(wanted, bytes/4)
	rows = (bytes - rendered) / 4
	return bytes - rendered - rows, rows, rendered
}

// Configure makes the REST server over the store cache responses.
func (s *Sync) Configure(c *rest.Config) {
	if s == nil {
		return
	}
	responses, _, rendered := divide(s.config.Size, int64(c.RenderCache))
	c.Tracker, c.CacheBytes, c.RenderCache = s.tracker, uint64(responses), int(rendered)
	if s.index != nil {
		c.Settle = s.index.Refresh
	}
	c.Complete = slices.Contains([]Mode{Auto, Strict, Own}, s.config.Mode)
	if s.config.Mode == Strict {
		c.Prove = s.store.Feed.CatchUp
	}
}

// EventIndex is nil where lists of events come from the database.
func (s *Sync) EventIndex() *eventindex.Index {
	if s == nil {
		return nil
	}
	return s.index
}

// Close stops what Start started.
func (s *Sync) Close() {
	if s != nil {
		s.stop()
		s.work.Wait()
	}
}
