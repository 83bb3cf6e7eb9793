package proof

import (
	"net/http"

	"calbridge/wpstore/invalidation"
)

// Learned are rules that WordPress's responses follow and calbridge's would not follow without
// them: constant headers, varying headers, and the largest pages. It is safe for concurrent use.
type Learned struct {
	headers *Headers
	caps    *pageCaps
	tracker *invalidation.Tracker // of responses that are cached
}

func newLearned(s *Settings, t *invalidation.Tracker) *Learned {
	return &Learned{newHeaders(s), newPageCaps(s), t}
}

// Headers returns the rules about headers under an address.
func (l *Learned) Headers() *Headers { return l.headers }

// Align gives our response WordPress's varying headers, for a comparison.
func (l *Learned) Align(ours, theirs http.Header) { l.headers.align(ours, theirs) }

// PageCap returns the largest page size of a route. When it changes, our cached responses are
// invalidated.
func (l *Learned) PageCap(route string) int64 { return l.caps.of(route) }

// capsChanged invalidates all responses, because they were built with other page caps.
func (l *Learned) capsChanged() { l.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Site}) }

// rules returns the rules that outlast the process.
func (l *Learned) rules() Rules { return Rules{l.headers.Rules(), l.caps.list()} }

// follow adopts rules if none have been recorded.
func (l *Learned) follow(r Rules) {
	l.headers.restore(r.Headers)
	if l.caps.restore(r.PageCaps) {
		l.capsChanged()
	}
}

// reset drops all rules.
func (l *Learned) reset() {
	l.headers.reset()
	if l.caps.reset() {
		l.capsChanged()
	}
}
