package cachesync

import (
	"context"
	"log/slog"
	"time"

	"calbridge/wpstore/check"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/sitedb"
)

// Mode says how changes in the database are noticed, so that answers can be cached
// until then.
type Mode string

// The modes.
const (
	// Auto is the binary log where it can be followed, else the companion plugin's
	// notices where they can come, else no cache.
	Auto Mode = "auto"
	// Strict is the binary log, and each request proves that it was followed up to
	// the request's arrival.
	Strict Mode = "strict"
	// Notices goes by what the companion plugin says of WordPress's changes.
	Notices Mode = "notices"
	// Timed keeps answers for a while, whatever changes.
	Timed Mode = "timed"
	// Off caches nothing.
	Off Mode = "off"
	// Own is no setting: nobody else writes to the database.
	Own Mode = "own"
)

// Config says what is cached and until when.
type Config struct {
	Mode     Mode
	Size     int64 // bytes, for all caches together
	Rendered int64 // bytes wanted for rendered events
	MaxAge   time.Duration
}

// NewTracker returns the tracker that the store is opened with; nil where nothing is
// cached.
func (c Config) NewTracker() *invalidation.Tracker {
	if c.Mode == Off || c.Size == 0 {
		return nil
	}
	return invalidation.NewTracker()
}

// Choose decides on a mode for the store: what the setting says, or what is
// possible.
func Choose(ctx context.Context, mode Mode, store *sitedb.DB, takesNotices bool, logger *slog.Logger) Mode {
	if mode != Auto {
		return mode
	}
	feed, err := store.CheckFeed(ctx)
	if err == nil && len(feed) > 0 && feed[0].Status == check.StatusOK {
		return Auto
	}
	mode = Off
	if takesNotices {
		mode = Notices
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
