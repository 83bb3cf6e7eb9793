package sitedb

import (
	"context"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// futureMargin is how far ahead a publication date must be to schedule the post.
const futureMargin = time.Minute

// Save inserts or updates the row as WordPress's wp_insert_post does: filtered
// texts, dates, scheduling, slug, guid, and for an existing post the metadata that
// remembers old slugs and dates, a revision and the counts of its terms. Metadata
// is changed in memory only, see Flush.
func (e *PostEdit) Save(ctx context.Context) error {
	e.Title = strings.Trim(e.Title, " \t\n\r\x00\x0b")
	e.rules.Clean(&e.Post)
	if e.Title == "" && e.Content == "" && e.Excerpt == "" {
		return wpstore.ErrEmptyContent
	}
	if tooLong(e.Title, textSize) || tooLong(e.Excerpt, textSize) {
		return wpstore.ErrTooLong
	}
	e.setDates()
	e.schedule()
	if err := e.setName(ctx); err != nil {
		return err
	}
	if e.stored == nil {
		return e.insert(ctx)
	}
	return e.update(ctx)
}

// textSize is what a column of type text holds, in bytes.
const textSize = 1<<16 - 1

func tooLong(s string, most int) bool { return len(s) > most }

// setDates fills the dates in. Drafts have none in UTC until they are published,
// and those that never had one move to the present with every save.
func (e *PostEdit) setDates() {
	if s := e.stored; s != nil && isDraft(s.Status) && noDate(s.DateGMT) && !(e.DateGiven && e.Status != s.Status) {
		e.Date, e.DateGMT = "", ""
	}
	if noDate(e.Date) {
		e.Date = e.localTime()
		if !noDate(e.DateGMT) {
			e.Date = e.toLocal(e.DateGMT)
		}
	}
	if noDate(e.DateGMT) {
		e.DateGMT = zeroDate
		if !isDraft(e.Status) {
			e.DateGMT = e.toUTC(e.Date)
		}
	}
	e.Modified, e.ModifiedGMT = e.Date, e.DateGMT
	if e.stored != nil {
		e.Modified, e.ModifiedGMT = e.localTime(), e.utcTime()
	}
}

// schedule turns a publication in the future into a scheduled one and a scheduled
// one whose time has come into a publication.
func (e *PostEdit) schedule() {
	if e.Status != "publish" && e.Status != "future" {
		return
	}
	at, err := time.Parse(time.DateTime, e.DateGMT)
	e.Status = "publish"
	if err == nil && at.Sub(e.tx.now) >= futureMargin {
		e.Status = "future"
	}
}

func (e *PostEdit) insert(ctx context.Context) error {
	if e.CommentStatus == "" {
		e.CommentStatus = "closed"
	}
	if e.PingStatus == "" {
		e.PingStatus = "closed"
	}
	var err error
	if e.ID, err = e.tx.insertRow(ctx, "posts.insert", "posts", postColumns(&e.Post)); err != nil {
		return err
	}
	e.Meta = newMetaEdit(e.ID, nil, e.stamp(), trackedType(e.Type))
	if err := e.tx.languages.postCreated(ctx, e); err != nil {
		return err
	}
	var later []column
	if e.Name == "" && !isDraft(e.Status) {
		if e.Name, err = e.tx.uniqueSlug(ctx, formatID(e.ID), e.ID, e.Type); err != nil {
			return err
		}
		later = append(later, column{"post_name", e.Name})
	}
	if e.GUID == "" {
		e.GUID = e.guid()
		later = append(later, column{"guid", e.GUID})
	}
	if err := e.tx.updatePost(ctx, e.ID, later); err != nil {
		return err
	}
	if err := e.assignTerms(ctx); err != nil {
		return err
	}
	if e.Status == "future" {
		if err := e.tx.schedulePublication(ctx, e.ID, e.DateGMT); err != nil {
			return err
		}
	}
	written := e.Post
	e.stored = &written
	return nil
}

// guid is the id that the post keeps: its address if it is published, else one
// that names its number.
func (e *PostEdit) guid() string {
	if e.Status == "publish" || e.Status == "private" {
		return e.rules.Permalink(&e.Post)
	}
	return e.rules.Home + "/?post_type=" + e.Type + "&p=" + formatID(e.ID)
}

func (e *PostEdit) update(ctx context.Context) error {
	old := e.stored
	if e.Name == "" && !isDraft(e.Status) {
		var err error
		if e.Name, err = e.tx.uniqueSlug(ctx, formatID(e.ID), e.ID, e.Type); err != nil {
			return err
		}
	}
	e.GUID = escapeGUID(e.GUID)
	if err := e.tx.updatePost(ctx, e.ID, changedColumns(old, &e.Post)); err != nil {
		return err
	}
	if e.Type == wpstore.EventType {
		if err := e.resaveTags(ctx); err != nil {
			return err
		}
	}
	if err := e.assignTerms(ctx); err != nil {
		return err
	}
	e.noteChanges(old)
	e.rememberOld(old)
	if err := e.tx.languages.postUpdated(ctx, e, old); err != nil {
		return err
	}
	if err := e.publishLinked(ctx); err != nil {
		return err
	}
	if err := e.tx.addRevision(ctx, e.rules, &e.Post); err != nil {
		return err
	}
	if old.Status != e.Status {
		if err := e.tx.recountPost(ctx, e.ID); err != nil {
			return err
		}
	}
	if err := e.reschedule(ctx, old); err != nil {
		return err
	}
	written := e.Post
	e.stored = &written
	return nil
}

func (e *PostEdit) reschedule(ctx context.Context, old *wpstore.Post) error {
	switch {
	case e.Status == "future":
		return e.tx.schedulePublication(ctx, e.ID, e.DateGMT)
	case old.Status == "future" && e.Status != "trash":
		return e.tx.unschedulePublication(ctx, e.ID)
	}
	return nil
}

// noteChanges notes the columns that The Events Calendar keeps account of.
func (e *PostEdit) noteChanges(old *wpstore.Post) {
	for _, f := range []struct{ name, before, after string }{
		{"post_title", old.Title, e.Title}, {"post_content", old.Content, e.Content}, {"post_excerpt", old.Excerpt, e.Excerpt},
		{"post_status", old.Status, e.Status}, {"post_type", old.Type, e.Type},
	} {
		if f.before != f.after {
			e.Meta.Touch(f.name)
		}
	}
	if old.Parent != e.Parent {
		e.Meta.Touch("post_parent")
	}
}

// rememberOld keeps former slugs and dates of a published post, from which
// WordPress redirects.
func (e *PostEdit) rememberOld(old *wpstore.Post) {
	if e.Status != "publish" {
		return
	}
	if old.Name != e.Name {
		e.remember("_wp_old_slug", old.Name, e.Name)
	}
	if before, after := day(old.Date), day(e.Date); before != after {
		e.remember("_wp_old_date", before, after)
	}
}

func (e *PostEdit) remember(key, before, after string) {
	known := e.Meta.All(key)
	contains := func(value string) bool {
		for _, v := range known {
			if v == value {
				return true
			}
		}
		return false
	}
	if before != "" && !contains(before) {
		e.Meta.Add(key, before)
	}
	if contains(after) {
		e.Meta.DeleteValue(key, after)
	}
}

func day(date string) string {
	d, _, _ := strings.Cut(date, " ")
	return d
}

// escapeGUID writes ampersands as WordPress does whenever it updates a post.
func escapeGUID(guid string) string {
	guid = strings.ReplaceAll(strings.ReplaceAll(guid, "&#038;", "&"), "&amp;", "&")
	return strings.ReplaceAll(guid, "&", "&#038;")
}

func (tx *Tx) updatePost(ctx context.Context, id int64, columns []column) error {
	if len(columns) == 0 {
		return nil
	}
	tx.touched.posts[id] = true
	b := sq.Update(tx.table("posts")).Where(sq.Eq{"ID": id})
	for _, c := range columns {
		b = b.Set(c.name, c.value)
	}
	return tx.change(ctx, "posts.update", b)
}
