package rest

import (
	"errors"
	"net/http"

	"calbridge/rest/api"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// linkedCreate answers POST of a venue or an organizer.
func linkedCreate(kind *api.PostKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		var id int64
		err := c.write(func(tx *wpstore.Tx) (err error) {
			id, err = c.createLinked(tx, kind, c.req.Get)
			return err
		})
		if err != nil {
			return nil, err
		}
		res, err := c.render().WrittenLinked(c.ctx, kind, id)
		if err != nil {
			return nil, err
		}
		res.Status = http.StatusCreated
		return res, nil
	}
}

// linkedUpdate answers POST, PUT and PATCH of one venue or organizer.
func linkedUpdate(kind *api.PostKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		id, err := c.req.ItemID(c.ctx, kind)
		if err != nil {
			return nil, err
		}
		err = c.write(func(tx *wpstore.Tx) error { return c.updateLinked(tx, kind, id) })
		if err != nil {
			return nil, err
		}
		return c.render().WrittenLinked(c.ctx, kind, id)
	}
}

// linkedDelete answers DELETE of one venue or organizer, which moves it to the
// trash.
func linkedDelete(kind *api.PostKind) func(*call) (*api.Response, error) {
	return func(c *call) (*api.Response, error) {
		id, err := c.req.ItemID(c.ctx, kind)
		if err != nil {
			return nil, err
		}
		err = c.write(func(tx *wpstore.Tx) error {
			e, err := c.editLinked(tx, kind, id)
			if err != nil {
				return err
			}
			if e.Status == "trash" {
				return api.Fail(kind.Singular + "-is-in-trash")
			}
			if err := e.Trash(c.ctx, "trash"); err != nil {
				return err
			}
			return c.finishLinked(tx, kind, e, true)
		})
		if err != nil {
			return nil, err
		}
		return c.render().WrittenLinked(c.ctx, kind, id)
	}
}

// input gives the value of a field of a venue or an organizer, nil where there is
// none: that of a request, or of the data inside of an event.
type input func(name string) php.Value

// createLinked makes a venue or an organizer. One that has its title already is
// taken instead, and gets the metadata of the new one.
func (c *call) createLinked(tx *wpstore.Tx, kind *api.PostKind, in input) (int64, error) {
	title, description := php.ToString(in(kind.Singular)), php.ToString(in("description"))
	id, err := tx.LinkedByTitle(c.ctx, kind.PostType, title, description)
	if err != nil {
		return 0, err
	}
	var e *wpstore.PostEdit
	var image int64
	status := c.req.Viewer.Status(in("status"))
	date, dateUTC := c.publication(in)
	if id != 0 {
		if e, err = tx.EditPost(c.ctx, c.postRules(), id); err != nil {
			return 0, err
		}
		if !c.req.Place.Site.Compat.Exact() && !c.req.Viewer.MayEdit(&e.Post) { // known difference S6
			return id, nil
		}
		if image, err = c.req.Pictures.Attach(c.ctx, tx, c.postRules(), in("image")); err != nil {
			return 0, err
		}
	} else {
		e = tx.NewPost(c.postRules(), wpstore.Post{
			Type: kind.PostType, Title: escape.StripSlashes(title), Content: escape.StripSlashes(description), Name: c.req.Place.Site.Slug(title),
			Status: status, Author: c.req.Viewer.User.ID, Date: date, DateGMT: dateUTC,
		})
		if !c.req.Place.Site.Compat.Exact() && !c.req.Viewer.User.Can("edit_"+kind.Caps) { // known difference S5
			return 0, c.req.Viewer.Forbidden()
		}
		if author := php.ToInt(in("author")); author != 0 {
			if !c.req.Viewer.MayAssign(kind, author, e.Author) {
				return 0, c.req.Viewer.Forbidden()
			}
			e.Author = author
		}
		if image, err = c.req.Pictures.Attach(c.ctx, tx, c.postRules(), in("image")); err != nil {
			return 0, err
		}
		err := e.Save(c.ctx)
		if errors.Is(err, wpstore.ErrEmptyContent) {
			return 0, api.Fail("could-not-create-" + kind.Singular)
		}
		if err != nil {
			return 0, err
		}
		e.Meta.AddOnce(kind.OriginKey(), "events-calendar")
	}
	meta := linkedMeta{call: c, kind: kind, meta: e.Meta, in: in, image: image}
	meta.shared()
	meta.created(status, date, dateUTC)
	meta.fields()
	return e.ID, c.finishLinked(tx, kind, e, false)
}

// updateLinked changes what the request names, and what the reference resets when
// it is not named.
func (c *call) updateLinked(tx *wpstore.Tx, kind *api.PostKind, id int64) error {
	e, err := c.editLinked(tx, kind, id)
	if err != nil {
		return err
	}
	in := c.req.Get
	wasTrash := e.Status == "trash"
	if title := php.ToString(in(kind.Singular)); !php.Empty(title) {
		e.Title = escape.StripSlashes(title)
	}
	if description := php.ToString(in("description")); !php.Empty(description) {
		e.Content = escape.StripSlashes(description)
	}
	if author := php.ToInt(in("author")); author != 0 {
		if !c.req.Viewer.MayAssign(kind, author, e.Author) {
			return c.req.Viewer.Forbidden()
		}
		e.Author = author
	}
	date, dateUTC := c.publication(in)
	if date != "" {
		e.Date = date
	}
	if dateUTC != "" {
		e.DateGMT = dateUTC
	}
	e.Status = c.req.Viewer.Status(in("status"))
	image, err := c.req.Pictures.Attach(c.ctx, tx, c.postRules(), in("image"))
	if err != nil {
		return err
	}
	err = e.Save(c.ctx)
	if errors.Is(err, wpstore.ErrEmptyContent) {
		return api.Fail("could-not-update-" + kind.Singular)
	}
	if err != nil {
		return err
	}
	e.Meta.AddOnce(kind.OriginKey(), "events-calendar")
	meta := linkedMeta{call: c, kind: kind, meta: e.Meta, in: in, image: image}
	meta.shared()
	meta.fields()
	return c.finishLinked(tx, kind, e, !wasTrash && e.Status == "trash")
}

// editLinked locks the post that a request names.
func (c *call) editLinked(tx *wpstore.Tx, kind *api.PostKind, id int64) (*wpstore.PostEdit, error) {
	e, err := tx.EditPost(c.ctx, c.postRules(), id)
	if err != nil {
		return nil, err
	}
	if e == nil || e.Type != kind.PostType { // gone since the request was checked
		var refused api.ParamError
		refused.Add(c.req.Place.Words, "id", nil)
		return nil, refused.Err()
	}
	return e, nil
}

// finishLinked writes the metadata and does what follows a save.
func (c *call) finishLinked(tx *wpstore.Tx, kind *api.PostKind, e *wpstore.PostEdit, trashed bool) error {
	if err := e.Flush(c.ctx); err != nil {
		return err
	}
	if trashed {
		if err := tx.Unlink(c.ctx, c.postRules(), e.ID, c.unlinking(kind)); err != nil {
			return err
		}
	}
	return tx.MarkSaved(c.ctx)
}

// unlinking says which events lose a venue or an organizer that is trashed: what
// a list of coming events would show this user on its first page.
func (c *call) unlinking(kind *api.PostKind) wpstore.Unlinking {
	limit := php.ToInt(c.req.Place.Site.Facts.PostsPerPage)
	if limit <= 0 {
		limit = 10
	}
	return wpstore.Unlinking{
		LinkKey: kind.LinkKey, Now: c.req.Clock.At.In(c.req.Place.Site.Zone).Format(api.MySQLTime), Limit: uint64(limit),
		Statuses: []string{"publish", "tribe-ea-success", "tribe-ea-failed", "tribe-ea-schedule", "tribe-ea-pending", "tribe-ea-draft"},
		Private:  []string{"private"}, Reader: c.req.Viewer.User.ID, ReadsAll: c.req.Viewer.User.Can("read_private_" + api.Events.Caps),
		Occurrences: c.req.Place.Site.Facts.Occurrences, OthersStay: c.req.Place.Site.Compat.Fixed(),
		Language: c.req.Place.In(c.req.Place.Site.Languages.Unlinked(c.req.Place.Lang)),
	}
}

// storedText is a text as a meta of a venue or an organizer holds it.
func (c *call) storedText(v php.Value) string {
	text := escape.StripSlashes(sanitize.TextField(php.ToString(v)))
	if c.req.Place.Text.TECBlocks {
		text = sanitize.TextField(text)
	}
	return text
}
