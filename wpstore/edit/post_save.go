package edit

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// futureMargin is how far ahead a publication date must be to schedule the post.
const futureMargin = time.Minute

// Save inserts or updates the row like WordPress's wp_insert_post: filtered texts, dates,
// scheduling, slug and guid; for an existing post also the metadata of old slugs and
// dates, a revision, and the counts of its terms. Metadata changes in memory only, see
// Flush.
func (e *PostEdit) Save(ctx context.Context) error {
	if err := e.clean(); err != nil {
		return err
	}
	e.setDates()
	e.schedule()
	if err := e.setName(ctx); err != nil {
		return err
	}
	e.posts.posts.Encode(&e.Post) // after the slug is made
	if e.tooLong() {              // references take more bytes than their characters
		return wpstore.ErrTooLong
	}
	if e.stored == nil {
		return e.insert(ctx)
	}
	return e.update(ctx)
}

// Check refuses a post whose texts Save would refuse.
func (p *Posts) Check(post wpstore.Post) error { return p.New(post).clean() }

// clean filters the texts.
func (e *PostEdit) clean() error {
	e.Title = php.Trim(e.Title)
	e.posts.rules.Clean(&e.Post)
	if e.Title == "" && e.Content == "" && e.Excerpt == "" {
		return wpstore.ErrEmptyContent
	}
	if e.tooLong() {
		return wpstore.ErrTooLong
	}
	return nil
}

func (e *PostEdit) tooLong() bool { return max(len(e.Title), len(e.Excerpt)) > textSize }

// textSize is what a column of type text holds, in bytes.
const textSize = 1<<16 - 1

// assignTerms gives the post its new terms.
func (e *PostEdit) assignTerms(ctx context.Context) error {
	stored := int64(0)
	if e.stored != nil {
		stored = e.ID
	}
	for i := range e.Terms {
		var err error
		if e.Terms[i].IDs, err = e.posts.languages.TermsOfPost(ctx, stored, e.Terms[i].Taxonomy, e.Terms[i].IDs); err != nil {
			return err
		}
	}
	changed, added, set, err := e.posts.terms.assign(ctx, e.ID, e.bare, e.counted, e.Terms...)
	if err != nil {
		return err
	}
	e.added, e.set = added, set
	if e.stored == nil {
		e.all, e.termsKnown = added, e.bare
	}
	for _, taxonomy := range changed {
		e.Meta.TouchTaxonomy(taxonomy, e.posts.rows.Now.Unix())
	}
	e.Terms = nil
	return nil
}

// counted reports whether the post counted among those of its terms before this save, and
// counts now, as 1 or 0.
func (e *PostEdit) counted(taxonomy string) (was, is int64) {
	if e.stored != nil && rowedit.Counted(taxonomy, e.stored.Type, e.stored.Status) {
		was = 1
	}
	if rowedit.Counted(taxonomy, e.Type, e.Status) {
		is = 1
	}
	return was, is
}

// setDates fills in the dates. Drafts have no UTC date until they are published; until
// then every save moves them to the present.
func (e *PostEdit) setDates() {
	if s := e.stored; s != nil && isDraft(s.Status) && noDate(s.DateGMT) && !(e.DateGiven && e.Status != s.Status) {
		e.Date, e.DateGMT = "", ""
	}
	if noDate(e.Date) {
		e.Date = e.posts.rows.LocalTime()
		if !noDate(e.DateGMT) {
			e.Date = toLocal(e.DateGMT, e.posts.rows.Zone)
		}
	}
	if noDate(e.DateGMT) {
		e.DateGMT = wpstore.NoDate
		if !isDraft(e.Status) {
			e.DateGMT = toUTC(e.Date, e.posts.rows.Zone)
		}
	}
	e.Modified, e.ModifiedGMT = e.Date, e.DateGMT
	if e.stored != nil {
		e.Modified, e.ModifiedGMT = e.posts.rows.LocalTime(), e.posts.rows.UTCTime()
	}
}

// schedule makes a post that is published in the future a scheduled one, and a scheduled
// post whose time has come a published one.
func (e *PostEdit) schedule() {
	if e.Status != "publish" && e.Status != "future" {
		return
	}
	at, err := time.Parse(time.DateTime, e.DateGMT)
	e.Status = "publish"
	if err == nil && at.Sub(e.posts.rows.Now) >= futureMargin {
		e.Status = "future"
	}
}

func (e *PostEdit) insert(ctx context.Context) error {
	e.CommentStatus, e.PingStatus = cmp.Or(e.CommentStatus, "closed"), cmp.Or(e.PingStatus, "closed")
	makesGUID := e.GUID == ""
	if makesGUID {
		e.GUID = e.guid() // as it remains, unless it has the id or depends on what is written below
	}
	if err := e.insertRow(ctx); err != nil {
		return err
	}
	var err error
	if e.Meta, err = e.posts.posts.Metas.New(ctx, e.ID, e.Type, e.bare); err != nil {
		return err
	}
	if err := e.posts.languages.PostCreated(ctx, &e.Post, e.bare); err != nil {
		return err
	}
	var later []rowedit.Column
	if e.Name == "" {
		if err := e.nameByID(ctx); err != nil {
			return err
		}
		if e.Name != "" {
			later = rowedit.Columns("post_name", e.Name)
		}
	}
	if guid := e.guid(); makesGUID && guid != e.GUID {
		e.GUID = guid
		later = append(later, rowedit.Columns("guid", e.GUID)...)
	}
	if err := e.posts.posts.Set(ctx, e.ID, later); err != nil {
		return err
	}
	if err := e.assignTerms(ctx); err != nil {
		return err
	}
	if !e.bare && e.Type == wpstore.EventType { // it may have kept terms of its predecessor
		if err := e.recount(ctx, nil); err != nil {
			return err
		}
	}
	e.posts.rows.Changed.Save(rowedit.Save{Function: rowedit.InsertPost, ID: e.ID, OldStatus: "new", Status: e.Status, Terms: e.set})
	if e.Status == "future" {
		e.publishAt()
	}
	e.stored = new(e.Post)
	return nil
}

// recount counts the terms of a post whose status has changed. terms are all that it has, nil if
// they were not read.
func (e *PostEdit) recount(ctx context.Context, terms rowedit.TermsOfPost) error {
	if terms == nil {
		terms = rowedit.TermsOfPost{}
		b := sqlconn.NewBatch(e.posts.rows.Runner)
		e.posts.terms.terms.QueueOfPost(b, e.ID, terms)
		if err := b.Send(ctx); err != nil {
			return err
		}
	}
	e.posts.terms.terms.RecountPost(terms, func(taxonomy string, term int64) int64 {
		if slices.Contains(e.added, term) {
			return 0
		}
		was, is := e.counted(taxonomy)
		return is - was
	})
	return nil
}

// insertRow adds the row, and finds out whether other rows have its id already: those of a
// post that was removed by hand, where the server has given the id again.
func (e *PostEdit) insertRow(ctx context.Context) (err error) {
	rows, columns := e.posts.rows, rowedit.PostColumns(&e.Post)
	used := rows.Known.Used()
	if used == 0 {
		used, err = insertReadingUsed(ctx, e, columns)
	} else {
		e.ID, err = rows.Add(ctx, "posts.insert", "posts", columns)
	}
	e.bare = err == nil && e.ID > used
	e.posts.slugs.expected = wpstore.PostName{} // this post may have it
	return err
}

// insertReadingUsed adds the row and reads the greatest id of an object with terms, or of a
// post with metadata or occurrences.
func insertReadingUsed(ctx context.Context, e *PostEdit, columns []rowedit.Column) (used int64, err error) {
	rows, dates := e.posts.rows, e.posts.rules.Occurrences
	query, err := rows.Templates().Once("posts.used_ids", strconv.FormatBool(dates), func() sq.Sqlizer {
		greatest := func(column, table string) string {
			return "(SELECT COALESCE(MAX(" + column + "), 0) FROM " + rows.Table(table) + ")"
		}
		all := []string{greatest("object_id", "term_relationships"), greatest("post_id", "postmeta")}
		if dates {
			all = append(all, greatest("post_id", "tec_occurrences"))
		}
		return sq.Select(rows.Dialect().Greatest(all...))
	})
	if err != nil {
		return 0, err
	}
	e.ID, err = rows.AddTogether(ctx, "posts.insert", "posts", columns, func(b *sqlconn.Batch) { b.Number("posts.used_ids", query, &used) })
	if err == nil {
		rows.Known.SetUsed(used)
	}
	return used, err
}

// nameByID gives a post without a slug its id for one, unless it is a draft.
func (e *PostEdit) nameByID(ctx context.Context) (err error) {
	if e.Name == "" && !isDraft(e.Status) {
		e.Name, err = e.posts.slugs.unique(ctx, strconv.FormatInt(e.ID, 10), e.storedName(), e.ID, e.Type)
	}
	return err
}

// guid returns the permanent id of the post: its address if it is published, else a URL with
// its number.
func (e *PostEdit) guid() string {
	if e.Status == "publish" || e.Status == "private" {
		return e.posts.rules.Permalink(&e.Post)
	}
	return e.posts.rules.Home + "/?post_type=" + e.Type + "&p=" + strconv.FormatInt(e.ID, 10)
}

func (e *PostEdit) update(ctx context.Context) error {
	old := e.stored
	if err := e.nameByID(ctx); err != nil {
		return err
	}
	e.GUID = escapeGUID(e.GUID)
	if err := e.posts.posts.Update(ctx, old, &e.Post); err != nil {
		return err
	}
	rest, err := e.readRest(ctx)
	if err != nil {
		return err
	}
	if rest.tagsChanged {
		e.Meta.TouchTaxonomy(wpstore.TagTaxonomy, e.posts.rows.Now.Unix())
	}
	e.added = nil
	if err := e.assignTerms(ctx); err != nil {
		return err
	}
	e.noteChanges(old)
	e.rememberOld(old)
	if err := e.posts.languages.PostUpdated(ctx, old, &e.Post, e.trashing); err != nil {
		return err
	}
	save := e.posts.rows.Changed.Save(rowedit.Save{
		Function: rowedit.UpdatePost, ID: e.ID, OldStatus: old.Status, Status: e.Status, Before: rowedit.ChangedColumns(old, &e.Post), Terms: e.set,
	})
	if e.trashing {
		save.Function = rowedit.TrashPost
	}
	if err := e.posts.publishLinked(ctx, rest.linked, rest.heads); err != nil {
		return err
	}
	if save.Revision, err = e.posts.revisions.add(ctx, &e.Post, rest.newest); err != nil {
		return err
	}
	if old.Status != e.Status {
		if err := e.recount(ctx, rest.terms); err != nil {
			return err
		}
	}
	switch {
	case e.Status == "future":
		e.publishAt()
	case old.Status == "future":
		e.posts.cron.Unschedule(rowedit.PublishHook, php.List(e.ID))
	}
	e.stored = new(e.Post)
	return nil
}

// publishAt makes WordPress's cron publish the post at its date in UTC.
func (e *PostEdit) publishAt() {
	if at, err := time.Parse(time.DateTime, e.DateGMT); err == nil {
		e.posts.cron.Schedule(rowedit.PublishHook, php.List(e.ID), at)
	}
}

// noteChanges records changes of the columns that The Events Calendar tracks.
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

// rememberOld stores former slugs and dates of a published post, from which WordPress
// redirects.
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
	if before != "" && !slices.Contains(known, before) {
		e.Meta.Add(key, before)
	}
	if slices.Contains(known, after) {
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
