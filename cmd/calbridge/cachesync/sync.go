package cachesync

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/metrics"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/eventindex"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/searchindex"
	"calbridge/wpstore/sitedb"
)

var errUnproven = errors.New("without the binary log, calbridge can't prove that its caches are current")

// Sync invalidates the caches of a store when its database changes. A nil *Sync is valid and
// means that nothing is cached.
type Sync struct {
	config  Config
	store   *sitedb.DB
	tracker *invalidation.Tracker
	index   *eventindex.Index  // nil if lists of events are read from the database
	search  *searchindex.Index // nil if searches read all texts
	journal *journal.Journal   // nil if there is none
	lacks   string             // why there is no journal
	notices *noticeFeed        // nil in modes other than Notices
	metrics *metrics.Caches
	stop    context.CancelFunc
	work    sync.WaitGroup
}

// Start makes the store cache what it reads, until Close. tracker must be the one that the
// store was opened with. Start returns nil in mode Off or without a tracker.
func Start(c Config, store *sitedb.DB, tracker *invalidation.Tracker, m *metrics.Caches, logger *slog.Logger) *Sync {
	on := c.Settings.Mode != settings.CacheOff && tracker != nil
	m.Enabled(on)
	m.Followed(false)
	if !on {
		return nil
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &Sync{config: c, store: store, tracker: tracker, metrics: m, stop: stop}
	_, rows, _ := divide(c.Settings.Size, c.Settings.Rendered)
	store.CacheRows(tracker, uint64(rows))
	switch c.Settings.Mode {
	case settings.CacheAuto, settings.CacheStrict:
		s.openIndexes(ctx)
		s.openJournal(logger)
		store.Guard().Loop(ctx, &s.work, "following the binary log", func(ctx context.Context) { s.follow(ctx, logger) })
		store.Guard().Loop(ctx, &s.work, "verifying counts of terms", func(ctx context.Context) { store.VerifyAhead(ctx, sitedb.ManyPosts) })
	case settings.CacheOwn:
		s.openIndexes(ctx)
		s.trust()
	case settings.CacheNotices: // no index, since each full invalidation would reload all of it
		s.notices = newNoticeFeed(tracker, m, logger)
		s.notices.last, s.notices.sends = LastNotice(store), c.Sends
		s.notices.start(ctx, store.Guard(), &s.work)
		store.Guard().Loop(ctx, &s.work, "invalidating caches by age", func(ctx context.Context) { s.expire(ctx, c.Settings.MaxAge) })
	default:
		s.trust()
		store.Guard().Loop(ctx, &s.work, "invalidating caches by age", func(ctx context.Context) { s.expire(ctx, c.Settings.MaxAge) })
	}
	return s
}

// openIndexes opens the indexes of events and of their texts.
func (s *Sync) openIndexes(ctx context.Context) {
	s.index = s.store.OpenIndex(ctx, s.tracker)
	if bytes := s.config.Settings.Searches; bytes > 0 {
		s.search = s.store.OpenSearchIndex(ctx, s.tracker, bytes)
	}
}

// openJournal opens the journal of changes if a folder is configured for it.
func (s *Sync) openJournal(logger *slog.Logger) {
	if s.config.JournalDir == "" {
		s.lacks = journal.LacksStateDir
		return
	}
	var err error
	s.journal, err = journal.Open(journal.Config{
		Dir: s.config.JournalDir, Of: s.config.JournalOf, Site: s.store.JournalSite(), CatchUp: s.store.Feed.CatchUp, Keep: s.config.Settings.KeepChanges, Now: time.Now, Logger: logger, Guard: s.store.Guard(),
	})
	if err != nil {
		s.lacks = journal.LacksJournal
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
		Position: s.config.Position,
		Following: func(on bool, err error) {
			s.metrics.Followed(on)
			if !on && ctx.Err() == nil {
				s.metrics.BinlogLost()
			}
		},
		Applied:  s.metrics.BinlogApplied,
		Others:   s.config.OtherChanges,
		Harmless: s.config.Harmless,
		Hidden:   s.config.Hidden,
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

// Caches holds the means of a REST server to cache the responses of a store. Its fields are those of
// rest.Caching and of changes.Config.
type Caches struct {
	Tracker             *invalidation.Tracker
	Bytes               uint64 // for responses
	Rendered            int    // bytes
	Complete            bool
	CatchUp, CatchUpOwn func(context.Context) error
	Settle              func(context.Context) error
	Journal             *journal.Journal
	Lacks               string
}

// Caches returns what a REST server over the store caches. rendered is the number of bytes of
// rendered events that it would like to cache. own means that clients must see their own writes.
func (s *Sync) Caches(rendered int, own bool) Caches {
	if s == nil {
		return Caches{Rendered: rendered, Lacks: journal.LacksBinaryLog}
	}
	c := Caches{Tracker: s.tracker, Journal: s.journal, Lacks: cmp.Or(s.lacks, journal.LacksBinaryLog)}
	responses, _, share := divide(s.config.Settings.Size, int64(rendered))
	c.Bytes, c.Rendered = uint64(responses), int(share)
	if s.index != nil {
		c.Settle = s.index.Refresh
	}
	mode := s.config.Settings.Mode
	c.Complete = slices.Contains([]settings.CacheMode{settings.CacheAuto, settings.CacheStrict, settings.CacheOwn}, mode)
	switch {
	case mode == settings.CacheStrict:
		c.CatchUp = s.store.Feed.CatchUp
	case mode == settings.CacheAuto && own:
		c.CatchUpOwn = s.store.Feed.CatchUp
	case own: // nothing shows whether the caches are current
		c.CatchUpOwn = func(context.Context) error { return errUnproven }
	}
	return c
}

// EventIndex returns the index of events, or nil if lists of events are read from the
// database.
func (s *Sync) EventIndex() *eventindex.Index {
	if s == nil {
		return nil
	}
	return s.index
}

// SearchIndex returns the index of texts, or nil if searches read all texts.
func (s *Sync) SearchIndex() *searchindex.Index {
	if s == nil {
		return nil
	}
	return s.search
}

// Release closes the journal so that the site that replaces this one can open it. Requests for
// changes fail from then on.
func (s *Sync) Release() error {
	if s == nil || s.journal == nil {
		return nil
	}
	return s.journal.Close()
}

// JournalMoved returns a channel that is closed when the journal records the next change after the call,
// nil without a journal.
func (s *Sync) JournalMoved() <-chan struct{} {
	if s == nil || s.journal == nil {
		return nil
	}
	return s.journal.Next().Done()
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
