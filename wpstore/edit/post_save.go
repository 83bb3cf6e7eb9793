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
func (p *Posts) Save(ctx context.Context, e *PostEdit) error { return p.newSave(e).run(ctx) }

// Check refuses a post whose texts Save would refuse.
func (p *Posts) Check(post wpstore.Post) error { return p.newSave(p.New(post)).clean() }

// save is one save of a post.
type save struct {
	posts *Posts
	post  *PostEdit

	// trashing reports that the save is part of moving the post to the trash. comments are then the
	// statuses of the post's comments, by id.
	trashing bool
	comments *php.Array

	// added are the term_taxonomy ids of terms that the save gives the post, set the terms that it
	// sets.
	added []int64
	set   []rowedit.SetTerms
}

func (p *Posts) newSave(e *PostEdit) *save { return &save{posts: p, post: e} }

func (s *save) run(ctx context.Context) error {
	if err := s.clean(); err != nil {
		return err
	}
	s.setDates()
	s.schedule()
	if err := s.setName(ctx); err != nil {
		return err
	}
	s.posts.posts.Encode(&s.post.Post) // after the slug is made
	if s.tooLong() {                   // references take more bytes than their characters
		return wpstore.ErrTooLong
	}
	s.posts.published(s.post.Type, s.post.Status)
	if s.post.stored == nil {
		return s.insert(ctx)
	}
	s.posts.published(s.post.stored.Type, s.post.stored.Status)
	return s.update(ctx)
}

// published marks the transaction as one of a public event, if a post of this type and status is one.
func (p *Posts) published(postType, status string) {
	if postType == wpstore.EventType && status == "publish" {
		p.rows.Published = true
	}
}

// clean filters the texts.
func (s *save) clean() error {
	s.post.Title = php.Trim(s.post.Title)
	s.posts.rules.Clean(&s.post.Post)
	if s.post.Title == "" && s.post.Content == "" && s.post.Excerpt == "" {
		return wpstore.ErrEmptyContent
	}
	if s.tooLong() {
		return wpstore.ErrTooLong
	}
	return nil
}

func (s *save) tooLong() bool { return max(len(s.post.Title), len(s.post.Excerpt)) > textSize }

// textSize is what a column of type text holds, in bytes.
const textSize = 1<<16 - 1

// assignTerms gives the post its new terms.
func (s *save) assignTerms(ctx context.Context) error {
	stored := int64(0)
	if s.post.stored != nil {
		stored = s.post.ID
	}
	for i := range s.post.Terms {
		var err error
		if s.post.Terms[i].IDs, err = s.posts.languages.TermsOfPost(ctx, stored, s.post.Terms[i].Taxonomy, s.post.Terms[i].IDs); err != nil {
			return err
		}
	}
	changed, added, set, err := s.posts.terms.assign(ctx, s.post.ID, s.post.stored == nil && s.post.bare, s.counted, s.post.Terms...)
	if err != nil {
		return err
	}
	s.added, s.set = added, set
	if s.post.stored == nil {
		s.post.all, s.post.termsKnown = added, s.post.bare
	}
	for _, taxonomy := range changed {
		s.post.Meta.TouchTaxonomy(taxonomy, s.posts.rows.Now.Unix())
	}
	s.post.Terms = nil
	return nil
}

// counted reports whether the post counted among those of its terms before this save, and
// counts now, as 1 or 0.
func (s *save) counted(taxonomy string) (was, is int64) {
	if s.post.stored != nil && rowedit.Counted(taxonomy, s.post.stored.Type, s.post.stored.Status) {
		was = 1
	}
	if rowedit.Counted(taxonomy, s.post.Type, s.post.Status) {
		is = 1
	}
	return was, is
}

// setDates fills in the dates. Drafts have no UTC date until they are published; until
// then every save moves them to the present.
func (s *save) setDates() {
	if old := s.post.stored; old != nil && isDraft(old.Status) && noDate(old.DateGMT) && !(s.post.DateGiven && s.post.Status != old.Status) {
		s.post.Date, s.post.DateGMT = "", ""
	}
	if noDate(s.post.Date) {
		s.post.Date = s.posts.rows.LocalTime()
		if !noDate(s.post.DateGMT) {
			s.post.Date = toLocal(s.post.DateGMT, s.posts.rows.Zone)
		}
	}
	if noDate(s.post.DateGMT) {
		s.post.DateGMT = wpstore.NoDate
		if !isDraft(s.post.Status) {
			s.post.DateGMT = toUTC(s.post.Date, s.posts.rows.Zone)
		}
	}
	s.post.Modified, s.post.ModifiedGMT = s.post.Date, s.post.DateGMT
	if s.post.stored != nil {
		s.post.Modified, s.post.ModifiedGMT = s.posts.rows.LocalTime(), s.posts.rows.UTCTime()
	}
}

// schedule makes a post that is published in the future a scheduled one, and a scheduled
// post whose time has come a published one.
func (s *save) schedule() {
	if s.post.Status != "publish" && s.post.Status != "future" {
		return
	}
	at, err := time.Parse(time.DateTime, s.post.DateGMT)
	s.post.Status = "publish"
	if err == nil && at.Sub(s.posts.rows.Now) >= futureMargin {
		s.post.Status = "future"
	}
}

func (s *save) insert(ctx context.Context) error {
	s.post.CommentStatus, s.post.PingStatus = cmp.Or(s.post.CommentStatus, "closed"), cmp.Or(s.post.PingStatus, "closed")
	makesGUID := s.post.GUID == ""
	if makesGUID {
		s.post.GUID = s.guid() // as it remains, unless it has the id or depends on what is written below
	}
	if err := s.insertRow(ctx); err != nil {
		return err
	}
	var err error
	if s.post.Meta, err = s.posts.posts.Metas.New(ctx, s.post.ID, s.post.Type, s.post.bare); err != nil {
		return err
	}
	if err := s.posts.languages.PostCreated(ctx, &s.post.Post, s.post.bare); err != nil {
		return err
	}
	var later []rowedit.Column
	if s.post.Name == "" {
		if err := s.nameByID(ctx); err != nil {
			return err
		}
		if s.post.Name != "" {
			later = rowedit.Columns("post_name", s.post.Name)
		}
	}
	if guid := s.guid(); makesGUID && guid != s.post.GUID {
		s.post.GUID = guid
		later = append(later, rowedit.Columns("guid", s.post.GUID)...)
	}
	if err := s.posts.posts.Set(ctx, s.post.ID, later); err != nil {
		return err
	}
	if err := s.assignTerms(ctx); err != nil {
		return err
	}
	if !s.post.bare && s.post.Type == wpstore.EventType { // it may have kept terms of its predecessor
		if err := s.recount(ctx, nil); err != nil {
			return err
		}
	}
	s.posts.rows.Changed.Save(rowedit.Save{Function: rowedit.InsertPost, ID: s.post.ID, OldStatus: "new", Status: s.post.Status, Terms: s.set})
	if s.post.Status == "future" {
		s.publishAt()
	}
	s.post.stored = new(s.post.Post)
	return nil
}

// recount counts the terms of a post whose status has changed. terms are all that it has, nil if
// they were not read.
func (s *save) recount(ctx context.Context, terms rowedit.TermsOfPost) error {
	if terms == nil {
		terms = rowedit.TermsOfPost{}
		b := sqlconn.NewBatch(s.posts.rows.Runner)
		s.posts.terms.terms.QueueOfPost(b, s.post.ID, terms)
		if err := b.Send(ctx); err != nil {
			return err
		}
	}
	s.posts.terms.terms.RecountPost(terms, func(taxonomy string, term int64) int64 {
		if slices.Contains(s.added, term) {
			return 0
		}
		was, is := s.counted(taxonomy)
		return is - was
	})
	return nil
}

// insertRow adds the row, and finds out whether other rows have its id already: those of a
// post that was removed by hand, where the server has given the id again.
func (s *save) insertRow(ctx context.Context) (err error) {
	rows, columns := s.posts.rows, rowedit.PostColumns(&s.post.Post)
	used := rows.Known.Used()
	if used == 0 {
		used, err = s.insertReadingUsed(ctx, columns)
	} else {
		s.post.ID, err = rows.Add(ctx, "posts.insert", "posts", columns)
	}
	s.post.bare = err == nil && s.post.ID > used
	s.posts.slugs.expected = wpstore.PostName{} // this post may have it
	return err
}

// insertReadingUsed adds the row and reads the greatest id of an object with terms, or of a
// post with metadata or occurrences.
func (s *save) insertReadingUsed(ctx context.Context, columns []rowedit.Column) (used int64, err error) {
	rows, dates := s.posts.rows, s.posts.rules.Occurrences
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
	s.post.ID, err = rows.AddTogether(ctx, "posts.insert", "posts", columns, func(b *sqlconn.Batch) { b.Number("posts.used_ids", query, &used) })
	if err == nil {
		rows.Known.SetUsed(used)
	}
	return used, err
}

// nameByID gives a post without a slug its id for one, unless it is a draft.
func (s *save) nameByID(ctx context.Context) (err error) {
	if s.post.Name == "" && !isDraft(s.post.Status) {
		s.post.Name, err = s.posts.slugs.unique(ctx, strconv.FormatInt(s.post.ID, 10), s.storedName(), s.post.ID, s.post.Type)
	}
	return err
}

// guid returns the permanent id of the post: its address if it is published, else a URL with
// its number.
func (s *save) guid() string {
	if s.post.Status == "publish" || s.post.Status == "private" {
		return s.posts.rules.Permalink(&s.post.Post)
	}
	return s.posts.rules.Home + "/?post_type=" + s.post.Type + "&p=" + strconv.FormatInt(s.post.ID, 10)
}

func (s *save) update(ctx context.Context) error {
	old := s.post.stored
	if err := s.nameByID(ctx); err != nil {
		return err
	}
	s.post.GUID = escapeGUID(s.post.GUID)
	if err := s.posts.posts.Update(ctx, old, &s.post.Post); err != nil {
		return err
	}
	rest, err := s.readRest(ctx)
	if err != nil {
		return err
	}
	if rest.tagsChanged {
		s.post.Meta.TouchTaxonomy(wpstore.TagTaxonomy, s.posts.rows.Now.Unix())
	}
	s.added = nil
	if err := s.assignTerms(ctx); err != nil {
		return err
	}
	s.noteChanges(old)
	s.rememberOld(old)
	if err := s.posts.languages.PostUpdated(ctx, old, &s.post.Post, s.trashing); err != nil {
		return err
	}
	save := s.posts.rows.Changed.Save(rowedit.Save{
		Function: rowedit.UpdatePost, ID: s.post.ID, OldStatus: old.Status, Status: s.post.Status, Before: rowedit.ChangedColumns(old, &s.post.Post), Terms: s.set,
	})
	if s.trashing {
		save.Function = rowedit.TrashPost
	}
	if err := s.posts.publishLinked(ctx, rest.linked, rest.heads); err != nil {
		return err
	}
	if save.Revision, err = s.posts.revisions.add(ctx, &s.post.Post, rest.newest); err != nil {
		return err
	}
	if old.Status != s.post.Status {
		if err := s.recount(ctx, rest.terms); err != nil {
			return err
		}
	}
	switch {
	case s.post.Status == "future":
		s.publishAt()
	case old.Status == "future":
		s.posts.cron.Unschedule(rowedit.PublishHook, php.List(s.post.ID))
	}
	s.post.stored = new(s.post.Post)
	return nil
}

// publishAt makes WordPress's cron publish the post at its date in UTC.
func (s *save) publishAt() {
	if at, err := time.Parse(time.DateTime, s.post.DateGMT); err == nil {
		s.posts.cron.Schedule(rowedit.PublishHook, php.List(s.post.ID), at)
	}
}

// noteChanges records changes of the columns that The Events Calendar tracks.
func (s *save) noteChanges(old *wpstore.Post) {
	for _, f := range []struct{ name, before, after string }{
		{"post_title", old.Title, s.post.Title}, {"post_content", old.Content, s.post.Content}, {"post_excerpt", old.Excerpt, s.post.Excerpt},
		{"post_status", old.Status, s.post.Status}, {"post_type", old.Type, s.post.Type},
	} {
		if f.before != f.after {
			s.post.Meta.Touch(f.name)
		}
	}
	if old.Parent != s.post.Parent {
		s.post.Meta.Touch("post_parent")
	}
}

// rememberOld stores former slugs and dates of a published post, from which WordPress
// redirects.
func (s *save) rememberOld(old *wpstore.Post) {
	if s.post.Status != "publish" {
		return
	}
	if old.Name != s.post.Name {
		s.remember("_wp_old_slug", old.Name, s.post.Name)
	}
	if before, after := day(old.Date), day(s.post.Date); before != after {
		s.remember("_wp_old_date", before, after)
	}
}

func (s *save) remember(key, before, after string) {
	known := s.post.Meta.All(key)
	if before != "" && !slices.Contains(known, before) {
		s.post.Meta.Add(key, before)
	}
	if slices.Contains(known, after) {
		s.post.Meta.DeleteValue(key, after)
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
