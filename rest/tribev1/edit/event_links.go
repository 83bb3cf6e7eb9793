package edit

import (
	"context"
	"slices"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/blockparse"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sitedb"
)

// eventLinks are the venue and the organizers of an event after the write.
type eventLinks struct {
	// existing maps each existing post that the event linked to before to the id that the reference
	// looks for.
	existing   map[int64]int64
	venue      int64 // 0 for none
	organizers []int64
	// made reports that a venue or organizer was made.
	made bool
}

// readStored finds the existing posts to which an event links.
func (l *eventLinks) readStored(ctx context.Context, tx *sitedb.Tx, place *wpsite.Place, m *rowedit.MetaEdit) error {
	l.existing = map[int64]int64{}
	var ids []int64
	for _, rows := range linkRows(m) {
		for _, raw := range rows {
			ids = append(ids, loader.IDs(raw)...)
		}
	}
	heads, err := tx.Posts.PostHeads(ctx, ids)
	if err != nil {
		return err
	}
	shown := ids
	if showsOldRows(place) && len(ids) > 0 {
		// The reference looks in the rows for the ids that WPML shows at this root.
		groups, err := tx.Posts.PostTranslations(ctx, &place.Site.Languages.Languages, ids)
		if err != nil {
			return err
		}
		shown = i18n.Translate(ids, groups, place.Lang.Root)
	}
	for i, id := range ids {
		if _, ok := heads[id]; ok {
			l.existing[id] = shown[i]
		}
	}
	return nil
}

// namedLinks are the posts of one kind that a request links an event to.
type namedLinks struct {
	kind    *api.PostKind
	entries []namedLink
	// known are the existing posts with the titles of entries that would make a post; see
	// findTitles.
	known []int64
}

// namedLink is an existing post, or the data of a new one.
type namedLink struct {
	id   int64
	data *php.Array
}

// venueOf returns the venue of a request. It refuses forms that the reference accepts only for
// organizers.
func venueOf(v php.Value) (*namedLinks, error) {
	n := &namedLinks{kind: api.Venues}
	if php.Empty(v) {
		return n, nil
	}
	data, isArray := v.(*php.Array)
	switch {
	case !isArray && php.IsNumeric(v):
		n.entries = []namedLink{{id: php.ToInt(v)}}
		return n, nil
	case !isArray || data.IsList():
		return nil, tribev1.Fail("could-not-create-venue")
	}
	return n, n.add(data)
}

// organizersOf returns the organizers of a request, in order. New ones must be in a list.
func organizersOf(v php.Value) (*namedLinks, error) {
	n := &namedLinks{kind: api.Organizers}
	data, isArray := v.(*php.Array)
	if php.Empty(v) || isArray && api.AllEmpty(data) {
		return n, nil
	}
	refused := tribev1.Fail("could-not-create-organizer")
	entries := []php.Value{v}
	switch {
	case !isArray && !php.IsNumeric(v):
		return nil, refused
	case isArray && data.IsList():
		entries = data.Values()
	case isArray && (php.Empty(data.At("id")) || data.Len() != 1):
		return nil, refused
	}
	for _, entry := range entries {
		if data, ok := entry.(*php.Array); ok {
			if err := n.add(data); err != nil {
				return nil, err
			}
		} else if php.IsNumeric(entry) {
			n.entries = append(n.entries, namedLink{id: php.ToInt(entry)})
		}
	}
	return n, nil
}

// add adds the post that data names by id, or a new one with this data.
func (n *namedLinks) add(data *php.Array) error {
	if id := data.At("id"); !php.Empty(id) {
		n.entries = append(n.entries, namedLink{id: php.ToInt(id)})
		return nil
	}
	if php.Empty(data.At(tribev1.Singular(n.kind))) {
		return tribev1.Fail("could-not-create-" + tribev1.Singular(n.kind))
	}
	n.entries = append(n.entries, namedLink{data: data})
	return nil
}

// find looks up the posts that the new ones would duplicate, and refuses those that the user may
// not make.
func (n *namedLinks) find(ctx context.Context, editor *linkedEditor) (err error) {
	var fresh []input
	for _, entry := range n.entries {
		if entry.data != nil {
			fresh = append(fresh, entry.data.At)
		}
	}
	n.known, err = editor.find(ctx, n.kind, fresh...)
	return err
}

// ids returns the ids of the posts, and makes those that do not exist. Equal data make one post.
func (n *namedLinks) ids(ctx context.Context, editor *linkedEditor) (ids []int64, err error) {
	made := map[string]int64{}
	known := n.known
	for _, entry := range n.entries {
		id := entry.id
		if entry.data != nil {
			key := phpserial.Serialize(entry.data)
			if id = made[key]; id == 0 {
				if id, err = n.make(ctx, editor, entry.data.At, known[0], len(made) > 0); err != nil {
					return nil, err
				}
				made[key] = id
			}
			known = known[1:]
		}
		if id != 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// make makes one post. again reports that others have been made since known was looked up.
func (n *namedLinks) make(ctx context.Context, editor *linkedEditor, in input, known int64, again bool) (int64, error) {
	if known == 0 && again {
		found, err := editor.byTitle(ctx, n.kind, in)
		if err != nil {
			return 0, err
		}
		known = found[0]
	}
	return editor.create(ctx, n.kind, in, known)
}

// make makes the posts that a request describes and links to all that it names.
func (l *eventLinks) make(ctx context.Context, venue, organizers *namedLinks, editor *linkedEditor) error {
	venues, err := venue.ids(ctx, editor)
	if err != nil {
		return err
	}
	if len(venues) > 0 {
		l.venue = venues[0]
	}
	l.organizers, err = organizers.ids(ctx, editor)
	l.made = len(venue.known)+len(organizers.known) > 0
	return err
}

// write stores the links with an event. Blocks in its content may name posts as well.
func (l *eventLinks) write(m *rowedit.MetaEdit, content string) {
	switch {
	case l.venue != 0:
		// An event has one venue: a block that names another one wins.
		l.replace(m, api.Venues.LinkKey, inBlockOrder([]int64{l.venue}, content, api.Venues)[:1])
	case blockparse.HasBlocks(content):
		// The reference stores the same venue again, in a new row.
		linked := l.linked(m, api.Venues.LinkKey)
		relink(m, api.Venues.LinkKey, linked, linked)
	}
	l.replace(m, api.Organizers.LinkKey, inBlockOrder(l.organizers, content, api.Organizers))
}

// replace sets the links of an event under a key to ids, in this order. It leaves links to missing
// posts alone, and lists that old sites have in one row, because the reference removes links one by
// one, by the posts that it finds.
func (l *eventLinks) replace(m *rowedit.MetaEdit, key string, ids []int64) {
	if linked := l.linked(m, key); !slices.Equal(linked, ids) {
		relink(m, key, linked, ids)
	}
}

// linked returns the existing posts that an event is linked to under a key.
func (l *eventLinks) linked(m *rowedit.MetaEdit, key string) (ids []int64) {
	for _, raw := range m.All(key) {
		for _, id := range loader.IDs(raw) {
			if seen := l.existing[id]; seen != 0 && !slices.Contains(ids, seen) {
				ids = append(ids, seen)
			}
		}
	}
	return ids
}

// relink replaces the rows of some links by rows of others.
func relink(m *rowedit.MetaEdit, key string, linked, ids []int64) {
	for _, id := range linked {
		m.DeleteValue(key, php.ToString(id))
	}
	for _, id := range ids {
		m.Add(key, php.ToString(id))
	}
}

// inBlockOrder puts the ids that blocks of a content name first. If the request has no ids, blocks
// link nothing.
func inBlockOrder(ids []int64, content string, kind *api.PostKind) []int64 {
	if len(ids) == 0 {
		return nil
	}
	var all, out []int64
	for _, v := range blockparse.Attributes(content, kind.Block, kind.BlockAttribute) {
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
