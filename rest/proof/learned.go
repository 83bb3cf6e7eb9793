package proof

import (
	"net/http"

	"calbridge/wpstore/invalidation"
)

// Learned are rules that WordPress's answers follow, and calbridge's would not without: constant
// headers, headers that vary, and the largest pages. It is safe for concurrent use.
type Learned struct {
	headers *Headers
	caps    *pageCaps
	tracker *invalidation.Tracker // of answers that are cached
}

func newLearned(s *Settings, t *invalidation.Tracker) *Learned {
	return &Learned{newHeaders(s), newPageCaps(s), t}
}

// AddHeaders adds the learned headers that an answer of ours under an address lacks, and returns
// them.
func (l *Learned) AddHeaders(to http.Header, site string) []HeaderRule {
	return l.headers.Add(to, site)
}

// Align gives our answer, for a comparison, the headers of WordPress's that vary.
func (l *Learned) Align(ours, theirs http.Header) { l.headers.align(ours, theirs) }

// PageCap returns the most entries of a page of a route. Answers of ours that are cached are
// invalidated when it changes.
func (l *Learned) PageCap(route string) int64 { return l.caps.of(route) }

// capsChanged invalidates all answers: they were made with other page caps.
func (l *Learned) capsChanged() { l.tracker.Invalidate(invalidation.Tag{Kind: invalidation.Site}) }

// rules returns those that outlast the process.
func (l *Learned) rules() Rules { return Rules{l.headers.Rules(), l.caps.list()} }

// follow takes rules where none has been learned.
func (l *Learned) follow(r Rules) {
	l.headers.restore(r.Headers)
	if l.caps.restore(r.PageCaps) {
		l.capsChanged()
	}
}

// Means describes in a few words why WordPress answers; "" for None.
func (l *Learned) reset() {
	l.headers.reset()
	if l.caps.reset() {
		l.capsChanged()
	}
}
