package rest

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/edit"
	"calbridge/rest/login"
	"calbridge/rest/webfetch"
	"calbridge/rest/wpsite"
	"calbridge/wpstore/invalidation"
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
	// Now is the clock, the same as the store's.
	Now    func() time.Time
	Logger *slog.Logger
	// Decline, when not nil, is called before a GET is answered with a text in which
	// something could not be rendered as the site's own plugins would, with the names
	// that [wptext.RequestState.Unknown] gives. If it returns true, the server writes and
	// observes nothing: the caller of ServeHTTP answers.
	Decline func(r *http.Request, notRendered []string) bool
	// Observe, when not nil, is called after each request.
	Observe func(*api.Observation)
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

// aging is how long options and users may be used.
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
	Fetch *webfetch.Client
}
