package cachesync

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"calbridge/rest"
	"calbridge/rest/changes"
	"calbridge/rest/metrics"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/sitedb"
)

var errUnproven = errors.New("without the binary log, calbridge can't prove that its caches are current")

// Sync invalidates the caches of a store when its database changes. A nil *Sync is valid and
// means that nothing is cached.
type Sync struct {
	config  Config
	store   *sitedb.DB
	tracker *invalidation.Tracker
	index   *eventindex.Index // nil if lists of events are read from the database
	journal *journal.Journal  // nil if there is none
	lacks   string            // why there is no journal
	notices *noticeFeed       // nil in modes other than Notices
	metrics *metrics.Caches
	stop    context.CancelFunc
	work    sync.WaitGroup
}

// Start makes the store cache what it reads, until Close. tracker must be the one that the
// store was opened with. Start returns nil in mode Off or without a tracker.
func Start(c Config, store *sitedb.DB, tracker *invalidation.Tracker, m *metrics.Caches, logger *slog.Logger) *Sync {
	on := c.Mode != Off && tracker != nil
	m.Enabled(on)
	m.Followed(false)
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
		s.openJournal(logger)
		store.Guard().Loop(ctx, &s.work, "following the binary log", func(ctx context.Context) { s.follow(ctx, logger) })
	case Own:
		s.index = store.OpenIndex(ctx, tracker)
		s.trust()
	case Notices: // no index, since each full invalidation would reload all of it
		s.notices = newNoticeFeed(tracker, m, logger)
		s.notices.last, s.notices.sends = LastNotice(store), c.Sends
		s.notices.start(ctx, store.Guard(), &s.work)
		store.Guard().Loop(ctx, &s.work, "invalidating caches by age", func(ctx context.Context) { s.expire(ctx, c.MaxAge) })
	default:
		s.trust()
		store.Guard().Loop(ctx, &s.work, "invalidating caches by age", func(ctx context.Context) { s.expire(ctx, c.MaxAge) })
	}
	return s
}

// openJournal opens the journal of changes if a folder is configured for it.
func (s *Sync) openJournal(logger *slog.Logger) {
	if s.config.JournalDir == "" {
		s.lacks = changes.LacksStateDir
		return
	}
	var err error
	s.journal, err = journal.Open(journal.Config{
		Dir: s.config.JournalDir, Of: s.config.JournalOf, Site: s.store.JournalSite(), Prove: s.store.Feed.CatchUp, Keep: s.config.KeepChanges, Now: time.Now, Logger: logger, Guard: s.store.Guard(),
	})
	if err != nil {
		s.lacks = changes.LacksJournal
		logger.Warn("events/changes and events/stream are unavailable: make --state-dir writable, and let no other process use it", "error", err)
	}
}

// trust assumes that all changes reach the tracker.
func (s *Sync) trust() {
	s.tracker.Resume(true)
	s.metrics.Followed(true)
}

// follow follows the binary log.
func (s *Sync) follow(ctx context.Context, logger *slog.Logger) {
	var recorder changefeed.Recorder
	if s.journal != nil {
		recorder = s.journal
	}
	err := s.store.Feed.Follow(ctx, s.tracker, changefeed.Observer{
		Recorder: recorder,
		Following: func(on bool, err error) {
			s.metrics.Followed(on)
			if !on && ctx.Err() == nil {
				s.metrics.BinlogLost()
			}
		},
		Applied: s.metrics.BinlogApplied,
		Others:  s.config.OtherChanges,
		Hidden:  s.config.Hidden,
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

// divide divides the memory for all caches, in bytes. wanted is the share that rendered events
// would like. An event's response is about three times the size of its rows.
func divide(bytes, wanted int64) (responses, rows, rendered int64) {
	rendered = min(wanted, bytes/4)
	rows = (bytes - rendered) / 4
	return bytes - rendered - rows, rows, rendered
}

// Configure makes the REST server over the store cache responses.
func (s *Sync) Configure(c *rest.Config) {
	c.Changes.Lacks = changes.LacksBinaryLog
	if s == nil {
		return
	}
	c.Changes.Journal = s.journal
	if s.lacks != "" {
		c.Changes.Lacks = s.lacks
	}
	responses, _, rendered := divide(s.config.Size, int64(c.RenderCache))
	c.Tracker, c.CacheBytes, c.RenderCache = s.tracker, uint64(responses), int(rendered)
	if s.index != nil {
		c.Settle = s.index.Refresh
	}
	c.Complete = slices.Contains([]Mode{Auto, Strict, Own}, s.config.Mode)
	switch {
	case s.config.Mode == Strict:
		c.Prove = s.store.Feed.CatchUp
	case s.config.Mode == Auto && c.OwnWrites > 0:
		c.ProveOwn = s.store.Feed.CatchUp
	case c.OwnWrites > 0: // nothing shows whether the caches are current
		c.ProveOwn = func(context.Context) error { return errUnproven }
	}
}

// EventIndex returns the index of events, or nil if lists of events are read from the
// database.
func (s *Sync) EventIndex() *eventindex.Index {
	if s == nil {
		return nil
	}
	return s.index
}

// Release closes the journal so that the site that replaces this one can open it. Requests for
// changes fail from then on.
func (s *Sync) Release() error {
	if s == nil || s.journal == nil {
		return nil
	}
	return s.journal.Close()
}

// JournalSize returns the size of the journal in bytes, or 0 without one.
func (s *Sync) JournalSize() int64 {
	if s == nil || s.journal == nil {
		return 0
	}
	return s.journal.Size()
}

// Close stops what Start started.
func (s *Sync) Close() {
	if s != nil {
		s.stop()
		s.work.Wait()
		_ = s.Release() // changes that were not recorded are read again from the log
	}
}
