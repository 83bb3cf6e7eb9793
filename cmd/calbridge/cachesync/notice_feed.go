package cachesync

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"calbridge/rest/metrics"
	"calbridge/rest/notice"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

const (
	// lookEvery is the interval at which the latest notice number is read from the database.
	lookEvery = time.Second
	// noticeGrace bounds the time of a notice from drawing its number to its arrival. It
	// covers the second of changes that one notice collects, and the requests to all
	// receivers.
	noticeGrace = 3 * time.Second
	// confirmEvery is the interval at which WordPress is asked whether it sends notices.
	confirmEvery = time.Minute
	// lookTimeout limits reading the latest number, and confirmTimeout limits asking
	// WordPress.
	lookTimeout, confirmTimeout = time.Second, 10 * time.Second
)

// LostNoticeAfter is the longest time until a lost notice is detected.
const LostNoticeAfter = noticeGrace + 2*lookEvery

var errNoSequence = errors.New("WordPress has not sent a numbered notice yet: install the companion plugin of this release, and define CALBRIDGE_URL in wp-config.php")

// noticeFeed follows the notices of the companion plugin by their numbers. It suspends the
// tracker while it cannot tell whether a notice is missing.
type noticeFeed struct {
	tracker *invalidation.Tracker
	metrics *metrics.Caches
	logger  *slog.Logger
	// last reads the latest number that a notice has drawn.
	last func(context.Context) (notice.Mark, error)
	// sends returns an error if WordPress sends no notices. It is nil if WordPress can't be
	// asked.
	sends func(context.Context) error
	now   func() time.Time

	mu        sync.Mutex
	sequence  *notice.Sequence
	following bool
	seen      time.Time // time of the last successful read
	denied    error     // the last result of sends
	logged    string    // the last logged reason for not following
}

func newNoticeFeed(tracker *invalidation.Tracker, m *metrics.Caches, logger *slog.Logger) *noticeFeed {
	return &noticeFeed{tracker: tracker, metrics: m, logger: logger, now: time.Now, sequence: notice.NewSequence(noticeGrace)}
}

// LastNotice returns a function that reads the latest number from the database.
func LastNotice(store *sitedb.DB) func(context.Context) (notice.Mark, error) {
	return func(ctx context.Context) (notice.Mark, error) {
		values, err := store.Session(nil).Options.Options(ctx, []string{notice.SequenceOption})
		if err != nil {
			return notice.Mark{}, err
		}
		text, found := values[notice.SequenceOption]
		if !found {
			return notice.Mark{}, errNoSequence
		}
		return notice.ParseMark(text)
	}
}

// start follows the notices until the context ends, in goroutines of the group.
func (f *noticeFeed) start(ctx context.Context, g *guard.Guard, work *sync.WaitGroup) {
	if f.sends != nil {
		f.denied = errors.New("WordPress has not yet reported whether it sends notices")
		g.Loop(ctx, work, "asking whether WordPress sends notices", f.confirm)
	}
	f.tracker.Suspend()
	g.Loop(ctx, work, "following the notices of WordPress", f.run)
}

// run reads the latest number periodically.
func (f *noticeFeed) run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		f.look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// confirm asks WordPress periodically whether it sends notices. If WordPress does not answer,
// the last result stands: while it is down, it changes nothing either.
func (f *noticeFeed) confirm(ctx context.Context) {
	ticker := time.NewTicker(confirmEvery)
	defer ticker.Stop()
	for first := true; ; first = false {
		limited, cancel := context.WithTimeout(ctx, confirmTimeout)
		err := f.sends(limited)
		cancel()
		if first || err == nil || errors.Is(err, ErrSendsNone) {
			if !errors.Is(err, ErrSendsNone) {
				err = nil
			}
			f.mu.Lock()
			f.denied = err
			f.mu.Unlock()
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look compares the numbers that have arrived with the latest number drawn.
func (f *noticeFeed) look(ctx context.Context) {
	f.mu.Lock()
	before := f.sequence.Last()
	f.mu.Unlock()
	limited, cancel := context.WithTimeout(ctx, lookTimeout)
	m, err := f.last(limited)
	cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.now()
	switch {
	case ctx.Err() != nil:
		return
	case f.denied != nil:
		f.suspend(f.denied)
		return
	case err != nil && (!f.following || now.Sub(f.seen) > noticeGrace):
		f.suspend(err)
		return
	case err != nil:
	case !f.following:
		f.sequence.Begin(m, now)
		f.resume()
	case f.sequence.Taken(m, before, now):
		f.logger.Warn("WordPress has restarted the numbering of its notices: everything is invalidated", "number", m.Number)
		f.metrics.Notice(notice.Restarted)
		f.tracker.InvalidateAll()
	}
	if err == nil {
		f.seen = now
	}
	lost, everything := f.sequence.Overdue(now)
	if lost > 0 {
		f.logger.Warn("notices from WordPress were lost: everything is invalidated", "notices", lost)
		f.metrics.NoticesLost(lost)
	}
	if everything {
		f.tracker.InvalidateAll()
	}
}

func (f *noticeFeed) resume() {
	f.following, f.logged = true, ""
	f.tracker.Resume(true)
	f.metrics.Followed(true)
	f.logger.Info("the notices of WordPress are followed")
}

func (f *noticeFeed) suspend(why error) {
	f.tracker.Suspend()
	f.metrics.Followed(false)
	if why.Error() != f.logged {
		f.logged = why.Error()
		f.logger.Warn("the notices of WordPress are not followed; nothing is cached", "error", why)
	}
	f.following = false
}

// arrived records the number of a notice. It returns everything if more may have changed than
// the notice names.
func (f *noticeFeed) arrived(m notice.Mark) (everything bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if m == (notice.Mark{}) || !f.following {
		return false
	}
	verdict := f.sequence.Arrived(m, f.now())
	f.metrics.Notice(verdict)
	return verdict == notice.Repeated || verdict == notice.Restarted
}
