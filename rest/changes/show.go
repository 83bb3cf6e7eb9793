package changes

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wprest"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
)

// timely is noted as shown where an event's JSON depends on the time.
var timely = invalidation.Tag{Kind: invalidation.Anything, ID: -1}

// rightsKey names the rights in the journal.
func (s *session) rightsKey() string { return hex.EncodeToString(s.rights[:]) }

// maxShowing bounds the events that show something which changes often, such as galleries.
const maxShowing = 1000

// show renders events, each as a list of it alone shows it, and notes in the journal what they
// show besides what they link to.
func (s *session) show(ctx context.Context, r *wprest.Request, p *page, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	key, ok := s.pageKey(ids)
	if ok {
		if items, known := s.pages.GetIfPresent(key); known { // what they show was noted then
			p.items = slices.Clone(items)
			return nil
		}
	}
	items, shown, err := s.rendered(ctx, r, ids)
	if err != nil {
		return err
	}
	p.items = items
	if ok && !slices.ContainsFunc(shown, func(shown journal.Showing) bool { return shown.Tag == timely }) {
		p.key = &key
	}
	return s.Journal.Show(ctx, s.rightsKey(), shown)
}

// rendered renders events together, which takes fewer queries, or each by itself: where its
// bytes may depend on other events, and where it must be known with which of them something was
// shown that changes often. That is a set, such as all posts for a gallery or an embed, or the
// time. Other tags name a row each, such as a picture, which hardly ever changes.
func (s *session) rendered(ctx context.Context, r *wprest.Request, ids []int64) (items []item, shown []journal.Showing, err error) {
	items, tags, together, err := s.render(ctx, r, ids)
	if err != nil {
		return nil, nil, err
	}
	if tags, err = s.unlinked(ctx, ids, tags); err != nil {
		return nil, nil, err
	}
	if together && !slices.ContainsFunc(tags, func(tag invalidation.Tag) bool { return tag.ID <= 0 }) {
		for _, tag := range tags {
			shown = append(shown, journal.Showing{Tag: tag})
		}
		return items, shown, nil
	}
	items = items[:0]
	for _, id := range ids {
		own, tags, _, err := s.render(ctx, r, []int64{id})
		if err != nil {
			return nil, nil, err
		}
		if tags, err = s.unlinked(ctx, []int64{id}, tags); err != nil {
			return nil, nil, err
		}
		items = append(items, own...)
		for _, tag := range tags {
			shown = append(shown, journal.Showing{Tag: tag, Event: id})
		}
	}
	return items, shown, nil
}

// render renders events and returns what they depend on. Those that are gone since are left out:
// the next sync says so. together reports whether each is rendered as it would be by itself.
func (s *session) render(ctx context.Context, r *wprest.Request, ids []int64) (items []item, depends []invalidation.Tag, together bool, err error) {
	collected := invalidation.NewDependencies()
	store := s.Store.Session(collected)
	store.CaughtUp()
	store.AllowCache()
	clock := &api.Clock{At: r.Clock.At}
	rd := s.Render.For(r.Place, r.Viewer, clock, s.Stores(store))
	set, err := rd.LoadEvents(ctx, ids, nil)
	if err != nil {
		return nil, nil, false, err
	}
	w := rd.NewWriter()
	for _, id := range ids {
		from := w.Len()
		ev := set.Post(id)
		if ev == nil || ev.Type != api.Events.PostType {
			continue
		}
		set.Restart()
		rd.Event(w, set, ev, false)
		items = append(items, item{id, bytes.Clone(bytes.TrimPrefix(w.Bytes()[from:], []byte(",")))})
	}
	depends = collected.Tags()
	if clock.Asked || !clock.Until.IsZero() {
		depends = append(depends, timely)
	}
	return items, depends, set.FilesOnly(), nil
}

// unlinked returns the tags of other things than events, what they link to and are filed under,
// and the settings, which the journal knows by itself.
func (s *session) unlinked(ctx context.Context, ids []int64, tags []invalidation.Tag) ([]invalidation.Tag, error) {
	states, err := s.statesOf(ctx, ids)
	if err != nil {
		return nil, err
	}
	known := map[invalidation.Tag]bool{{Kind: invalidation.Site}: true}
	for i := range states {
		known[invalidation.Tag{Kind: invalidation.Post, ID: states[i].EventID()}] = true
		for _, id := range states[i].Linked() {
			known[invalidation.Tag{Kind: invalidation.Post, ID: id}] = true
		}
		for _, id := range states[i].Filed() {
			known[invalidation.Tag{Kind: invalidation.Term, ID: id}] = true
		}
	}
	return slices.DeleteFunc(tags, func(tag invalidation.Tag) bool { return known[tag] }), nil
}

// answer writes a page.
func (s *session) answer(p *page) *api.Result {
	w := &phpjson.Writer{}
	w.Reset(make([]byte, 0, 16<<10))
	w.BeginObject()
	w.Key("events")
	w.BeginList()
	for _, i := range p.items {
		w.Raw(i.json)
	}
	for _, id := range p.deleted {
		w.Raw(tombstone(id))
	}
	w.EndList()
	if p.more {
		w.KeyString("page_token", s.seal(p.next))
	} else {
		w.KeyString("sync_token", s.seal(p.next))
	}
	w.EndObject()
	return &api.Result{Body: w.Bytes(), NoStore: true, ContentType: "application/json; charset=utf-8"}
}

// tombstone says that an event isn't in the list any more.
func tombstone(id int64) []byte {
	return append(strconv.AppendInt([]byte(`{"id":`), id, 10), `,"deleted":true}`...)
}
