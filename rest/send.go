package rest

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"time"

	"calbridge/rest/answers"
	"calbridge/rest/api"
)

// send writes the reply to a request and returns the bytes of its body.
func (s *Server) send(w http.ResponseWriter, r *http.Request, c *call, out *reply) int {
	if out.status == 0 {
		out.status = http.StatusInternalServerError
	}
	h := w.Header()
	for name, values := range out.header {
		h[name] = values
	}
	if out.crossOrigin {
		answerOrigin(h, r.Header.Get("Origin"), r.Method == http.MethodGet && c.req.Viewer.User.ID == 0 && !c.cookieUser)
	}
	head := r.Method == http.MethodHead || c.req.Request != nil && c.req.Method == http.MethodHead
	if !out.lasting || s.cfg.Compat.Exact() {
		return writeBody(w, out.status, out.body, head)
	}
	a := out.kept // what is made of it on the way is there for the next then
	if a == nil {
		a = &answers.Answer{Status: out.status, Body: out.body}
	}
	return s.sendLasting(w, r, a, c.learned.CookieMatters, head)
}

// sendLasting sends an answer to an anonymous GET that went well in the ways that
// HTTP has for it: known copies are confirmed, bodies compressed, and caches told
// what they may do (RFC 9110, RFC 9111). The reference does none of it.
func (s *Server) sendLasting(w http.ResponseWriter, r *http.Request, a *answers.Answer, cookieMatters, head bool) int {
	h := w.Header()
	encoding := answers.Identity
	if len(a.Body) >= answers.MinCompressed {
		encoding = answers.Negotiate(r.Header.Get("Accept-Encoding"))
	}
	vary := lastingVary
	if cookieMatters {
		vary += ", Cookie"
	}
	etag := `"` + a.ETag() + encoding.Suffix() + `"`
	h["Vary"] = []string{vary}
	h["Etag"] = []string{etag}
	h["Cache-Control"] = []string{cmp.Or(s.cfg.CacheControl, "no-cache")}
	if matches(r.Header["If-None-Match"], etag) {
		delete(h, "Content-Type")
		w.WriteHeader(http.StatusNotModified)
		return 0
	}
	if encoding != answers.Identity {
		h["Content-Encoding"] = []string{encoding.Name()}
		if head {
			return writeBody(w, a.Status, nil, true)
		}
	}
	return writeBody(w, a.Status, a.Encoded(encoding, s.compress), head)
}

// lastingVary names what else than the URL decides an answer: credentials turn an
// anonymous one into a user's.
const lastingVary = "Origin, Accept-Encoding, Authorization, X-WP-Nonce"

// matches says whether an If-None-Match header names the entity tag, in the weak
// comparison that it asks for.
func matches(headers []string, etag string) bool {
	for _, header := range headers {
		for tag := range strings.SplitSeq(header, ",") {
			tag = strings.TrimSpace(tag)
			if tag == "*" || strings.TrimPrefix(tag, "W/") == etag {
				return true
			}
		}
	}
	return false
}

// lastModified is a stored date in UTC as HTTP writes it, "" where it is none.
func lastModified(stored string) string {
	t, err := time.Parse(api.MySQLTime, stored)
	if err != nil {
		return ""
	}
	return t.Format(http.TimeFormat)
}

// writeBody writes status and body and returns the bytes of the body that were sent.
func writeBody(w http.ResponseWriter, status int, body []byte, head bool) int {
	if head {
		w.WriteHeader(status)
		return 0
	}
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	n, _ := w.Write(body) // the client is gone; nobody is left to tell
	return n
}

// Refuse answers with an error of the table where no request reaches the
// interface itself, in the wording of the site's first language.
func (s *Server) Refuse(w http.ResponseWriter, r *http.Request, code string) {
	e := api.Fail(code)
	out := &reply{status: e.Status}
	out.json(e.Body(s.words))
	out.header.Set("X-Content-Type-Options", "nosniff")
	out.header.Set("Cache-Control", "no-store")
	for name, values := range out.header {
		w.Header()[name] = values
	}
	writeBody(w, out.status, out.body, r.Method == http.MethodHead)
}
