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
	// existing are the existing posts that the event linked to before, each with the id
	// that it is looked for by.
	existing   map[int64]int64
	venue      int64 // 0 for none
	organizers []int64
	// made: a venue or organizer was made along.
	made bool
}

// storedLinks notes which of the posts that an event links to exist.
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
	if remembers(place) && len(ids) > 0 {
		// What WPML shows of them at this root is what the reference looks for in the rows.
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

// read takes the links from a request, and makes the posts that it only describes.
func (l *eventLinks) read(ctx context.Context, in *api.Params, editor *linkedEditor) error {
	var err error
	l.venue, err = l.readVenue(ctx, in.Get(api.Venues.Singular), editor)
	if err != nil {
		return err
	}
	l.organizers, err = l.readOrganizers(ctx, in.Get(api.Organizers.Singular), editor)
	return err
}

// readVenue is the venue of a request, made if it has to be; 0 for none. The forms that
// the reference takes for organizers only are refused.
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

// readOrganizers are the organizers of a request, in order. Data of new ones must be in
// a list.
func (l *eventLinks) readOrganizers(ctx context.Context, v php.Value, editor *linkedEditor) ([]int64, error) {
	data, isArray := v.(*php.Array)
	if php.Empty(v) || isArray && api.AllEmpty(data) {
		return nil, nil
	}
	refused := api.Fail("could-not-create-organizer")
	var entries []php.Value
	switch {
	case !isArray && php.IsNumeric(v):
		entries = []php.Value{v}
	case !isArray:
		return nil, refused
	case data.IsList():
		entries = data.Values()
	default:
		if id := data.At("id"); php.Empty(id) || data.Len() != 1 {
			return nil, refused
		}
		entries = []php.Value{data}
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

// find is the post that data names by id, or one made of the data.
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

// write stores the links with an event. content is the event's text, whose blocks may
// name posts as well.
func (l *eventLinks) write(m *rowedit.MetaEdit, content string) {
	if l.venue != 0 {
		// A venue is one: where a block names another, that one comes first.
		l.replace(m, api.Venues.LinkKey, inBlockOrder([]int64{l.venue}, content, api.Venues)[:1])
	}
	l.replace(m, api.Organizers.LinkKey, inBlockOrder(l.organizers, content, api.Organizers))
}

// replace makes ids the links of an event under a key, in this order. Links to posts
// that do not exist, and lists that old sites have stored in one row, are left alone:
// the reference removes links one by one, by the posts that it finds.
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

// inBlockOrder puts the ids that blocks of a content name first, in the order of the
// blocks. Without ids in the request blocks link nothing.
func inBlockOrder(ids []int64, content string, kind *api.PostKind) []int64 {
	if len(ids) == 0 {
		return nil
	}
	var out []int64
	for _, v := range blockparse.Attributes(content, "tribe/event-"+kind.Singular, kind.Singular) {
		if id := php.ToInt(v); id > 0 && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	for _, id := range ids {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}
