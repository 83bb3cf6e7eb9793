package calfeed

import (
	"context"
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/calendar"
	"calbridge/rest/rfc5545"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render/calevent"
)

const (
	// maxBuffered is the longest feed, in bytes, that is sent as a whole and cached.
	maxBuffered = 8 << 20
	// batchSize is the number of events read at a time.
	batchSize = 100
)

// builder turns ids into bytes.
type builder struct {
	*feed
	format format
	res    *api.Result
	// live and trashed are the ids that remain to be written.
	live, trashed []int64
	made          []byte // the beginning of a stream
}

// answer returns the feed: as a whole if it is short enough, otherwise as a stream that begins with
// what was built so far.
func (f *feed) answer(ctx context.Context, newFormat func(*feed) format) (*api.Result, error) {
	b := &builder{feed: f, format: newFormat(f), res: &api.Result{}, live: f.ids, trashed: f.cancelled}
	b.res.ContentType = b.format.contentType()
	body := b.format.head(nil)
	for b.left() && len(body) <= maxBuffered {
		var err error
		if body, err = b.batch(ctx, f.Store, body); err != nil {
			return nil, err
		}
	}
	if !b.left() {
		b.res.Body = b.format.end(body)
		return b.res, nil
	}
	b.res.Rendering.Modified = "" // covers only the first events
	b.made = body
	b.res.Stream = b.stream
	return b.res, nil
}

func (b *builder) left() bool { return len(b.live) > 0 || len(b.trashed) > 0 }

// stream writes what was built so far, and then the rest.
func (b *builder) stream(ctx context.Context, w api.Flusher) error {
	store, body := b.Apart(ctx), b.made
	for {
		if _, err := w.Write(body); err != nil || !b.left() {
			return err
		}
		if b.made != nil { // is much longer than a batch, and a slow client may read for hours
			b.made, body = nil, nil
		}
		var err error
		if body, err = b.batch(ctx, store, body[:0]); err != nil {
			return err
		}
		if !b.left() {
			body = b.format.end(body)
		}
	}
}

// batch appends the next events.
func (b *builder) batch(ctx context.Context, store calendar.Stores, body []byte) ([]byte, error) {
	rd := b.render.Feed(b.Place, b.Viewer, b.Clock, store)
	if len(b.live) == 0 {
		ids := next(&b.trashed)
		return b.cancelledEvents(ctx, store, rd, ids, body)
	}
	ids := next(&b.live)
	rd.Described = b.describe()
	set, err := rd.Load(ctx, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		// Rows are read after the list.
		p := set.Posts[id]
		if p == nil || p.Type != api.Events.PostType || p.Status != "publish" || p.Password != "" {
			continue
		}
		body = b.append(body, rd.Event(set, p))
	}
	found := rd.Rendering()
	b.res.Rendering.Modified = max(b.res.Rendering.Modified, found.Modified)
	for _, name := range found.NotRendered {
		if !slices.Contains(b.res.Rendering.NotRendered, name) {
			b.res.Rendering.NotRendered = append(b.res.Rendering.NotRendered, name)
		}
	}
	return body, nil
}

// describe returns a function that returns WordPress's rendering of the text of an event, or nil if
// these renderings aren't kept. Such a text can change or end without a change of rows, so that a feed
// that may have one is made for each request.
func (b *builder) describe() func(id int64) (html string, ok bool) {
	if b.described == nil {
		return nil
	}
	route := "/" + tribev1.Collection(api.Events) + "/{id}"
	return func(id int64) (string, bool) {
		b.res.NoStore = true
		return b.described(b.Request.Request, route, b.Place.LanguageCode(), id)
	}
}

// cancelledEvents appends the events in the trash that used to be visible to everyone. Subscribers
// need only their dates to drop them.
func (b *builder) cancelledEvents(ctx context.Context, store calendar.Stores, rd *calevent.Feed, ids []int64, body []byte) ([]byte, error) {
	posts, metas, err := store.Posts.PostsAndMetaKeys(ctx, ids, cancelledKeys)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		p := posts[id]
		if p == nil || !cancelled(p, metas[id]) {
			continue
		}
		e := &rfc5545.Event{Dates: rd.Dates(metas[id]), Cancelled: true}
		rd.SetID(e, p)
		b.res.Rendering.Modified = max(b.res.Rendering.Modified, p.ModifiedGMT)
		body = b.append(body, e)
	}
	return body, nil
}

// append appends an event, unless its dates can't be written.
func (b *builder) append(body []byte, e *rfc5545.Event) []byte {
	if !e.CanBeWritten() {
		b.res.Rendering.LeftOut++
		return body
	}
	return b.format.event(body, e)
}

// next cuts a batch off ids.
func next(ids *[]int64) []int64 {
	n := min(len(*ids), batchSize)
	batch := (*ids)[:n]
	*ids = (*ids)[n:]
	return batch
}
