package cachesync

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"calbridge/wpstore/check"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// Mode is a way to notice changes in the database, which invalidate caches.
type Mode string

// The modes.
const (
	// Auto is the binary log if it can be followed, else the companion plugin's notices
	// if they can arrive, else no cache.
	Auto Mode = "auto"
	// Strict is the binary log, with a freshness proof for each request.
	Strict Mode = "strict"
	// Notices is the companion plugin's notices of WordPress's changes, by their numbers.
	Notices Mode = "notices"
	// Timed caches for a fixed time, whatever changes.
	Timed Mode = "timed"
	// Off caches nothing.
	Off Mode = "off"
	// Own is not a setting: only this program writes to the database.
	Own Mode = "own"
)

// Config defines what is cached and until when.
type Config struct {
	Mode     Mode
	Size     int64 // bytes, for all caches together
	Rendered int64 // bytes wanted for rendered events
	MaxAge   time.Duration
	// JournalDir is the folder of the journal of changes, "" for none. JournalName names what it
	// belongs to; if the name differs, the journal is recreated.
	JournalDir, JournalName string
	// KeepChanges is how long the journal keeps changes.
	KeepChanges time.Duration
	// Sends asks WordPress whether its companion plugin sends notices, and returns an error
	// that matches ErrSendsNone if it doesn't; nil where WordPress can't be asked.
	Sends func(context.Context) error
	// OtherChanges is changefeed.Observer.Others; may be nil.
	OtherChanges func(names []string)
}

// ErrSendsNone says that WordPress sends no notices that are numbered.
var ErrSendsNone = errors.New("WordPress sends no numbered notices")

// NewTracker returns the tracker to open the store with; nil if nothing is cached.
func (c Config) NewTracker() *invalidation.Tracker {
	if c.Mode == Off || c.Size == 0 {
		return nil
	}
	return invalidation.NewTracker()
}

// Choose resolves Auto to what is possible; it returns any other mode as it is.
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
