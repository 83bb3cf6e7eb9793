package render

import (
	"bytes"

	"github.com/maypok86/otter/v2"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore"
)

// The cache of rendered events avoids rendering an event again from the same rows, including those
// of its venue, organizers and pictures. The rows are still read for each request, so that no
// response is stale. Only responses to anonymous clients use it: they depend only on the rows.

// eventKey is everything that the JSON of an event depends on.
type eventKey struct {
	facts    *wpstore.SiteFacts // replaced when an option changes
	links    *wpsite.Links
	wording  *api.Wording
	text     *wptext.Site
	globalID string
	lang     i18n.Choice
	single   bool
	// language and progress are the state of the response after earlier events.
	language string
	progress wptext.Progress
	rows     wpstore.Digest
}

// renderedEvent is the JSON of an event, and the state of the response after it.
type renderedEvent struct {
	json     []byte
	language string
	progress wptext.Progress
}

// eventOverhead is the memory of an entry besides its JSON, in bytes. TestEventCacheWeight measures
// it.
const eventOverhead = 340

// eventCache has rendered events.
type eventCache struct {
	rendered *otter.Cache[eventKey, renderedEvent]
}

// newEventCache returns a cache of at most that many bytes, nil for 0.
func newEventCache(bytes int) *eventCache {
	if bytes <= 0 {
		return nil
	}
	return &eventCache{otter.Must(&otter.Options[eventKey, renderedEvent]{
		MaximumWeight: uint64(bytes),
		Weigher:       func(_ eventKey, e renderedEvent) uint32 { return uint32(cap(e.json) + eventOverhead) },
	})}
}

// write writes an event, from the cache if that has it. It reports false and writes nothing if the
// event must not be cached. single has the meaning of Renderer.Event's.
func (c *eventCache) write(w postWriter, rows *loader.Loader, p *wpstore.Post, single bool) bool {
	key, ok := keyOf(w, rows, p, single)
	if !ok {
		return false
	}
	set := w.set
	if e, ok := c.rendered.GetIfPresent(key); ok {
		w.Raw(e.json)
		set.language, set.texts.state.Progress = e.language, e.progress
		return true
	}
	own := w
	own.Writer = &phpjson.Writer{}
	own.Reset(make([]byte, 0, 8<<10))
	before := w.clock.Asked
	w.clock.Asked = false
	own.event(p, single, false) // no password: keyOf refuses those
	w.Raw(own.Bytes())
	timely := w.clock.Asked // the meaning of a stored text depends on the time
	w.clock.Asked = timely || before
	// Each response reports what could not be rendered.
	if !timely && len(set.texts.state.Unknown()) == 0 {
		c.rendered.Set(key, renderedEvent{bytes.Clone(own.Bytes()), set.language, set.texts.state.Progress})
	}
	return true
}

// keyOf returns the key of an event; ok is false if the event depends on more, such as the user.
func keyOf(w postWriter, rows *loader.Loader, p *wpstore.Post, single bool) (key eventKey, ok bool) {
	set := w.set
	if w.viewer.Known() || !set.tickets.sameForAll(p.ID) {
		return key, false
	}
	digest, ok := rows.Digest(set.rows, p, set.language, set.later)
	if !ok {
		return key, false
	}
	place := w.place
	return eventKey{
		facts: place.Site.Facts, links: place.Links, wording: place.Words, text: place.Text, globalID: place.GlobalID, lang: place.Lang, single: single,
		language: set.language, progress: set.texts.state.Progress, rows: digest,
	}, true
}
