package rest

import (
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/respcache"
	"calbridge/rest/wpauth"
	"calbridge/rest/wptext/escape"
)

// send writes a response. It returns the number of body bytes sent, and the error that cut off a
// streamed body. cached is the same response in the response cache, or nil; it then stores the
// compressed forms.
func (s *Server) send(w http.ResponseWriter, r *http.Request, res *api.Response, cached *respcache.Answer) (sent int, broken error) {
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
	}
	return api.Write(w, status, body, head), nil
}

// answerOrigin answers any Origin header, as WordPress does. Without one, responses to anonymous
// GETs state that they vary by it.
func answerOrigin(h http.Header, origin string, anonymousGET bool) {
	if origin == "" {
		if anonymousGET {
			h["Vary"] = []string{"Origin"}
		}
		return
	}
	if origin != "null" {
		origin = escape.RawURL(origin)
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Vary", "Origin")
}
