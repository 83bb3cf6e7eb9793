package rest

import (
	"net/http"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/respcache"
	"calbridge/rest/wpauth"
)

// send writes a response. It returns the number of body bytes sent, and the error that cut off a
// streamed body. cached is the same response in the response cache, or nil; it then stores the
// compressed forms.
func (s *Server) send(w http.ResponseWriter, r *http.Request, res *api.Response, cached *respcache.Answer, shared storing) (sent int, broken error) {
	h := w.Header()
	for name, values := range res.Header {
		h[name] = values
	}
	if res.CrossOrigin != nil {
		origin := r.Header.Get("Origin")
		answerOrigin(h, origin, r.Method == http.MethodGet && res.Anonymous)
		if origin != "" && !s.cfg.Compat.Exact() {
			res.CrossOrigin.AllowMore(h)
		}
	}
	if c := res.Cookie; c != nil {
		if sent, _ := wpauth.FindCookie(r.Header["Cookie"], c.Name); sent != c.Value {
			h.Set("Set-Cookie", c.Header(s.cfg.Now()))
		}
	}
	head := res.HeadOnly || r.Method == http.MethodHead
	if res.Endless != nil {
		return s.shared.Endless(w, r, res, head, s.cfg.RequestTimeout)
	}
	if res.Stream != nil {
		return s.shared.Stream(w, r, res, head, s.cfg.RequestTimeout)
	}
	status, body := res.Status, res.Body
	if res.Shared && !s.cfg.Compat.Exact() {
		if cached == nil {
			cached = &respcache.Answer{Status: res.Status, Body: res.Body}
		}
		status, body = s.shared.Prepare(h, r, cached, res.CookieMatters || res.Page, head)
		s.allowStoring(w, r, cached, shared)
	}
	return api.Write(w, status, body, head), nil
}

// storing determines what shared caches in front may store of a response.
type storing struct {
	allowed bool         // false for copies that no client gets
	limit   *api.Storing // nil for no limit
}

// allowStoring lets shared caches store a response if the response cache has it too, and nothing
// that it depends on has changed while it was made. A change from now on arrives after the headers.
func (s *Server) allowStoring(w http.ResponseWriter, r *http.Request, a *respcache.Answer, shared storing) {
	policy := s.cfg.CacheTags
	if policy == nil || !shared.allowed || a.Tags == nil || a.Page {
		return
	}
	now, until, name := s.cfg.Now().Unix(), a.Until, policy.Headers
	limit := shared.limit
	if !s.cfg.Tracker.Fresh(a.Built, a.Tags) || limit != nil && !limit.Holds.Holds() {
		w.Header()["Cache-Control"] = []string{"no-store"}
		return
	}
	if limit != nil {
		name = policy.Compared
		if most := now + int64(min(limit.Age, longest)/time.Second); until == 0 || most < until {
			until = most
		}
	}
	policy.Store(w, r, a.Named(name), until, now)
}

// longest exceeds the time for which shared caches store anything.
const longest = 100 * 365 * 24 * time.Hour
