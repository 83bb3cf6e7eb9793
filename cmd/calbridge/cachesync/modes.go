package cachesync

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"calbridge/cmd/calbridge/settings"
	"calbridge/wpstore/changefeed"
	"calbridge/wpstore/check"
	"calbridge/wpstore/journal"
	"calbridge/wpstore/sitedb"
)

// Config configures a Sync.
type Config struct {
	Settings settings.Cache
	// JournalDir is the folder of the journal of changes; if it is empty there is no journal.
	// JournalOf names the site that the journal belongs to.
	JournalDir string
	JournalOf  journal.Identity
	// Position is changefeed.Observer.Position; may be nil.
	Position changefeed.Position
	// Sends asks WordPress whether its companion plugin sends notices. It returns an error
	// that matches ErrSendsNone if the plugin doesn't. Sends is nil if WordPress can't be
	// asked.
	Sends func(context.Context) error
	// OtherChanges is changefeed.Observer.Others; may be nil.
	OtherChanges func(names []string)
	// Harmless is changefeed.Observer.Harmless; may be nil.
	Harmless func(name string) bool
	// Hidden is changefeed.Observer.Hidden; may be nil.
	Hidden func()
}

// ErrSendsNone is returned when WordPress sends no numbered notices.
var ErrSendsNone = errors.New("WordPress sends no numbered notices")

// Choose resolves settings.CacheAuto to the best possible mode. It returns any other mode unchanged.
func Choose(ctx context.Context, mode settings.CacheMode, store *sitedb.DB, takesNotices bool, maxAge time.Duration, logger *slog.Logger) settings.CacheMode {
	if mode != settings.CacheAuto {
		return mode
	}
	feed, err := store.CheckFeed(ctx)
	why := "the embedded engine has none"
	switch {
	case err != nil:
		why = err.Error()
	case len(feed) > 0 && feed[0].Status == check.StatusOK:
		return settings.CacheAuto
	case len(feed) > 0:
		why = feed[0].Found
	}
	mode = settings.CacheOff
	if takesNotices {
		mode = settings.CacheNotices
	}
	logger.Info("the binary log cannot be followed", "cache", string(mode), "why", why)
	if mode == settings.CacheNotices {
		logger.Info("changes by programs other than WordPress go unnoticed", "stale for at most", maxAge)
	}
	return mode
}
