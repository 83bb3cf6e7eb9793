package edit

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/tribev1/render/loader"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sitedb"
)

// savedEvent is the result of saving an event.
type savedEvent struct {
	render.Written
	writtenRows
}

// saveEvent updates an event, or creates one without an id, in the order of the reference:
// new terms, venue and organizers first, then the event, its metadata and the tables derived
// from it.
func saveEvent(ctx context.Context, tx *sitedb.Tx, r *wprest.Request, e *wpedit.PostEdit) (savedEvent, error) {
	site, created := r.Place.Site, e.ID == 0
	reader := dateReader{site.Zones, r.Clock.At}
	finder := partsFinder{
		tx: tx, r: r, linked: newLinkedEditor(tx, r),
		terms: eventTerms{tx: tx, place: r.Place, viewer: r.Viewer, in: &r.Params, event: e.ID},
	}
	parts, err := finder.find(ctx, reader, e)
	if err != nil {
		return savedEvent{}, err
	}
	// On a by-slug route the parameter slug identifies the event instead of renaming it.
	renames := created || r.Endpoint.Takes("id")
	if err := setEventRow(e, &r.Params, r.Viewer, site, renames); err != nil {
		return savedEvent{}, err
	}
	if err := tx.PostEditor.Check(e.Post); err != nil {
		return savedEvent{}, err
	}
	if err := finder.make(ctx, parts, e); err != nil {
		return savedEvent{}, err
	}
	e.Date, e.DateGMT = eventPublication(&r.Params, reader, site, parts.zone)
	e.DateGiven = e.Date != "" || e.DateGMT != ""
	if err := saveEventRow(ctx, tx.PostEditor, e, php.ToBool(r.Get("sticky"))); err != nil {
		return savedEvent{}, err
	}

	var before [2][]string
	if !created {
		before = linkRows(e.Meta)
	} else if err := parts.links.readStored(ctx, tx, r.Place, e.Meta); err != nil { // what another event of this id has left
		return savedEvent{}, err
	}
	meta := eventMeta{
		MetaEdit: e.Meta, in: &r.Params, reader: reader, text: metaText(r.Place.Text.TECBlocks), created: created, fixed: site.Compat.Fixed(),
	}
	meta.write(e, parts)
	saved := savedEvent{Written: render.Written{ID: e.ID, RefersTo: references(e.Meta)}}
	if showsOldRows(r.Place) {
		saved.Shown = oldRows(e, before, parts.counts)
	}
	saved.writtenRows = writtenRows{tx, e, nil}
	if created {
		saved.terms = finder.terms.read
	}
	if err := tx.PostEditor.Flush(ctx, e); err != nil {
		return savedEvent{}, err
	}
	if site.Facts.Occurrences {
		if err := tx.Calendar.SyncEvent(ctx, e, reader.instant); err != nil {
			return savedEvent{}, err
		}
	}
	tx.Saved(site.Facts.Occurrences)
	return saved, nil
}

// references returns the ids of the venue, the organizers and the picture of an event.
func references(m *rowedit.MetaEdit) (ids []int64) {
	for _, key := range []string{api.Venues.LinkKey, api.Organizers.LinkKey, "_thumbnail_id"} {
		for _, raw := range m.All(key) {
			ids = append(ids, loader.IDs(raw)...)
		}
	}
	return ids
}

// setEventRow sets the columns of the post that the request names, and its status.
func setEventRow(e *wpedit.PostEdit, in *api.Params, viewer *authz.Viewer, site *wpsite.Site, renames bool) error {
	for name, column := range map[string]*string{"title": &e.Title, "description": &e.Content, "excerpt": &e.Excerpt} {
		if v := in.Text(name); !php.Empty(v) {
			*column = escape.StripSlashes(v)
		}
	}
	if v := in.Text("slug"); !php.Empty(v) && renames {
		e.Name = site.Slug(v)
	}
	if author := php.ToInt(in.Get("author")); author != 0 {
		if !viewer.MayAssign(api.Events, author, e.Author) {
			return viewer.Forbidden()
		}
		e.Author = author
	}
	var current *wpstore.Post
	if e.ID != 0 {
		current = &e.Post
	}
	var err error
	e.Status, err = viewer.Status(in.Get("status"), current)
	return err
}

// saveEventRow writes the row of the post. The reference saves a new sticky one twice.
func saveEventRow(ctx context.Context, posts *wpedit.Posts, e *wpedit.PostEdit, sticky bool) error {
	created := e.ID == 0
	switch {
	case created:
	case sticky:
		e.MenuOrder = -1
	case e.MenuOrder == -1:
		e.MenuOrder = 0
	}
	if err := posts.Save(ctx, e); err != nil || !created || !sticky {
		return err
	}
	e.MenuOrder = -1
	return posts.Save(ctx, e)
}
