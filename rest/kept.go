package rest

import (
	"context"
	"net/http"
	"time"

	"calbridge/rest/answers"
	"calbridge/rest/api"
	"calbridge/rest/wpauth"
	"calbridge/wpstore/coherence"
)

// lookUpResult is what a look into the cache has found: an answer, or the task to
// build one and keep it.
type lookUpResult struct {
	key    answers.Key
	found  *answers.Answer
	result api.CacheResult
	// current: what the ledger has heard of is believed for this request.
	current bool
	done    func() // ends this request's turn to build; nil without one

	made    uint64
	depends *coherence.Dependencies
}

// lookUp looks for a kept answer. Of several requests that find none, one builds it
// and the others wait.
func (s *Server) lookUp(ctx context.Context, r *http.Request) *lookUpResult {
	k := &lookUpResult{result: api.CacheOff}
	if s.answers == nil {
		return k
	}
	k.result = api.CacheBypass
	if k.current = !api.Writes(r.Method) && s.current(ctx); !k.current || !s.keepable(r) {
		return k
	}
	_, https := s.client(r)
	k.key = answers.Key{HTTPS: https, Host: r.Host, URI: r.RequestURI}
	k.result = api.CacheMiss
	for range 2 {
		if k.found = s.answers.Get(k.key, s.cfg.Now().Unix()); k.found != nil {
			k.result = api.CacheHit
			return k
		}
		build, done, err := s.answers.Turn(ctx, k.key)
		if err != nil {
			return k
		}
		if build {
			k.done = done
			break
		}
	}
	// Who has waited in vain builds for itself: the answer is one that is not kept.
	k.made = s.cfg.Ledger.Sequence()
	return k
}

// keepable says whether a request may be one that only its URL decides about.
func (s *Server) keepable(r *http.Request) bool {
	if r.Method != http.MethodGet || r.Body != nil && r.Body != http.NoBody || len(r.RequestURI) > answers.MaxKey {
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
	site := s.sites.current.Load()
	if site == nil {
		return false
	}
	_, login := wpauth.FindCookie(cookies, site.Cookies.LoggedIn)
	_, password := wpauth.FindCookie(cookies, site.Cookies.PostPass)
	return !login && !password
}

// current brings the ledger up to date as far as the settings ask for it, and says
// whether it can be believed.
func (s *Server) current(ctx context.Context) bool {
	if !s.cfg.Ledger.Following() {
		return false
	}
	for _, step := range []func(context.Context) error{s.cfg.Prove, s.cfg.Settle} {
		if step == nil {
			continue
		}
		if err := step(ctx); err != nil {
			s.cfg.Logger.Debug("answering without the cache", "err", err)
			return false
		}
	}
	return true
}

// release ends this request's turn to build, if it has one.
func (k *lookUpResult) release() {
	if k.done != nil {
		k.done()
		k.done = nil
	}
}

// collect returns the context in which the answer is made: one that notes what it
// depends on, if it is to be kept.
func (k *lookUpResult) collect(ctx context.Context) context.Context {
	if k.result == api.CacheMiss {
		ctx, k.depends = coherence.WithDependencies(ctx)
	}
	return ctx
}

// keep returns the answer to keep, nil where the answer is not one that everybody
// gets.
func (k *lookUpResult) keep(c *call, out *reply) *answers.Answer {
	if k.depends == nil || !out.lasting || out.panicked || c.learned.CookieMatters || c.req.Method != http.MethodGet {
		return nil
	}
	a := &answers.Answer{
		Status: out.status, Header: out.header, Body: out.body, Route: c.routeTemplate(), Language: c.req.Place.LanguageCode(), Made: k.made, Tags: k.depends.Tags(),
		NotRendered: c.learned.NotRendered,
	}
	if c.req.Clock.Asked {
		a.Second = c.req.Clock.At.Unix()
	}
	return a
}

// giveOut sends a kept answer.
func (s *Server) giveOut(w http.ResponseWriter, r *http.Request, a *answers.Answer, start time.Time) {
	h := w.Header()
	for name, values := range a.Header {
		h[name] = values
	}
	answerOrigin(h, r.Header.Get("Origin"), true)
	var n int
	if s.cfg.Compat.Exact() {
		n = writeBody(w, a.Status, a.Body, false)
	} else {
		n = s.sendLasting(w, r, a, false, false)
	}
	if s.cfg.Observe != nil {
		s.cfg.Observe(&api.Observation{
			Context: r.Context(), Method: http.MethodGet, Route: a.Route, Language: a.Language, Path: r.URL.Path, Status: a.Status, Bytes: n,
			Auth: string(noLogin), Cache: api.CacheHit, Took: time.Since(start), NotRendered: a.NotRendered,
		})
	}
}

// Kept is what the cache of answers holds, their weight in bytes, and how many were
// dropped for lack of room.
func (s *Server) Kept() (count int, bytes, evicted uint64) {
	if s.answers == nil {
		return 0, 0, 0
	}
	count, bytes = s.answers.Size()
	return count, bytes, s.answers.Evicted()
}
