package edit

import (
	"context"
	"slices"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/sitedb"
)

// events has the handlers that write events.
type events struct {
	render    *render.Shared
	revisions int
	// noTrash reports that DELETE removes events instead of moving them to the trash.
	noTrash bool
}

// create answers POST of an event.
func (h events) create(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	saved, err := write(ctx, session, r, h.revisions, func(tx *sitedb.Tx) (savedEvent, error) {
		p := wpstore.Post{Type: api.Events.PostType, Author: r.Viewer.User.ID, CommentStatus: "closed"}
		if r.Place.Site.OptionText("showComments", "") == "yes" {
			p.CommentStatus = r.Place.Site.Facts.DefaultCommentStatus
		}
		return saveEvent(ctx, tx, r, tx.PostEditor.New(p))
	})
	if err != nil {
		return nil, err
	}
	return created(h.answer(ctx, session, r, saved))
}

// update answers POST, PUT and PATCH of one event. As in the reference, most fields that the
// request lacks are reset.
func (h events) update(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	id, err := r.ItemID(ctx, api.Events)
	if err != nil {
		return nil, err
	}
	saved, err := write(ctx, session, r, h.revisions, func(tx *sitedb.Tx) (savedEvent, error) {
		e, err := lockEvent(ctx, tx, id)
		if err != nil {
			return savedEvent{}, err
		}
		return saveEvent(ctx, tx, r, e)
	})
	if err != nil {
		return nil, err
	}
	return h.answer(ctx, session, r, saved)
}

// delete answers DELETE of one event, which moves it to the trash or, on a site without
// trash, removes it.
func (h events) delete(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	id, err := r.ItemID(ctx, api.Events)
	if err != nil {
		return nil, err
	}
	ownTables := r.Place.Site.Facts.Occurrences
	saved, err := write(ctx, session, r, h.revisions, func(tx *sitedb.Tx) (savedEvent, error) {
		e, err := lockEvent(ctx, tx, id)
		switch {
		case err != nil:
			return savedEvent{}, err
		case e.Status == "trash":
			return savedEvent{}, tribev1.Fail("event-is-in-trash")
		case h.noTrash:
			err = tx.PostEditor.Delete(ctx, e, ownTables)
		default:
			err = trashEvent(ctx, tx.PostEditor, e)
		}
		if err != nil {
			return savedEvent{}, err
		}
		tx.Saved(ownTables)
		return savedEvent{render.Written{ID: id, RefersTo: references(e.Meta)}, writtenRows{tx, e, nil}}, nil
	})
	if err != nil {
		return nil, err
	}
	if h.noTrash { // the reference then looks for the event, to show it
		return nil, tribev1.Fail("event-not-found")
	}
	return h.answer(ctx, session, r, saved)
}

// answer returns the response with a written event.
func (h events) answer(ctx context.Context, session *sitedb.Session, r *wprest.Request, saved savedEvent) (*api.Result, error) {
	saved.Rows, saved.SelfLanguage = saved.committed(), bodyLanguage(r.Place, &r.Params)
	defer session.KeepConnection(ctx)()
	return h.render.For(r.Place, r.Viewer, r.Clock, r.Store).WrittenEvent(ctx, saved.Written)
}

// lockEvent reads and locks the event that a request names.
func lockEvent(ctx context.Context, tx *sitedb.Tx, id int64) (*wpedit.PostEdit, error) {
	e, err := tx.PostEditor.Edit(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return nil, tribev1.Fail("rest-event-not-found", "id", strconv.FormatInt(id, 10))
	case e.Type != api.Events.PostType:
		return nil, tribev1.Fail("rest-invalid-event-id")
	}
	return e, nil
}

// ignoredOrigins are importers whose events are ignored instead of trashed, so that the next
// import does not bring them back.
var ignoredOrigins = []string{"event-aggregator", "facebook-importer", "ical-importer"}

// trashEvent moves an event to the trash, with its metadata.
func trashEvent(ctx context.Context, posts *wpedit.Posts, e *wpedit.PostEdit) error {
	e.Meta.Update("_tribe_ignored_event_previous_status", e.Status)
	status := "trash"
	if origin, _ := e.Meta.First(api.Events.OriginKey); slices.Contains(ignoredOrigins, origin) {
		status = "tribe-ignored"
	}
	if err := posts.Trash(ctx, e, status); err != nil {
		return err
	}
	return posts.Flush(ctx, e)
}
