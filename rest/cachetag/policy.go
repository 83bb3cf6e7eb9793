package cachetag

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"

	"calbridge/wpstore/invalidation"
)

// Policy determines what shared caches may store. A nil *Policy adds nothing to responses.
type Policy struct {
	Formats []Format
	// Prefix precedes each name, so that several sites can share a cache.
	Prefix string
	// MaxAge is the longest lifetime of a stored response. Zero only names tags, and leaves the
	// lifetime to the cache's own configuration.
	MaxAge time.Duration
	// Control is Cache-Control for browsers; "" means that they revalidate each time.
	Control string
}

// Headers returns the headers that name tags.
func (p *Policy) Headers(tags []invalidation.Tag) http.Header {
	names, h := namesOf(tags), make(http.Header, len(p.Formats))
	for _, format := range p.Formats {
		s := format.syntax()
		h[s.header] = []string{s.value(p.Prefix, names)}
	}
	return h
}

// Compared does what Headers does for a response that is sent because of what WordPress was seen to
// answer.
func (p *Policy) Compared(tags []invalidation.Tag) http.Header {
	return p.Headers(append(slices.Clone(tags), invalidation.Tag{Kind: invalidation.Parity}))
}

// Store adds headers with which shared caches store a response to r, if they may: tags are those of
// [Policy.Headers]. The response changes by itself at until, in Unix time like now; 0 means never.
// Only responses that pass through a [Policy.Guard] are stored.
func (p *Policy) Store(w http.ResponseWriter, r *http.Request, tags http.Header, until, now int64) {
	h := w.Header()
	if r.Method != http.MethodGet || r.Header["Origin"] != nil || h["Set-Cookie"] != nil {
		return
	}
	if p.MaxAge == 0 {
		maps.Copy(h, tags)
		return
	}
	guarded := guardOf(w)
	if guarded == nil {
		return
	}
	age := int64(p.MaxAge / time.Second)
	if until != 0 {
		age = min(age, until-now-clockMargin)
	}
	if age <= 0 {
		return
	}
	maps.Copy(h, tags)
	h["Cache-Control"] = []string{cmp.Or(p.Control, "max-age=0, must-revalidate") + ", s-maxage=" + strconv.FormatInt(age, 10)}
	guarded.stored = true
}

// clockMargin is subtracted from the time until a response changes by itself, in seconds: a cache
// begins to count when the response arrives, and counts whole seconds.
const clockMargin = 2
