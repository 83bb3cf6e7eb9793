package respcache

import (
	"cmp"
	"net/http"
	"strings"
)

// Sender sends shared responses: conditional requests get 304, bodies are compressed, and
// Cache-Control is set (RFC 9110, RFC 9111). The reference does none of these.
type Sender struct {
	compress *Compressor
	control  string
}

// NewSender returns a Sender with a value for Cache-Control, "" for no-cache: caches then
// revalidate their copies.
func NewSender(cacheControl string) *Sender {
	return &Sender{compress: NewCompressor(), control: cmp.Or(cacheControl, "no-cache")}
}

// Prepare sets the headers of a shared response to r and returns the status and body to send.
// cookieMatters reports that the response depends on a cookie.
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

// sharedVary names what a response depends on besides the URL: credentials turn an
// anonymous response into a user's.
const sharedVary = "Origin, Accept-Encoding, Authorization, X-WP-Nonce"

// matches reports whether an If-None-Match header names the entity tag, by weak comparison
// (RFC 9110, section 13.1.2).
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
