package respcache

import (
	"cmp"
	"net/http"
	"strings"
)

// Sender sends shared answers in the ways that HTTP has for them: known copies are
// confirmed, bodies compressed, and caches told what they may do (RFC 9110,
// RFC 9111). The reference does none of it.
type Sender struct {
	compress *Compressor
	control  string
}

// NewSender returns a Sender whose answers carry that Cache-Control header, "" for
// no-cache: caches ask whether their copy is still good.
func NewSender(cacheControl string) *Sender {
	return &Sender{compress: NewCompressor(), control: cmp.Or(cacheControl, "no-cache")}
}

// Prepare sets the headers of a shared answer to r, and returns what is to be sent.
// cookieMatters says that a cookie decides about the answer.
func (s *Sender) Prepare(h http.Header, r *http.Request, a *Answer, cookieMatters, head bool) (status int, body []byte) {
	encoding := Identity
	if len(a.Body) >= MinCompressed {
		encoding = Negotiate(r.Header.Get("Accept-Encoding"))
	}
	vary := sharedVary
	if cookieMatters {
		vary += ", Cookie"
	}
	etag := `"` + a.ETag() + encoding.Suffix() + `"`
	h["Vary"] = []string{vary}
	h["Etag"] = []string{etag}
	h["Cache-Control"] = []string{s.control}
	if matches(r.Header["If-None-Match"], etag) {
		delete(h, "Content-Type")
		return http.StatusNotModified, nil
	}
	if encoding != Identity {
		h["Content-Encoding"] = []string{encoding.Name()}
		if head {
			return a.Status, nil
		}
	}
	return a.Status, a.Encoded(encoding, s.compress)
}

// sharedVary names what else than the URL decides an answer: credentials turn an
// anonymous one into a user's.
const sharedVary = "Origin, Accept-Encoding, Authorization, X-WP-Nonce"

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
