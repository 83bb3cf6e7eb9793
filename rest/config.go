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

// Config is everything that a Server needs besides the database.
type Config struct {
	wpsite.Settings
	Limits
	Caching
	Writing
	// Auth holds the constants of wp-config.php that authentication needs.
	Auth login.Config
	// TrustedProxies are the peers whose X-Forwarded-Proto and -For count.
	TrustedProxies []netip.Prefix
	// Now is the clock. It must be the one that the store uses.
	Now    func() time.Time
	Logger *slog.Logger
	// Decline, when not nil, is asked before a GET is answered with a text in which
	// something could not be rendered as the site's own plugins would; see
	// [wptext.RequestState.Unknown] for the names. If it returns true, nothing is
	// written or observed: whoever called ServeHTTP answers.
	Decline func(r *http.Request, notRendered []string) bool
	// Observe, when not nil, is told of each finished request.
	Observe func(*api.Observation)
}

// Limits bound the work on a request.
type Limits struct {
	// RequestTimeout bounds the work on one request, the database's included.
	RequestTimeout time.Duration
	// MaxBody in bytes, MaxVars and MaxDepth bound what a request may carry
	// (PHP's post_max_size, max_input_vars, max_input_nesting_level).
	MaxBody           int64
	MaxVars, MaxDepth int
}

// Caching says what is kept in memory, and when it counts as current.
type Caching struct {
	// SiteRefresh is how old the site's options, and what is known of its users,
	// may become before they are read again; 0 reads them for each request.
	SiteRefresh time.Duration
	// Tracker notes changes in the database. With it, answers to anonymous requests
	// and the site's options are kept until they change; nil keeps no answers.
	Tracker *invalidation.Tracker
	// CacheBytes bounds the memory that cached answers take.
	CacheBytes uint64
	// Prove, when not nil, returns once the tracker knows everything that was
	// committed before the call, or an error; answers are cached, but given out only
	// after that.
	Prove func(ctx context.Context) error
	// Settle, when not nil, is called before a cached answer is looked up: it completes
	// what the tracker knows.
	Settle func(ctx context.Context) error
	// CacheControl is the header of that name on answers to anonymous GETs, outside
	// Exact; "" is no-cache: caches ask whether their copy is still good.
	CacheControl string
	// RenderCache is how many bytes of rendered events, and of what rendering reads
	// from texts, are kept for when their rows have not changed; 0 for none.
	RenderCache int
}

// Writing says what writes do besides changing rows.
type Writing struct {
	edit.Config
	// ReadOnly refuses every write.
	ReadOnly bool
	// UploadsDir is the site's uploads folder, where pictures that are named by URL
	// are stored; without it such requests are refused.
	UploadsDir string
	// Fetch gets those pictures; nil is one with the defaults.
	Fetch *webfetch.Client
}
