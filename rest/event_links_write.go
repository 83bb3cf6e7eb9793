package rest

import (
	"slices"

	"calbridge/rest/api"
	"calbridge/rest/postlink"
	"calbridge/rest/wptext/blockparse"
	"calbridge/wpstore/php"
)

// venueLink is the venue that a request gives to an event, made if it has to be; 0
// for none. The forms that the reference takes for organizers only are refused.
func (w *eventWrite) venueLink() (int64, error) {
	v := w.req.Get(api.Venues.Singular)
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
	if id := data.At("id"); !php.Empty(id) {
		return php.ToInt(id), nil
	}
	if php.Empty(data.At(api.Venues.Singular)) {
		return 0, api.Fail("could-not-create-venue")
	}
	w.madeLinked = true
	return w.createLinked(w.tx, api.Venues, data.At)
}

// organizerLinks are the organizers that a request gives to an event, in order.
// Data of new ones must be in a list.
func (w *eventWrite) organizerLinks() ([]int64, error) {
	v := w.req.Get(api.Organizers.Singular)
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
		id, err := w.organizerLink(entry)
		if err != nil {
			return nil, err
		}
		if id != 0 && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (w *eventWrite) organizerLink(entry php.Value) (int64, error) {
	data, isArray := entry.(*php.Array)
	if !isArray {
		if !php.IsNumeric(entry) {
			return 0, nil
		}
		return php.ToInt(entry), nil
	}
	if id := data.At("id"); !php.Empty(id) {
		return php.ToInt(id), nil
	}
	if php.Empty(data.At(api.Organizers.Singular)) {
		return 0, api.Fail("could-not-create-organizer")
	}
	w.madeLinked = true
	return w.createLinked(w.tx, api.Organizers, data.At)
}

// link makes ids the links of the event under a key, in this order. Links to posts
// that do not exist, and lists that old sites have stored in one row, are left
// alone: the reference removes links one by one, by the posts that it finds.
func (w *eventWrite) link(key string, ids []int64) {
	m := w.edit.Meta
	var linked []int64
	for _, raw := range m.All(key) {
		for _, id := range postlink.IDs(raw) {
			if seen := w.linked[id]; seen != 0 && !slices.Contains(linked, seen) {
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

// findLinked notes which of the posts that the event links to exist.
func (w *eventWrite) findLinked() error {
	w.linked = map[int64]int64{}
	if w.created {
		return nil
	}
	var ids []int64
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		for _, raw := range w.edit.Meta.All(kind.LinkKey) {
			ids = append(ids, postlink.IDs(raw)...)
		}
	}
	heads, err := w.tx.PostHeads(w.ctx, ids)
	if err != nil {
		return err
	}
	shown, err := w.translatedLinks(ids)
	for i, id := range ids {
		if _, ok := heads[id]; ok && err == nil {
			w.linked[id] = shown[i]
		}
	}
	return err
}

// inBlockOrder puts the ids that blocks of the event's content name first, in the
// order of the blocks. Without ids in the request blocks link nothing.
func (w *eventWrite) inBlockOrder(ids []int64, kind *api.PostKind) []int64 {
	if len(ids) == 0 {
		return nil
	}
	var out []int64
	for _, v := range blockparse.Attributes(w.edit.Content, "tribe/event-"+kind.Singular, kind.Singular) {
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
