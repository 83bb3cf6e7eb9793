package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/changes/stream"
	"calbridge/rest/edit"
	"calbridge/rest/login"
	"calbridge/rest/picture"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
)

// Config is all settings of a Server.
type Config struct {
	wpsite.Settings
	Limits
	Caching
	Writing
	// Auth holds the constants of wp-config.php that authentication needs.
	Auth login.Config
	// TrustedProxies are the peers whose X-Forwarded-For and X-Forwarded-Proto count.
	TrustedProxies []netip.Prefix
	// Extensions adds routes of our own, except under exact.
	Extensions bool
	// Changes is what changes are answered from.
	Changes Changes
	// Now is the clock, the same as the store's.
	Now    func() time.Time
	Logger *slog.Logger
	// Guard catches panics, while answering and in the background.
	Guard *guard.Guard
	// Decline, when not nil, is called before a GET is answered with a text in which
	// something could not be rendered as the site's own plugins would, with the names
	// that [wptext.RequestState.Unknown] gives; and, without names, before the 404 to a
	// request without a body for an iCalendar export of a page that only WordPress knows. If
	// it returns true, the server writes and observes nothing: the caller of ServeHTTP answers.
	Decline func(r *http.Request, notRendered []string) bool
	// Hold, when not nil, is called before an answer is sent. If it returns true, the server
	// writes and observes nothing: the caller of ServeHTTP answers.
	Hold func(http.ResponseWriter, *http.Request, *api.Draft) bool
	// PageCap, when not nil, returns the most entries of a page of a route, by its template. When
	// that changes, what is cached has to be invalidated.
	PageCap func(template string) int64
	// OwnWrites, when not 0, is how long another instance may lack a write: answers to
	// writes by logged-in users set a cookie for that time, by which all instances
	// recognise the writer.
	OwnWrites time.Duration
	// Observe, when not nil, is called after each request.
	Observe func(*api.Observation)
}

// Changes is what the routes of extensions about changes are answered from.
type Changes struct {
	// Journal is nil where the site lacks something: then Lacks says what, by the names of
	// package changes.
	Journal *journal.Journal
	Lacks   string
	// MaxStreams is the most streams in all, MaxStreamsPerClient of one address.
	MaxStreams, MaxStreamsPerClient int
	// Observer counts streams, and Gone the tokens that can't be used, by their reasons; both
	// may be nil.
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

// Caching configures the caches, and when their entries are fresh.
type Caching struct {
	// SiteRefresh is how old the site's options and users may become before they are
	// read again, where the tracker does not have all changes; 0 reads them for each
	// request.
	SiteRefresh time.Duration
	// Tracker records changes in the database. With it, answers to anonymous requests are
	// cached until they change; nil caches no answers.
	Tracker *invalidation.Tracker
	// Complete: the tracker has every change, whoever makes it, while it is active.
	Complete bool
	// CacheBytes bounds the memory of cached answers.
	CacheBytes uint64
	// Prove, when not nil, returns once the tracker has every change that was committed
	// before the call. Only if it returns no error is anything taken from a cache: answers,
	// rows, options and users.
	Prove func(ctx context.Context) error
	// ProveOwn, when not nil, takes the place of a Prove that is nil for requests with
	// credentials, and for those of clients with the cookie of Config.OwnWrites: they see
	// what was written through other instances.
	ProveOwn func(ctx context.Context) error
	// Settle, when not nil, is called before a cached answer is looked up: it completes
	// the tracker.
	Settle func(ctx context.Context) error
	// CacheControl is the header of that name on answers to anonymous GETs, outside
	// Exact; "" is no-cache: caches must revalidate.
	CacheControl string
	// RenderCache bounds the bytes of cached events and of what rendering derives from
	// rows; 0 caches none.
	RenderCache int
}

// aging returns how long options and users may be used.
func (c *Caching) aging(now func() time.Time) invalidation.Aging {
	return invalidation.Aging{Tracker: c.Tracker, Complete: c.Complete, MaxAge: c.SiteRefresh, Now: now}
}

// Writing configures what writes do besides changing rows.
type Writing struct {
	edit.Config
	// ReadOnly refuses every write.
	ReadOnly bool
	// NoTransactions accepts writes where tables have no transactions, so that a write
	// that fails leaves some of its rows behind.
	NoTransactions bool
	// UploadsDir is the site's uploads folder, which stores pictures that requests name
	// by URL; without it such requests are refused.
	UploadsDir string
	// PictureMemory bounds what all pictures take while they are copied, in bytes; 0 is a
	// default.
	PictureMemory int64
	// Fetch downloads those pictures; nil is a client with the defaults.
	Fetch *picture.Client
}
