package rest

import (
	"errors"
	"net/http"
	"strings"

	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore"
	"calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// linkedCreate answers POST of a venue or an organizer.
func linkedCreate(kind *postKind) handler {
	return func(c *call) (*response, error) {
		var id int64
		err := c.write(func(tx *sitedb.Tx) (err error) {
			id, err = c.createLinked(tx, kind, c.req.get)
			return err
		})
		if err != nil {
			return nil, err
		}
		res, err := c.linkedResponse(kind, id)
		if err != nil {
			return nil, err
		}
		res.status = http.StatusCreated
		return res, nil
	}
}

// linkedUpdate answers POST, PUT and PATCH of one venue or organizer.
func linkedUpdate(kind *postKind) handler {
	return func(c *call) (*response, error) {
		id, err := c.itemID(kind)
		if err != nil {
			return nil, err
		}
		err = c.write(func(tx *sitedb.Tx) error { return c.updateLinked(tx, kind, id) })
		if err != nil {
			return nil, err
		}
		return c.linkedResponse(kind, id)
	}
}

// linkedDelete answers DELETE of one venue or organizer, which moves it to the
// trash.
func linkedDelete(kind *postKind) handler {
	return func(c *call) (*response, error) {
		id, err := c.itemID(kind)
		if err != nil {
			return nil, err
		}
		err = c.write(func(tx *sitedb.Tx) error {
			e, err := c.editLinked(tx, kind, id)
			if err != nil {
				return err
			}
			if e.Status == "trash" {
				return fail(kind.singular + "-is-in-trash")
			}
			if err := e.Trash(c.ctx, "trash"); err != nil {
				return err
			}
			return c.finishLinked(tx, kind, e, true)
		})
		if err != nil {
			return nil, err
		}
		return c.linkedResponse(kind, id)
	}
}

// linkedResponse is the representation of a venue or an organizer as a write
// answers with it: that of lists.
func (c *call) linkedResponse(kind *postKind, id int64) (*response, error) {
	set, err := c.load([]int64{id}, loadPlain)
	if err != nil {
		return nil, err
	}
	p := set.posts[id]
	if p == nil { // somebody else has deleted it since
		return nil, fail(kind.singular + "-not-accessible")
	}
	c.unlocked = true
	w := c.newWriter()
	c.writeLinkedPost(w, set, kind, p, false, c.locked(p))
	return &response{body: w.Bytes()}, nil
}

// input gives the value of a field of a venue or an organizer, nil where there is
// none: that of a request, or of the data inside of an event.
type input func(name string) php.Value

// createLinked makes a venue or an organizer. One that has its title already is
// taken instead, and gets the metadata of the new one.
func (c *call) createLinked(tx *sitedb.Tx, kind *postKind, in input) (int64, error) {
	title, description := php.ToString(in(kind.singular)), php.ToString(in("description"))
	id, err := tx.LinkEditor.ByTitle(c.ctx, kind.postType, title, description)
	if err != nil {
		return 0, err
	}
	var e *edit.PostEdit
	var image int64
	status := c.status(in("status"))
	date, dateUTC := c.publication(in)
	if id != 0 {
		if e, err = tx.PostEditor.Edit(c.ctx, id); err != nil {
			return 0, err
		}
		if !c.exact() && !c.mayEdit(&e.Post) { // known difference S6
			return id, nil
		}
		if image, err = c.pictureID(tx, in("image")); err != nil {
			return 0, err
		}
	} else {
		e = tx.PostEditor.New(wpstore.Post{
			Type: kind.postType, Title: unslash(title), Content: unslash(description), Name: c.slug(title),
			Status: status, Author: c.user.ID, Date: date, DateGMT: dateUTC,
		})
		if !c.exact() && !c.user.Can("edit_"+kind.caps) { // known difference S5
			return 0, c.forbidden()
		}
		if author := php.ToInt(in("author")); author != 0 {
			if !c.mayAssign(kind, author, e.Author) {
				return 0, c.forbidden()
			}
			e.Author = author
		}
		if image, err = c.pictureID(tx, in("image")); err != nil {
			return 0, err
		}
		err := e.Save(c.ctx)
		if errors.Is(err, wpstore.ErrEmptyContent) {
			return 0, fail("could-not-create-" + kind.singular)
		}
		if err != nil {
			return 0, err
		}
		e.Meta.AddOnce(kind.originKey(), "events-calendar")
	}
	meta := linkedMeta{call: c, kind: kind, meta: e.Meta, in: in, image: image}
	meta.shared()
	meta.created(status, date, dateUTC)
	meta.fields()
	return e.ID, c.finishLinked(tx, kind, e, false)
}

// updateLinked changes what the request names, and what the reference resets when
// it is not named.
func (c *call) updateLinked(tx *sitedb.Tx, kind *postKind, id int64) error {
	e, err := c.editLinked(tx, kind, id)
	if err != nil {
		return err
	}
	in := c.req.get
	wasTrash := e.Status == "trash"
	if title := php.ToString(in(kind.singular)); !php.Empty(title) {
		e.Title = unslash(title)
	}
	if description := php.ToString(in("description")); !php.Empty(description) {
		e.Content = unslash(description)
	}
	if author := php.ToInt(in("author")); author != 0 {
		if !c.mayAssign(kind, author, e.Author) {
			return c.forbidden()
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
	e.Status = c.status(in("status"))
	image, err := c.pictureID(tx, in("image"))
	if err != nil {
		return err
	}
	err = e.Save(c.ctx)
	if errors.Is(err, wpstore.ErrEmptyContent) {
		return fail("could-not-update-" + kind.singular)
	}
	if err != nil {
		return err
	}
	e.Meta.AddOnce(kind.originKey(), "events-calendar")
	meta := linkedMeta{call: c, kind: kind, meta: e.Meta, in: in, image: image}
	meta.shared()
	meta.fields()
	return c.finishLinked(tx, kind, e, !wasTrash && e.Status == "trash")
}

// editLinked locks the post that a request names.
func (c *call) editLinked(tx *sitedb.Tx, kind *postKind, id int64) (*edit.PostEdit, error) {
	e, err := tx.PostEditor.Edit(c.ctx, id)
	if err != nil {
		return nil, err
	}
	if e == nil || e.Type != kind.postType { // gone since the request was checked
		var refused paramError
		refused.add(c.wording, "id", nil)
		return nil, refused.err()
	}
	return e, nil
}

// finishLinked writes the metadata and does what follows a save.
func (c *call) finishLinked(tx *sitedb.Tx, kind *postKind, e *edit.PostEdit, trashed bool) error {
	if err := e.Flush(c.ctx); err != nil {
		return err
	}
	if trashed {
		if err := tx.LinkEditor.Unlink(c.ctx, e.ID, c.unlinking(kind)); err != nil {
			return err
		}
	}
	return tx.Calendar.MarkSaved(c.ctx)
}

// unlinking says which events lose a venue or an organizer that is trashed: what
// a list of coming events would show this user on its first page.
func (c *call) unlinking(kind *postKind) edit.Unlinking {
	limit := php.ToInt(c.site.facts.PostsPerPage)
	if limit <= 0 {
		limit = 10
	}
	return edit.Unlinking{
		LinkKey: kind.linkKey, Now: c.now.In(c.site.zone).Format(mysqlTime), Limit: uint64(limit),
		Statuses: []string{"publish", "tribe-ea-success", "tribe-ea-failed", "tribe-ea-schedule", "tribe-ea-pending", "tribe-ea-draft"},
		Private:  []string{"private"}, Reader: c.user.ID, ReadsAll: c.user.Can("read_private_" + eventKind.caps),
		Occurrences: c.site.facts.Occurrences, OthersStay: c.fixed(),
		Language: c.in(c.site.languages.Unlinked(c.lang)),
	}
}

// originKey is the meta key that tells which plugin made a post.
func (k *postKind) originKey() string {
	return "_" + strings.ToUpper(k.singular[:1]) + k.singular[1:] + "Origin"
}

// storedText is a text as a meta of a venue or an organizer holds it.
func (c *call) storedText(v php.Value) string {
	text := unslash(sanitize.TextField(php.ToString(v)))
	if c.text.TECBlocks {
		text = sanitize.TextField(text)
	}
	return text
}
