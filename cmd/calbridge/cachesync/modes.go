package cachesync

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"calbridge/wpstore/check"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/sitedb"
)

// Mode is a way to notice changes in the database, which invalidate caches.
type Mode string

// The modes.
const (
	// Auto selects the binary log if it can be followed, else the companion plugin's notices
	// if they can arrive, else no cache.
	Auto Mode = "auto"
	// Strict follows the binary log and checks for each request that the caches have caught
	// up.
	Strict Mode = "strict"
	// Notices relies on the companion plugin's notices of WordPress's changes and checks that
	// their numbers have no gaps.
	Notices Mode = "notices"
	// Timed caches for a fixed time, regardless of changes.
	Timed Mode = "timed"
	// Off caches nothing.
	Off Mode = "off"
	// Own is for databases to which only this program writes. It is not a value of the
	// setting.
	Own Mode = "own"
)

// Config defines what is cached and for how long.
type Config struct {
	Mode     Mode
	Size     int64 // bytes, for all caches together
	Rendered int64 // bytes wanted for rendered events
	MaxAge   time.Duration
	// JournalDir is the folder of the journal of changes; if it is empty there is no journal.
	// JournalOf names the site that the journal belongs to.
	JournalDir string
	JournalOf  journal.Identity
	// KeepChanges is how long the journal keeps changes.
	KeepChanges time.Duration
	// Sends asks WordPress whether its companion plugin sends notices. It returns an error
	// that matches ErrSendsNone if the plugin doesn't. Sends is nil if WordPress can't be
	// asked.
	Sends func(context.Context) error
	// OtherChanges is changefeed.Observer.Others; may be nil.
	OtherChanges func(names []string)
	// Hidden is changefeed.Observer.Hidden; may be nil.
	Hidden func()
}

// ErrSendsNone is returned when WordPress sends no numbered notices.
var ErrSendsNone = errors.New("WordPress sends no numbered notices")

// NewTracker returns the tracker for opening the store, or nil if nothing is cached.
func (c Config) NewTracker() *invalidation.Tracker {
	if c.Mode == Off || c.Size == 0 {
		return nil
	}
	return invalidation.NewTracker()
}

// Choose resolves Auto to the best possible mode. It returns any other mode unchanged.
func Choose(ctx context.Context, mode Mode, store *sitedb.DB, takesNotices bool, maxAge time.Duration, logger *slog.Logger) Mode {
	if mode != Auto {
		return mode
	}
	feed, err := store.CheckFeed(ctx)
	why := "the embedded engine has none"
	switch {
	case err != nil:
		why = err.Error()
	case len(feed) > 0 && feed[0].Status == check.StatusOK:
		return Auto
	case len(feed) > 0:
		why = feed[0].Found
	}
	mode = Off
	if takesNotices {
		mode = Notices
	}
	logger.Info("the binary log cannot be followed", "cache", string(mode), "why", why)
	if mode == Notices {
		logger.Info("changes by programs other than WordPress go unnoticed", "stale for at most", maxAge)
	}
	return mode
}
