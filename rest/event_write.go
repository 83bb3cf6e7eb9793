package rest

import (
	"net/http"
	"slices"
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// eventCreate answers POST of an event.
func (c *call) eventCreate() (*api.Response, error) {
	var id int64
	err := c.write(func(tx *wpstore.Tx) error {
		p := wpstore.Post{Type: api.Events.PostType, Author: c.req.Viewer.User.ID, CommentStatus: "closed"}
		if c.req.Place.Site.OptionText("showComments", "") == "yes" {
			p.CommentStatus = c.req.Place.Site.Facts.DefaultCommentStatus
		}
		w := eventWrite{call: c, tx: tx, edit: tx.NewPost(c.postRules(), p), created: true}
		err := w.run()
		id = w.edit.ID
		return err
	})
	if err != nil {
		return nil, err
	}
	res, err := c.render().WrittenEvent(c.ctx, id, c.answer)
	if err != nil {
		return nil, err
	}
	res.Status = http.StatusCreated
	return res, nil
}

// eventUpdate answers POST, PUT and PATCH of one event. Most of what the request
// leaves out is reset, as in the reference.
func (c *call) eventUpdate() (*api.Response, error) {
	id, err := c.req.ItemID(c.ctx, api.Events)
	if err != nil {
		return nil, err
	}
	err = c.write(func(tx *wpstore.Tx) error {
		e, err := c.editEvent(tx, id)
		if err != nil {
			return err
		}
		return (&eventWrite{call: c, tx: tx, edit: e}).run()
	})
	if err != nil {
		return nil, err
	}
	return c.render().WrittenEvent(c.ctx, id, c.answer)
}

// ignoredOrigins are importers whose events are not trashed but ignored, lest the
// next import brings them back.
var ignoredOrigins = []string{"event-aggregator", "facebook-importer", "ical-importer"}

// eventDelete answers DELETE of one event, which moves it to the trash.
func (c *call) eventDelete() (*api.Response, error) {
	id, err := c.req.ItemID(c.ctx, api.Events)
	if err != nil {
		return nil, err
	}
	err = c.write(func(tx *wpstore.Tx) error {
		e, err := c.editEvent(tx, id)
		if err != nil {
			return err
		}
		if e.Status == "trash" {
			return api.Fail("event-is-in-trash")
		}
		if c.srv.cfg.NoTrash {
			return c.deleteForGood(tx, e)
		}
		e.Meta.Update("_tribe_ignored_event_previous_status", e.Status)
		status := "trash"
		if origin, _ := e.Meta.First(api.Events.OriginKey()); slices.Contains(ignoredOrigins, origin) {
			status = "tribe-ignored"
		}
		if err := e.Trash(c.ctx, status); err != nil {
			return err
		}
		return finishEvent(c, tx, e)
	})
	if err != nil {
		return nil, err
	}
	if c.srv.cfg.NoTrash { // the reference looks for the event to show it
		return nil, api.Fail("event-not-found")
	}
	return c.render().WrittenEvent(c.ctx, id, c.answer)
}

// deleteForGood removes an event with all that belongs to it.
func (c *call) deleteForGood(tx *wpstore.Tx, e *wpstore.PostEdit) error {
	if err := e.Delete(c.ctx, c.req.Place.Site.Facts.Occurrences); err != nil {
		return err
	}
	return c.eventSaved(tx)
}

// editEvent locks the event that a request names.
func (c *call) editEvent(tx *wpstore.Tx, id int64) (*wpstore.PostEdit, error) {
	e, err := tx.EditPost(c.ctx, c.postRules(), id)
	switch {
	case err != nil:
		return nil, err
	case e == nil:
		return nil, api.Fail("rest-event-not-found", "id", strconv.FormatInt(id, 10))
	case e.Type != api.Events.PostType:
		return nil, api.Fail("rest-invalid-event-id")
	}
	return e, nil
}

func finishEvent(c *call, tx *wpstore.Tx, e *wpstore.PostEdit) error {
	if err := e.Flush(c.ctx); err != nil {
		return err
	}
	return c.eventSaved(tx)
}

// eventSaved does what follows every change of an event. Sites that have not moved
// to the calendar's own tables yet keep no range of dates here.
func (c *call) eventSaved(tx *wpstore.Tx) error {
	if c.req.Place.Site.Facts.Occurrences {
		if err := tx.UpdateRange(c.ctx); err != nil {
			return err
		}
	}
	return tx.MarkSaved(c.ctx)
}

// eventWrite is one creation or update of an event.
type eventWrite struct {
	*call
	tx      *wpstore.Tx
	edit    *wpstore.PostEdit
	created bool

	zone  string // name of the event's zone
	image int64  // id of the picture, 0 for none
	dates writtenDates
	// linked are the existing posts that the event linked to before, each with the
	// id that it is looked for by.
	linked map[int64]int64
	// madeLinked: a venue or organizer was made along.
	madeLinked bool
	counts     map[int64]int64
}

// run does everything in the order of the reference: terms, venue and organizers
// that have to be made first, then the event, its metadata and the tables that
// derive from it.
func (w *eventWrite) run() error {
	w.zone = w.eventZoneName()
	var err error
	if w.dates, err = w.readDates(); err != nil {
		return err
	}
	if w.image, err = w.req.Pictures.Attach(w.ctx, w.tx, w.postRules(), w.req.Get("image")); err != nil {
		return err
	}
	if w.edit.Terms, err = w.termSets(); err != nil {
		return err
	}
	if err := w.findLinked(); err != nil {
		return err
	}
	venue, err := w.venueLink()
	if err != nil {
		return err
	}
	organizers, err := w.organizerLinks()
	if err != nil {
		return err
	}
	if err := w.makeTagIDs(); err != nil {
		return err
	}
	if err := w.countTerms(); err != nil {
		return err
	}
	if err := w.savePost(); err != nil {
		return err
	}
	before := w.linksNow()
	w.writeMeta(venue, organizers)
	w.answerOf(before)
	if err := w.edit.Flush(w.ctx); err != nil {
		return err
	}
	if w.req.Place.Site.Facts.Occurrences {
		if err := w.tx.SyncEvent(w.ctx, w.edit, w.instantIn); err != nil {
			return err
		}
	}
	return w.eventSaved(w.tx)
}

// savePost writes the row of the post.
func (w *eventWrite) savePost() error {
	e := w.edit
	if v := w.req.Text("title"); !php.Empty(v) {
		e.Title = escape.StripSlashes(v)
	}
	if v := w.req.Text("description"); !php.Empty(v) {
		e.Content = escape.StripSlashes(v)
	}
	if v := w.req.Text("excerpt"); !php.Empty(v) {
		e.Excerpt = escape.StripSlashes(v)
	}
	// On a route by slug the parameter names the event instead of renaming it.
	if v := w.req.Text("slug"); !php.Empty(v) && (w.created || w.req.Endpoint.Takes("id")) {
		e.Name = w.req.Place.Site.Slug(v)
	}
	if author := php.ToInt(w.req.Get("author")); author != 0 {
		if !w.req.Viewer.MayAssign(api.Events, author, e.Author) {
			return w.req.Viewer.Forbidden()
		}
		e.Author = author
	}
	e.Status = w.req.Viewer.Status(w.req.Get("status"))
	e.Date, e.DateGMT = w.eventPublication()
	e.DateGiven = e.Date != "" || e.DateGMT != ""
	sticky := php.ToBool(w.req.Get("sticky"))
	if !w.created {
		switch {
		case sticky:
			e.MenuOrder = -1
		case e.MenuOrder == -1:
			e.MenuOrder = 0
		}
	}
	if err := e.Save(w.ctx); err != nil {
		return err
	}
	if w.created && sticky { // the reference saves such a post twice
		e.MenuOrder = -1
		return e.Save(w.ctx)
	}
	return nil
}
