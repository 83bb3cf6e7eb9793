package rest

import (
	"context"
	"log/slog"
	"net/netip"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/cachetag"
	"calbridge/rest/calfeed"
	"calbridge/rest/changes/stream"
	"calbridge/rest/login"
	"calbridge/rest/picture"
	"calbridge/rest/tribev1/edit"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
)

// Config holds all settings of a Server.
type Config struct {
	// Namespace of The Events Calendar's API, without slashes at its ends.
	Namespace string
	wpsite.Settings
	Limits
	Caching
	Writing
	// ReadCompat is the level at which plain GETs are answered; "" means Settings.Compat. All other
	// requests, and HTTP caching, follow Settings.Compat.
	ReadCompat api.Compat
	// Auth holds the constants of wp-config.php that authentication needs.
	Auth login.Config
	// TrustedProxies are the peers whose X-Forwarded-For and X-Forwarded-Proto count.
	TrustedProxies []netip.Prefix
	// Dialects are served besides The Events Calendar's API, each in a namespace of its own.
	Dialects []wprest.Dialect
	// Extensions adds routes of our own, except under exact.
	Extensions bool
	// Changes configures the routes that report changes.
	Changes Changes
	// Now is the clock, the same as the store's.
	Now    func() time.Time
	Logger *slog.Logger
	// Guard catches panics, while answering and in the background.
	Guard *guard.Guard
	// PageCap, if not nil, returns the largest page size of a route, by its template. When it
	// changes, the cache has to be invalidated.
	PageCap func(template string) int64
	// Described, if not nil, returns the text of an event that WordPress sends in response to a request for a
	// route with the event's id, at the address of another request. Feeds of our own show it where calbridge
	// can't render the text. ok is false if it isn't known.
	Described calfeed.Described
	// OwnWrites, if not 0, is the longest time for which another instance may lack a write.
	// Responses to writes of logged-in users set a cookie for that time, by which all instances
	// recognise the writer.
	OwnWrites time.Duration
	// Observe, if not nil, is called after each request.
	Observe func(*api.Observation)
}

// Changes configures the extension routes that report changes.
type Changes struct {
	// Journal is nil if the site lacks something that it needs. Lacks then names it, with the names
	// of package changes.
	Journal *journal.Journal
	Lacks   string
	// MaxStreams is the maximum number of streams in all, MaxStreamsPerClient that of one address.
	MaxStreams, MaxStreamsPerClient int
	// Observer counts streams, and Gone counts unusable tokens by reason; both may be nil.
	Observer stream.Observer
	Gone     func(reason string)
}

// Limits bound the work on a request.
type Limits struct {
	// RequestTimeout bounds the work on one request, queries included.
	RequestTimeout time.Duration
	// MaxBody in bytes, MaxVars and MaxDepth bound the parameters of a request
	// (PHP's post_max_size, max_input_vars, max_input_nesting_level).
	MaxBody           int64
	MaxVars, MaxDepth int
}

// Caching configures the caches and the freshness of their entries.
type Caching struct {
	// SiteRefresh is the age after which the site's options and users are read again while the
	// tracker does not have all changes. 0 reads them for each request.
	SiteRefresh time.Duration
	// Tracker records changes in the database. With it, responses to anonymous requests are cached
	// until they change; nil caches no responses.
	Tracker *invalidation.Tracker
	// Complete reports that the tracker, while active, has every change, including those made by
	// other programs.
	Complete bool
	// CacheBytes bounds the memory of cached responses.
	CacheBytes uint64
	// CatchUp, if not nil, returns once the tracker has every change that was committed before the
	// call. Caches of responses, rows, options and users are used only if it returns no error.
	CatchUp func(ctx context.Context) error
	// CatchUpOwn, if not nil, replaces a nil CatchUp for requests with credentials, and for clients
	// with the cookie of Config.OwnWrites, so that they see what was written through other
	// instances.
	CatchUpOwn func(ctx context.Context) error
	// Settle, if not nil, is called before a cached response is looked up: it completes the
	// tracker.
	Settle func(ctx context.Context) error
	// CacheControl is the header of that name on responses to anonymous GETs, except under Exact.
	// "" means no-cache: caches must revalidate.
	CacheControl string
	// CacheTags determines what shared caches in front may store, except under Exact; nil changes
	// nothing. It requires the Tracker.
	CacheTags *cachetag.Policy
	// RenderCache bounds the bytes of cached events and of other results of rendering; 0 caches
	// none.
	RenderCache int
}

// aging returns the ages up to which options and users may be used.
func (c *Caching) aging(now func() time.Time) invalidation.Aging {
	return invalidation.Aging{Tracker: c.Tracker, Complete: c.Complete, MaxAge: c.SiteRefresh, Now: now}
}

// Writing configures the effects of writes besides changing rows.
type Writing struct {
	edit.Config
	// ReadOnly refuses every write.
	ReadOnly bool
	// NoTransactions accepts writes to tables without transactions. A write that fails then leaves
	// some of its rows behind.
	NoTransactions bool
	// UploadsDir is the site's uploads folder, where pictures that requests name by URL are stored.
	// Without it such requests are refused.
	UploadsDir string
	// PictureMemory bounds the memory for copying pictures, in bytes; 0 is a default.
	PictureMemory int64
	// Fetch downloads those pictures; nil is a client with the defaults.
	Fetch *picture.Client
}
