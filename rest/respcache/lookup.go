package respcache

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/wpstore/invalidation"
)

// Reader looks requests up in the cache before anything else is done for them.
type Reader struct {
	Cache   *Cache // nil: nothing is cached
	Tracker *invalidation.Tracker
	// CatchUp and Settle bring the tracker up to date; both may be nil.
	CatchUp, Settle func(ctx context.Context) error
	// CatchUpOwn replaces a nil CatchUp for requests that Own selects.
	CatchUpOwn func(ctx context.Context) error
	Own        func(*http.Request) bool
	// Client returns a request's client IP and whether it came over HTTPS.
	Client func(*http.Request) (addr string, https bool)
	// Cookies returns the names of the cookies that make a response personal; nil while the site
	// has not been loaded.
	Cookies func() *wpauth.CookieNames
	Now     func() time.Time
	Logger  *slog.Logger
}

// Lookup is the result of looking up a request.
type Lookup struct {
	Found  *Answer // nil: none
	Result api.CacheResult
	// CaughtUp reports that the tracker has all changes that this request must see, so that options
	// and users may come from the cache. Current reports that, in addition, the tracker is complete
	// and the request only reads, so that responses and rows may too.
	CaughtUp, Current bool

	cache  *Cache
	key    Key
	second int64  // Unix time of the lookup
	before uint64 // the tracker's generation at the lookup
}

// LookUp looks for a cached response.
func (d *Reader) LookUp(ctx context.Context, r *http.Request) Lookup {
	catchUp := d.CatchUp
	if catchUp == nil && d.CatchUpOwn != nil && (d.Own(r) || d.personal(r)) {
		catchUp = d.CatchUpOwn
	}
	k := Lookup{Result: api.CacheOff, cache: d.Cache, CaughtUp: d.brought(ctx, catchUp)}
	if d.Cache == nil {
		return k
	}
	k.Result = api.CacheBypass
	k.Current = k.CaughtUp && !api.Writes(r.Method) && d.Tracker.Active() && d.brought(ctx, d.Settle)
	if !k.Current || !d.cacheable(r) {
		return k
	}
	_, https := d.Client(r)
	k.key = Key{HTTPS: https, Host: r.Host, URI: r.RequestURI}
	k.second, k.before = d.Now().Unix(), d.Tracker.Generation()
	k.Result = api.CacheMiss
	if k.Found = d.Cache.Get(k.key, k.second); k.Found != nil {
		k.Result = api.CacheHit
	}
	return k
}

// cacheable reports whether the response to a request can depend on its URL alone.
func (d *Reader) cacheable(r *http.Request) bool {
	if r.Method != http.MethodGet || r.Body != nil && r.Body != http.NoBody || len(r.RequestURI) > MaxKey {
		return false
	}
	return !d.personal(r)
}

// personal reports whether the response to a request can depend on who sends it.
func (d *Reader) personal(r *http.Request) bool {
	for _, name := range [...]string{"Authorization", "X-Wp-Nonce", "X-Http-Method-Override"} {
		if _, sent := r.Header[name]; sent {
			return true
		}
	}
	cookies := r.Header["Cookie"]
	if len(cookies) == 0 {
		return false
	}
	names := d.Cookies()
	if names == nil {
		return true
	}
	_, login := wpauth.FindCookie(cookies, names.LoggedIn)
	_, password := wpauth.FindCookie(cookies, names.PostPass)
	return login || password
}

// brought calls a function, nil for none, that brings the tracker up to date, and reports whether
// that succeeded.
func (d *Reader) brought(ctx context.Context, step func(context.Context) error) bool {
	if step == nil {
		return true
	}
	err := step(ctx)
	if err != nil {
		d.Logger.Debug("answering without the cache", "err", err)
	}
	return err == nil
}

// Response returns the cached response, ready to be sent.
func (a *Answer) Response() api.Response {
	return api.Response{
		Status: a.Status, Header: a.Header, Body: a.Body, CrossOrigin: a.CrossOrigin, Anonymous: true, Shared: a.Shared, Repeats: true, Page: a.Page, Cookie: a.Cookie,
		Rendering: api.Rendering{NotRendered: a.NotRendered}, Failure: api.Failure{Code: a.Code},
	}
}
