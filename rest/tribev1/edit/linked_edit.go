package edit

import (
	"context"
	"errors"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/picture"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
)

// linkedEditor makes and changes venues and organizers in one transaction.
type linkedEditor struct {
	tx       *sitedb.Tx
	place    *wpsite.Place
	viewer   *authz.Viewer
	pictures *picture.Named
	dates    dateReader
	// saved is the post that was saved last, nil for none.
	saved *wpedit.PostEdit
}

func newLinkedEditor(tx *sitedb.Tx, r *wprest.Request) *linkedEditor {
	return &linkedEditor{tx: tx, place: r.Place, viewer: r.Viewer, pictures: r.Pictures, dates: dateReader{r.Place.Site.Zones, r.Clock.At}}
}

// find returns, for each input of a new venue or organizer, the existing post that it would
// duplicate, 0 for none. Before the first row is written, it refuses posts that the user may not
// make, and posts without any text.
func (l *linkedEditor) find(ctx context.Context, kind *api.PostKind, all ...input) ([]int64, error) {
	for _, in := range all {
		if _, err := l.viewer.Status(in("status"), nil); err != nil {
			return nil, err
		}
	}
	found, err := l.byTitle(ctx, kind, all...)
	if err != nil {
		return nil, err
	}
	for i, in := range all {
		if found[i] != 0 {
			continue
		}
		if !l.place.Site.Compat.Exact() && !l.viewer.User.Can("edit_"+kind.Caps) { // known difference S5
			return nil, l.viewer.Forbidden()
		}
		p, err := l.row(kind, in)
		if err == nil {
			err = saveError(l.tx.PostEditor.Check(p), kind, "could-not-create-")
		}
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// byTitle returns the existing posts that new ones would duplicate.
func (l *linkedEditor) byTitle(ctx context.Context, kind *api.PostKind, all ...input) ([]int64, error) {
	var wanted []wpedit.Titled
	for _, in := range all {
		title := php.ToString(in(tribev1.Singular(kind)))
		wanted = append(wanted, wpedit.Titled{Title: title, Content: php.ToString(in("description")), Slug: l.place.Site.Slug(title)})
	}
	return l.tx.LinkEditor.ByTitle(ctx, kind.PostType, wanted...)
}

// create makes a venue or an organizer and returns its id. If there is one with the same title,
// known, it is used instead, and gets the metadata of the new one.
func (l *linkedEditor) create(ctx context.Context, kind *api.PostKind, in input, known int64) (int64, error) {
	status, err := l.viewer.Status(in("status"), nil)
	if err != nil {
		return 0, err
	}
	var e *wpedit.PostEdit
	var image int64
	if known != 0 {
		e, err = l.tx.PostEditor.Edit(ctx, known)
		if err != nil {
			return 0, err
		}
		if e == nil { // deleted since
			return 0, tribev1.Fail("could-not-create-" + tribev1.Singular(kind))
		}
		if !l.place.Site.Compat.Exact() && !l.viewer.MayEdit(&e.Post) { // known difference S6
			return known, nil
		}
		image, err = l.attach(ctx, in)
	} else {
		e, image, err = l.insert(ctx, kind, in)
	}
	if err != nil {
		return 0, err
	}
	meta := l.meta(kind, e, in)
	meta.writeShared(image)
	date, dateUTC := l.publication(in)
	meta.writeCreated(status, date, dateUTC)
	meta.writeFields()
	return e.ID, l.finish(ctx, e)
}

// row returns the row of a new venue or organizer.
func (l *linkedEditor) row(kind *api.PostKind, in input) (wpstore.Post, error) {
	status, err := l.viewer.Status(in("status"), nil)
	if err != nil {
		return wpstore.Post{}, err
	}
	date, dateUTC := l.publication(in)
	title := php.ToString(in(tribev1.Singular(kind)))
	p := wpstore.Post{
		Type: kind.PostType, Title: escape.StripSlashes(title), Content: escape.StripSlashes(php.ToString(in("description"))), Name: l.place.Site.Slug(title),
		Status: status, Author: l.viewer.User.ID, PostDates: wpstore.PostDates{Date: date, DateGMT: dateUTC},
	}
	return p, l.setAuthor(kind, &p, in)
}

// insert makes the row of a venue or an organizer.
func (l *linkedEditor) insert(ctx context.Context, kind *api.PostKind, in input) (e *wpedit.PostEdit, image int64, err error) {
	p, err := l.row(kind, in)
	if err != nil {
		return nil, 0, err
	}
	image, err = l.attach(ctx, in)
	if err != nil {
		return nil, 0, err
	}
	e = l.tx.PostEditor.New(p)
	return e, image, l.save(ctx, kind, e, "could-not-create-")
}

// update changes the fields in in. The reference resets some of the others.
func (l *linkedEditor) update(ctx context.Context, kind *api.PostKind, id int64, in input) error {
	e, err := l.lock(ctx, kind, id)
	if err != nil {
		return err
	}
	status, err := l.viewer.Status(in("status"), &e.Post)
	if err != nil {
		return err
	}
	wasTrash := e.Status == "trash"
	if title := php.ToString(in(tribev1.Singular(kind))); !php.Empty(title) {
		e.Title = escape.StripSlashes(title)
	}
	if description := php.ToString(in("description")); !php.Empty(description) {
		e.Content = escape.StripSlashes(description)
	}
	if err := l.setAuthor(kind, &e.Post, in); err != nil {
		return err
	}
	date, dateUTC := l.publication(in)
	if date != "" {
		e.Date = date
	}
	if dateUTC != "" {
		e.DateGMT = dateUTC
	}
	e.Status = status
	image, err := l.attach(ctx, in)
	if err != nil {
		return err
	}
	if err := l.save(ctx, kind, e, "could-not-update-"); err != nil {
		return err
	}
	meta := l.meta(kind, e, in)
	meta.writeShared(image)
	meta.writeFields()
	if !wasTrash && e.Status == "trash" {
		return l.finishTrashed(ctx, kind, e)
	}
	return l.finish(ctx, e)
}

// trash moves a venue or an organizer to the trash.
func (l *linkedEditor) trash(ctx context.Context, kind *api.PostKind, id int64) error {
	e, err := l.lock(ctx, kind, id)
	if err != nil {
		return err
	}
	if e.Status == "trash" {
		return tribev1.Fail(tribev1.Singular(kind) + "-is-in-trash")
	}
	if err := l.tx.PostEditor.Trash(ctx, e, "trash"); err != nil {
		return err
	}
	return l.finishTrashed(ctx, kind, e)
}

// lock reads and locks the post that a request names.
func (l *linkedEditor) lock(ctx context.Context, kind *api.PostKind, id int64) (*wpedit.PostEdit, error) {
	e, err := l.tx.PostEditor.Edit(ctx, id)
	if err != nil {
		return nil, err
	}
	if e == nil || e.Type != kind.PostType { // deleted since the request was checked
		var refused api.ParamError
		refused.Add(l.place.Words, "id", nil)
		return nil, refused.Err()
	}
	return e, nil
}

// setAuthor sets the author in in.
func (l *linkedEditor) setAuthor(kind *api.PostKind, p *wpstore.Post, in input) error {
	author := php.ToInt(in("author"))
	if author == 0 {
		return nil
	}
	if !l.viewer.MayAssign(kind, author, p.Author) {
		return l.viewer.Forbidden()
	}
	p.Author = author
	return nil
}

// publication returns the publication date in the site's zone and in UTC, "" without one.
func (l *linkedEditor) publication(in input) (date, dateUTC string) {
	return l.dates.wall(in("date"), l.place.Site.Zone, true), l.dates.utc(in("date_utc"))
}

// attach returns the id of the picture in in, 0 for none.
func (l *linkedEditor) attach(ctx context.Context, in input) (int64, error) {
	return l.pictures.Attach(ctx, &l.tx.Posts, l.tx.PostEditor, in("image"))
}

func (l *linkedEditor) meta(kind *api.PostKind, e *wpedit.PostEdit, in input) *linkedMeta {
	return &linkedMeta{MetaEdit: e.Meta, kind: kind, in: in, text: metaText(l.place.Text.TECBlocks), words: l.place.Words}
}

// save writes the row of the post. refusal is the code for a post without any text, without
// the name of the kind.
func (l *linkedEditor) save(ctx context.Context, kind *api.PostKind, e *wpedit.PostEdit, refusal string) error {
	if err := saveError(l.tx.PostEditor.Save(ctx, e), kind, refusal); err != nil {
		return err
	}
	e.Meta.AddOnce(kind.OriginKey, "events-calendar")
	return nil
}

// saveError turns the error for a post without any text into its public code.
func saveError(err error, kind *api.PostKind, refusal string) error {
	if errors.Is(err, wpstore.ErrEmptyContent) {
		return tribev1.Fail(refusal + tribev1.Singular(kind))
	}
	return err
}

// finish writes the metadata and completes a save.
func (l *linkedEditor) finish(ctx context.Context, e *wpedit.PostEdit) error {
	if err := l.tx.PostEditor.Flush(ctx, e); err != nil {
		return err
	}
	l.saved = e
	l.tx.Saved(false)
	return nil
}

// finishTrashed also removes the links from coming events to a post that goes to the trash.
func (l *linkedEditor) finishTrashed(ctx context.Context, kind *api.PostKind, e *wpedit.PostEdit) error {
	if err := l.tx.PostEditor.Flush(ctx, e); err != nil {
		return err
	}
	if err := l.tx.LinkEditor.Unlink(ctx, e.ID, unlinking(kind, l.place, l.viewer, l.dates.now)); err != nil {
		return err
	}
	l.saved = e
	l.tx.Saved(false)
	return nil
}

// unlinking selects the events that lose their link to a trashed venue or organizer: those on the
// first page of coming events that this user would see.
func unlinking(kind *api.PostKind, place *wpsite.Place, viewer *authz.Viewer, now time.Time) wpedit.Unlinking {
	site := place.Site
	limit := php.ToInt(site.Facts.PostsPerPage)
	if limit <= 0 {
		limit = 10
	}
	return wpedit.Unlinking{
		LinkKey: kind.LinkKey, Now: now.In(site.Zone).Format(api.MySQLTime), Limit: uint64(limit),
		Statuses: []string{"publish", "tribe-ea-success", "tribe-ea-failed", "tribe-ea-schedule", "tribe-ea-pending", "tribe-ea-draft"},
		Private:  []string{"private"}, Reader: viewer.User.ID, ReadsAll: viewer.User.Can("read_private_" + api.Events.Caps),
		May:         viewer.MayUnlink,
		Occurrences: site.Facts.Occurrences, OthersStay: site.Compat.Fixed(),
		Language: place.In(site.Languages.Unlinked(place.Lang)),
	}
}
