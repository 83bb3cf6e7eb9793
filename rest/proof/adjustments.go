package proof

import (
	"net/http"

	"calbridge/wpstore/invalidation"
)

// Adjustments are rules that WordPress's responses follow and calbridge's would not follow without
// them: constant headers, varying headers, and the largest pages. It is safe for concurrent use.
type Adjustments struct {
	headers *Headers
	caps    *pageCaps
	tracker *invalidation.Tracker // of responses that are cached
}

func newAdjustments(s *Settings, t *invalidation.Tracker) *Adjustments {
	return &Adjustments{newHeaders(s), newPageCaps(s), t}
}

// Headers returns the rules about headers under an address.
func (a *Adjustments) Headers() *Headers { return a.headers }

// Align gives our response WordPress's varying headers, for a comparison.
func (a *Adjustments) Align(ours, theirs http.Header) { a.headers.align(ours, theirs) }

// PageCap returns the largest page size of a route. When it changes, our cached responses are
// invalidated.
func (a *Adjustments) PageCap(route string) int64 { return a.caps.of(route) }

// capsChanged invalidates all responses, because they were built with other page caps.
func (a *Adjustments) capsChanged() { a.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Site}) }

// rules returns the rules that outlast the process.
func (a *Adjustments) rules() Rules { return Rules{a.headers.Rules(), a.caps.list()} }

// follow adopts rules if none have been recorded.
func (a *Adjustments) follow(r Rules) {
	a.headers.restore(r.Headers)
	if a.caps.restore(r.PageCaps) {
		a.capsChanged()
	}
}

// reset drops all rules.
func (a *Adjustments) reset() {
	a.headers.reset()
	if a.caps.reset() {
		a.capsChanged()
	}
}
