package edit

import (
	"context"
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/postlink"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/blockparse"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sitedb"
)

// eventLinks are the venue and the organizers that an event gets.
type eventLinks struct {
	// existing maps each existing post that the event linked to before to the id by which
	// the reference looks for it.
	existing   map[int64]int64
	venue      int64 // 0 for none
	organizers []int64
	// made: a venue or organizer was made.
	made bool
}

// storedLinks finds the existing posts to which an event links.
func storedLinks(ctx context.Context, tx *sitedb.Tx, place *wpsite.Place, e *wpedit.PostEdit) (*eventLinks, error) {
	l := &eventLinks{existing: map[int64]int64{}}
	if e.ID == 0 {
		return l, nil
	}
	var ids []int64
	for _, rows := range linkRows(e.Meta) {
		for _, raw := range rows {
			ids = append(ids, postlink.IDs(raw)...)
		}
	}
	heads, err := tx.Posts.PostHeads(ctx, ids)
	if err != nil {
		return nil, err
	}
	shown := ids
	if showsOldRows(place) && len(ids) > 0 {
		// The reference looks in the rows for the ids that WPML shows at this root.
		groups, err := tx.Posts.PostTranslations(ctx, &place.Site.Languages.Languages, ids)
		if err != nil {
			return nil, err
		}
		shown = i18n.Translate(ids, groups, place.Lang.Root)
	}
	for i, id := range ids {
		if _, ok := heads[id]; ok {
			l.existing[id] = shown[i]
		}
	}
	return l, nil
}

// read takes the links from a request, and makes the posts that it describes.
func (l *eventLinks) read(ctx context.Context, in *api.Params, editor *linkedEditor) (err error) {
	if l.venue, err = l.readVenue(ctx, in.Get(api.Venues.Singular), editor); err != nil {
		return err
	}
	l.organizers, err = l.readOrganizers(ctx, in.Get(api.Organizers.Singular), editor)
	return err
}

// readVenue is the venue of a request, made if it is new; 0 for none. It refuses the forms
// that the reference accepts for organizers only.
func (l *eventLinks) readVenue(ctx context.Context, v php.Value, editor *linkedEditor) (int64, error) {
	if php.Empty(v) {
		return 0, nil
	}
	data, isArray := v.(*php.Array)
	switch {
	case !isArray && php.IsNumeric(v):
		return php.ToInt(v), nil
	case !isArray || data.IsList():
		return 0, api.Fail("could-not-create-venue")
	}
	return l.find(ctx, api.Venues, data, editor)
}

// readOrganizers are the organizers of a request, in order. New ones must be in a list.
func (l *eventLinks) readOrganizers(ctx context.Context, v php.Value, editor *linkedEditor) ([]int64, error) {
	data, isArray := v.(*php.Array)
	if php.Empty(v) || isArray && api.AllEmpty(data) {
		return nil, nil
	}
	refused := api.Fail("could-not-create-organizer")
	entries := []php.Value{v}
	switch {
	case !isArray && !php.IsNumeric(v):
		return nil, refused
	case isArray && data.IsList():
		entries = data.Values()
	case isArray && (php.Empty(data.At("id")) || data.Len() != 1):
		return nil, refused
	}
	var ids []int64
	for _, entry := range entries {
		id := int64(0)
		if data, ok := entry.(*php.Array); ok {
			var err error
			id, err = l.find(ctx, api.Organizers, data, editor)
			if err != nil {
				return nil, err
			}
		} else if php.IsNumeric(entry) {
			id = php.ToInt(entry)
		}
		if id != 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// find is the post that data names by id, or a new one made of data.
func (l *eventLinks) find(ctx context.Context, kind *api.PostKind, data *php.Array, editor *linkedEditor) (int64, error) {
	if id := data.At("id"); !php.Empty(id) {
		return php.ToInt(id), nil
	}
	if php.Empty(data.At(kind.Singular)) {
		return 0, api.Fail("could-not-create-" + kind.Singular)
	}
	l.made = true
	return editor.create(ctx, kind, data.At)
}

// write stores the links with an event. Blocks in its content may name posts as well.
func (l *eventLinks) write(m *rowedit.MetaEdit, content string) {
	if l.venue != 0 {
		// There is one venue: a block that names another one wins.
		l.replace(m, api.Venues.LinkKey, inBlockOrder([]int64{l.venue}, content, api.Venues)[:1])
	}
	l.replace(m, api.Organizers.LinkKey, inBlockOrder(l.organizers, content, api.Organizers))
}

// replace makes ids the links of an event under a key, in this order. It does not touch
// links to missing posts, nor lists that old sites have in one row: the reference removes
// links one by one, by the posts that it finds.
func (l *eventLinks) replace(m *rowedit.MetaEdit, key string, ids []int64) {
	var linked []int64
	for _, raw := range m.All(key) {
		for _, id := range postlink.IDs(raw) {
			if seen := l.existing[id]; seen != 0 && !slices.Contains(linked, seen) {
				linked = append(linked, seen)
			}
		}
	}
	if slices.Equal(linked, ids) {
		return
	}
	for _, id := range linked {
		m.DeleteValue(key, php.ToString(id))
	}
	for _, id := range ids {
		m.Add(key, php.ToString(id))
	}
}

// inBlockOrder puts the ids that blocks of a content name first. Without ids in the request
// blocks link nothing.
func inBlockOrder(ids []int64, content string, kind *api.PostKind) []int64 {
	if len(ids) == 0 {
		return nil
	}
	var all, out []int64
	for _, v := range blockparse.Attributes(content, "tribe/event-"+kind.Singular, kind.Singular) {
		if id := php.ToInt(v); id > 0 {
			all = append(all, id)
		}
	}
	for _, id := range append(all, ids...) {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
