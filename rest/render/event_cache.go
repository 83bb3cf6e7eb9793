package render

import (
	"bytes"

	"github.com/maypok86/otter/v2"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
)

// The cache of rendered events saves rendering an event again from the same rows, those of
// its venue, organizers and pictures included. The rows are still read for each request, so
// that no answer is stale. Only answers to anonymous clients use it: they depend on nothing
// but the rows.

// eventKey is everything that the JSON of an event depends on.
type eventKey struct {
	facts    *wpstore.SiteFacts // replaced when an option changes
	links    *wpsite.Links
	wording  *api.Wording
	text     *wptext.Site
	globalID string
	lang     i18n.Choice
	single   bool
	// language and progress are the state of the answer after earlier events.
	language string
	progress wptext.Progress
	rows     wpstore.Digest
}

// renderedEvent is the JSON of an event, and the state in which it leaves the answer.
type renderedEvent struct {
	json     []byte
	language string
	progress wptext.Progress
}

// eventOverhead is what an entry takes besides its JSON, in bytes. TestEventCacheWeight
// measures it.
const eventOverhead = 340

// newEventCache returns a cache of at most that many bytes, nil for 0.
func newEventCache(bytes int) *otter.Cache[eventKey, renderedEvent] {
	if bytes <= 0 {
		return nil
	}
	return otter.Must(&otter.Options[eventKey, renderedEvent]{
		MaximumWeight: uint64(bytes),
		Weigher:       func(_ eventKey, e renderedEvent) uint32 { return uint32(cap(e.json) + eventOverhead) },
	})
}

// Event writes an event of the set. single adds the structured data, also of linked posts. In
// lists, fields that a password protects are blank, unless the site ignores passwords there.
func (r *Renderer) Event(w *phpjson.Writer, set *Set, p *wpstore.Post, single bool) {
	key, ok := r.eventKey(set, p, single)
	if !ok {
		r.writeEvent(w, set, p, single, !single && !set.past.openLists && r.viewer.Locked(p))
		return
	}
	if e, ok := r.shared.events.GetIfPresent(key); ok {
		w.Raw(e.json)
		set.language, set.texts.state.Progress = e.language, e.progress
		return
	}
	own := &phpjson.Writer{}
	own.Reset(make([]byte, 0, 8<<10))
	before := r.clock.Asked
	r.clock.Asked = false
	r.writeEvent(own, set, p, single, false) // no password: eventKey refuses those
	w.Raw(own.Bytes())
	timely := r.clock.Asked // the meaning of a stored text depends on the time
	r.clock.Asked = timely || before
	// Each answer reports what could not be rendered.
	if !timely && len(set.texts.state.Unknown()) == 0 {
		r.shared.events.Set(key, renderedEvent{bytes.Clone(own.Bytes()), set.language, set.texts.state.Progress})
	}
}

// eventKey returns what an event depends on; ok is false if it depends on more, such as the
// user.
func (r *Renderer) eventKey(set *Set, p *wpstore.Post, single bool) (key eventKey, ok bool) {
	if r.shared.events == nil || r.viewer.Known() || !set.tickets.sameForAll(p.ID) {
		return key, false
	}
	rows, ok := r.loader.Digest(set.rows, p, set.language, set.later)
	if !ok {
		return key, false
	}
	return eventKey{
		facts: r.place.Site.Facts, links: r.place.Links, wording: r.place.Words, text: r.place.Text, globalID: r.place.GlobalID, lang: r.place.Lang, single: single,
		language: set.language, progress: set.texts.state.Progress, rows: rows,
	}, true
}
