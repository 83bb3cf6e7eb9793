package edit

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/tribev1/render"
	"calbridge/rest/wprest"
	"calbridge/wpstore/sitedb"
)

// linked has the handlers that write venues, or organizers.
type linked struct {
	render    *render.Shared
	kind      *api.PostKind
	revisions int
}

// create answers POST.
func (h linked) create(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	saved, err := write(ctx, session, r, h.revisions, func(tx *sitedb.Tx) (savedLinked, error) {
		editor := newLinkedEditor(tx, r)
		known, err := editor.find(ctx, h.kind, r.Get)
		if err != nil {
			return savedLinked{}, err
		}
		id, err := editor.create(ctx, h.kind, r.Get, known[0])
		return savedLinked{id, writtenRows{tx, editor.saved, nil}}, err
	})
	if err != nil {
		return nil, err
	}
	return created(h.answer(ctx, session, r, saved))
}

// savedLinked is the result of saving a venue or an organizer.
type savedLinked struct {
	id int64
	writtenRows
}

// update answers POST, PUT and PATCH of one.
func (h linked) update(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	return h.change(ctx, session, r, func(e *linkedEditor, id int64) error { return e.update(ctx, h.kind, id, r.Get) })
}

// delete answers DELETE of one, which moves it to the trash.
func (h linked) delete(ctx context.Context, session *sitedb.Session, r *wprest.Request) (*api.Result, error) {
	return h.change(ctx, session, r, func(e *linkedEditor, id int64) error { return e.trash(ctx, h.kind, id) })
}

// change runs do on the post that the request names, and answers with it.
func (h linked) change(ctx context.Context, session *sitedb.Session, r *wprest.Request, do func(e *linkedEditor, id int64) error) (*api.Result, error) {
	id, err := r.ItemID(ctx, h.kind)
	if err != nil {
		return nil, err
	}
	saved, err := write(ctx, session, r, h.revisions, func(tx *sitedb.Tx) (savedLinked, error) {
		editor := newLinkedEditor(tx, r)
		err := do(editor, id)
		return savedLinked{id, writtenRows{tx, editor.saved, nil}}, err
	})
	if err != nil {
		return nil, err
	}
	return h.answer(ctx, session, r, saved)
}

// answer returns the response with a written post.
func (h linked) answer(ctx context.Context, session *sitedb.Session, r *wprest.Request, saved savedLinked) (*api.Result, error) {
	rows := saved.committed()
	defer session.KeepConnection(ctx)()
	return h.render.For(r.Place, r.Viewer, r.Clock, r.Store).WrittenLinked(ctx, h.kind, saved.id, rows)
}
