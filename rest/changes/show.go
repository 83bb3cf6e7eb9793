package changes

import (
	"bytes"
	"context"
	"encoding/hex"
	"slices"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/routes"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/journal"
)

// timely is noted as shown where an event's JSON depends on the time.
var timely = invalidation.Tag{Kind: invalidation.Anything, ID: -1}

// rightsKey names the rights in the journal.
func (s *session) rightsKey() string { return hex.EncodeToString(s.rights[:]) }

// maxShowing bounds the events that show something which changes often, such as galleries.
const maxShowing = 1000

// show renders events, and notes in the journal what they show besides what they link to.
func (s *session) show(ctx context.Context, r *routes.Request, p *page, ids []int64) error {
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
	tags, err := s.render(ctx, r, ids, func(id int64, json []byte) { p.items = append(p.items, item{id, json}) })
	if err != nil {
		return err
	}
	if ok && !slices.Contains(tags, timely) {
		p.key = &key
	}
	if tags, err = s.unlinked(ctx, ids, tags); err != nil {
		return err
	}
	shown, err := s.attributed(ctx, r, ids, tags)
	if err != nil {
		return err
	}
	return s.Journal.Show(ctx, s.rightsKey(), shown)
}

// render renders events and returns what they depend on. Those that are gone since are left out:
// the next sync says so.
func (s *session) render(ctx context.Context, r *routes.Request, ids []int64, each func(id int64, json []byte)) ([]invalidation.Tag, error) {
	depends := invalidation.NewDependencies()
	store := s.Store.Session(depends)
	store.Proven()
	store.AllowCache()
	clock := &api.Clock{At: r.Clock.At}
	rd := s.Render.For(r.Place, r.Viewer, clock, store)
	set, err := rd.LoadEvents(ctx, ids, nil)
	if err != nil {
		return nil, err
	}
	w := rd.NewWriter()
	for _, id := range ids {
		from := w.Len()
		ev := set.Post(id)
		if ev == nil || ev.Type != api.Events.PostType {
			continue
		}
		rd.Event(w, set, ev, false)
		each(id, bytes.Clone(bytes.TrimPrefix(w.Bytes()[from:], []byte(","))))
	}
	tags := depends.Tags()
	if clock.Asked || !clock.Until.IsZero() {
		tags = append(tags, timely)
	}
	return tags, nil
}

// attributed says with which of the events tags were shown, if one of them shows what changes
// often: a set, such as all posts for a gallery or an embed, or the time. To tell it renders each
// event alone. Other tags name a row each, such as a picture, which hardly ever changes.
func (s *session) attributed(ctx context.Context, r *routes.Request, ids []int64, tags []invalidation.Tag) ([]journal.Showing, error) {
	var out []journal.Showing
	known := map[invalidation.Tag]bool{} // whether it is known with which events
	often := false
	for _, tag := range tags {
		known[tag] = false
		often = often || tag.ID <= 0
	}
	if often {
		for _, id := range ids {
			own, err := s.render(ctx, r, []int64{id}, func(int64, []byte) {})
			if err != nil {
				return nil, err
			}
			for _, tag := range own {
				if _, unlinked := known[tag]; unlinked {
					known[tag] = true
					out = append(out, journal.Showing{Tag: tag, Event: id})
				}
			}
		}
	}
	for tag, found := range known {
		if !found {
			out = append(out, journal.Showing{Tag: tag})
		}
	}
	return out, nil
}

// unlinked are the tags of other things than events, what they link to and are filed under,
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
func (s *session) answer(p *page) *api.Response {
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
	return &api.Response{Body: w.Bytes(), NoStore: true, ContentType: "application/json; charset=utf-8"}
}

// tombstone says that an event isn't in the list any more.
func tombstone(id int64) []byte {
	return append(strconv.AppendInt([]byte(`{"id":`), id, 10), `,"deleted":true}`...)
}
