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

// Door is where requests are looked up before anything else is done for them.
type Door struct {
	Cache   *Cache // nil: nothing is cached
	Tracker *invalidation.Tracker
	// Prove and Settle, either of which may be nil, bring the tracker up to date.
	Prove, Settle func(ctx context.Context) error
	// Client is a request's address and whether it came over HTTPS.
	Client func(*http.Request) (addr string, https bool)
	// Cookies are the names of the cookies that make an answer personal; nil while the
	// site is unknown.
	Cookies func() *wpauth.CookieNames
	Now     func() time.Time
	Logger  *slog.Logger
}

// Lookup is what a look into the cache has found: an answer, or the task to build
// one and keep it.
type Lookup struct {
	Found  *Answer // nil: none
	Result api.CacheResult
	// Current: what the tracker knows is believed for this request.
	Current bool

	door    *Door
	key     Key
	done    func() // ends this request's turn to build; nil without one
	made    uint64
	depends *invalidation.Dependencies
}

// LookUp looks for a cached answer. Of several requests that find none, one builds it
// and the others wait. The Lookup has to be released.
func (d *Door) LookUp(ctx context.Context, r *http.Request) *Lookup {
	k := &Lookup{Result: api.CacheOff, door: d}
	if d.Cache == nil {
		return k
	}
	k.Result = api.CacheBypass
	k.Current = !api.Writes(r.Method) && d.current(ctx)
	if !k.Current || !d.cacheable(r) {
		return k
	}
	_, https := d.Client(r)
	k.key = Key{HTTPS: https, Host: r.Host, URI: r.RequestURI}
	k.Result = api.CacheMiss
	for range 2 {
		k.Found = d.Cache.Get(k.key, d.Now().Unix())
		if k.Found != nil {
			k.Result = api.CacheHit
			return k
		}
		build, done, err := d.Cache.Turn(ctx, k.key)
		if err != nil {
			return k
		}
		if build {
			k.done = done
			break
		}
	}
	// Who has waited in vain builds for itself: the answer is one that is not kept.
	k.made = d.Tracker.Generation()
	return k
}

// cacheable says whether a request may be one that only its URL decides about.
func (d *Door) cacheable(r *http.Request) bool {
	if r.Method != http.MethodGet || r.Body != nil && r.Body != http.NoBody || len(r.RequestURI) > MaxKey {
		return false
	}
	for _, name := range [...]string{"Authorization", "X-Wp-Nonce", "X-Http-Method-Override"} {
		if _, sent := r.Header[name]; sent {
			return false
		}
	}
	cookies := r.Header["Cookie"]
	if len(cookies) == 0 {
		return true
	}
	names := d.Cookies()
	if names == nil {
		return false
	}
	_, login := wpauth.FindCookie(cookies, names.LoggedIn)
	_, password := wpauth.FindCookie(cookies, names.PostPass)
	return !login && !password
}

// current brings the tracker up to date as far as the settings ask for it, and says
// whether it can be believed.
func (d *Door) current(ctx context.Context) bool {
	if !d.Tracker.Active() {
		return false
	}
	for _, step := range []func(context.Context) error{d.Prove, d.Settle} {
		if step == nil {
			continue
		}
		if err := step(ctx); err != nil {
			d.Logger.Debug("answering without the cache", "err", err)
			return false
		}
	}
	return true
}

// Collect returns what notes what the answer depends on, nil unless it is to be kept.
func (k *Lookup) Collect() *invalidation.Dependencies {
	if k.Result == api.CacheMiss {
		k.depends = invalidation.NewDependencies()
	}
	return k.depends
}

// Keep caches an answer that everybody gets, and returns it as it is cached; nil for
// any other. at is the time that the answer was made for.
func (k *Lookup) Keep(res *api.Response, route, language string, at time.Time) *Answer {
	if k.depends == nil || !res.Shared || res.CookieMatters || res.HeadOnly {
		return nil
	}
	a := &Answer{
		Status: res.Status, Header: res.Header, Body: res.Body, Route: route, Language: language, Made: k.made, Tags: k.depends.Tags(),
		NotRendered: res.NotRendered,
	}
	if res.Timely {
		a.Second = at.Unix()
	}
	k.door.Cache.Put(k.key, a)
	return a
}

// Release ends this request's turn to build, if it has one.
func (k *Lookup) Release() {
	if k.done != nil {
		k.done()
		k.done = nil
	}
}

// Response is the cached answer, ready to be sent.
func (a *Answer) Response() api.Response {
	return api.Response{
		Status: a.Status, Header: a.Header, Body: a.Body, CrossOrigin: true, Anonymous: true, Shared: true,
		Learned: api.Learned{NotRendered: a.NotRendered},
	}
}
