package rest

import (
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/respcache"
	"calbridge/rest/wptext/escape"
)

// send writes an answer and returns the bytes of its body that were sent. cached is the
// same answer in the response cache, or nil; it then stores the compressed forms.
func (s *Server) send(w http.ResponseWriter, r *http.Request, res *api.Response, cached *respcache.Answer) int {
	h := w.Header()
	for name, values := range res.Header {
		h[name] = values
	}
	if res.CrossOrigin {
		answerOrigin(h, r.Header.Get("Origin"), r.Method == http.MethodGet && res.Anonymous)
	}
	head := res.HeadOnly || r.Method == http.MethodHead
	status, body := res.Status, res.Body
	if res.Shared && !s.cfg.Compat.Exact() {
		if cached == nil {
			cached = &respcache.Answer{Status: res.Status, Body: res.Body}
		}
		status, body = s.shared.Prepare(h, r, cached, res.CookieMatters, head)
	}
	return api.Write(w, status, body, head)
}

// answerOrigin answers any Origin header, as WordPress does. Without one, answers to
// anonymous GETs say that they vary by it.
func answerOrigin(h http.Header, origin string, anonymousGET bool) {
	if origin == "" {
		if anonymousGET {
			h["Vary"] = []string{"Origin"}
		}
		return
	}
	if origin != "null" {
		origin = escape.URL(origin, false)
	}
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "OPTIONS, GET, POST, PUT, PATCH, DELETE")
	h.Set("Access-Control-Allow-Credentials", "true")
	h.Set("Vary", "Origin")
}
