package render

import (
	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1/render/calevent"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wpsite"
)

// Shared has the caches and buffers that all responses of a server share. It is safe for
// concurrent use.
type Shared struct {
	// namespace is that of the API.
	namespace string
	events    *eventCache
	rows      *loader.Cache
	buffers   *phpjson.Buffers
}

// NewShared returns a Shared for the API in a namespace, whose caches take at most cacheBytes; 0
// caches nothing.
func NewShared(namespace string, cacheBytes int, buffers *phpjson.Buffers) *Shared {
	rows := cacheBytes / 8 * 2
	return &Shared{namespace, newEventCache(cacheBytes - rows), loader.NewCache(rows), buffers}
}

// Bytes returns the memory of the caches.
func (s *Shared) Bytes() uint64 {
	if s.events == nil {
		return 0
	}
	return s.events.rendered.WeightedSize() + s.rows.Bytes()
}

// For returns the Renderer of one response. clock records whether the response depends on the time.
func (s *Shared) For(place *wpsite.Place, viewer *authz.Viewer, clock *api.Clock, store calendar.Stores) *Renderer {
	return &Renderer{namespace: s.namespace, events: s.events, buffers: s.buffers, place: place, viewer: viewer, clock: clock, around: clock.Split(), tickets: store.Tickets, loader: s.loader(place, viewer, store)}
}

func (s *Shared) loader(place *wpsite.Place, viewer *authz.Viewer, store calendar.Stores) *loader.Loader {
	return &loader.Loader{Cache: s.rows, Place: place, Viewer: viewer, Store: store.Posts}
}

// Export returns the renderer of the events of one export.
func (s *Shared) Export(place *wpsite.Place, viewer *authz.Viewer, clock *api.Clock, store calendar.Stores) *calevent.Export {
	return &calevent.Export{Source: s.source(place, viewer, clock, store)}
}

// Feed returns the renderer of the events of one feed, or of a part of it.
func (s *Shared) Feed(place *wpsite.Place, viewer *authz.Viewer, clock *api.Clock, store calendar.Stores) *calevent.Feed {
	return &calevent.Feed{Source: s.source(place, viewer, clock, store)}
}

func (s *Shared) source(place *wpsite.Place, viewer *authz.Viewer, clock *api.Clock, store calendar.Stores) calevent.Source {
	return calevent.Source{Place: place, Viewer: viewer, Clock: clock, Loader: s.loader(place, viewer, store)}
}

// Terms returns the renderer of the terms of one answer.
func (s *Shared) Terms(place *wpsite.Place, viewer *authz.Viewer, store calendar.Stores, options Options) *TermRenderer {
	return &TermRenderer{Namespace: s.namespace, Place: place, Viewer: viewer, Store: store.Terms, Buffers: s.buffers, Options: options}
}
