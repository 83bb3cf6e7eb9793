package sitedb

import (
	"context"
	"database/sql"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// PostRules is what saving a post depends on besides the row: the site and the
// user who saves. All of it is the same for a whole request.
type PostRules struct {
	// Zone is the zone of the site's clock, by which dates without a zone are
	// meant; WordPress's own, which may differ from the calendar's.
	Zone *time.Location
	// Home is the URL that ids of revisions and unpublished posts begin with.
	Home string
	// Revisions is how many revisions of a post are kept: 0 all, less than 0 none.
	Revisions int
	// UserID saves; revisions are signed with it.
	UserID int64
	// MayPublish says whether the user may publish posts of a type.
	MayPublish func(postType string) bool
	// Permalink is the address of a published or private post as the user sees it.
	Permalink func(*wpstore.Post) string
	// Clean filters title, content and excerpt by what the user may write. It is
	// run on every save, on stored texts as well.
	Clean func(*wpstore.Post)
	// Slug makes a slug of a text: sanitize_title.
	Slug func(text string) string
}

// PostEdit is one post while a request changes it. Its fields are set to what
// shall be; Save and Flush write them with all that WordPress does along.
type PostEdit struct {
	wpstore.Post
	Meta *MetaEdit

	// DateGiven says that the request names the publication date, which then also
	// counts for a draft that is being published.
	DateGiven bool
	// Terms replace the post's terms, taxonomy by taxonomy, with the row.
	Terms []PostTermSet

	// trashing says that the save is part of moving the post to the trash.
	trashing bool

	tx     *Tx
	rules  *PostRules
	stored *wpstore.Post // as it is in the table; nil for a new one
}

// Stored is the row as it was before the edit, nil for a new post.
func (e *PostEdit) Stored() *wpstore.Post { return e.stored }

// NewPost starts a post that does not exist yet. Empty dates mean now; an empty
// slug comes from the title, except for drafts.
func (tx *Tx) NewPost(rules *PostRules, p wpstore.Post) *PostEdit {
	return &PostEdit{Post: p, tx: tx, rules: rules}
}

// EditPosts reads posts with all their metadata and keeps both from changing
// until the transaction ends. Ids without a row are absent. Two queries.
func (tx *Tx) EditPosts(ctx context.Context, rules *PostRules, ids ...int64) (map[int64]*PostEdit, error) {
	posts, err := tx.lockPosts(ctx, ids)
	if err != nil || len(posts) == 0 {
		return nil, err
	}
	meta, err := tx.lockMeta(ctx, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[int64]*PostEdit, len(posts))
	for id, p := range posts {
		e := &PostEdit{Post: *p, tx: tx, rules: rules, stored: p}
		e.Meta = newMetaEdit(id, meta[id], e.stamp(), trackedType(p.Type))
		found[id] = e
	}
	return found, nil
}

// EditPost is EditPosts for one post; nil when there is none.
func (tx *Tx) EditPost(ctx context.Context, rules *PostRules, id int64) (*PostEdit, error) {
	found, err := tx.EditPosts(ctx, rules, id)
	return found[id], err
}

func (tx *Tx) lockPosts(ctx context.Context, ids []int64) (map[int64]*wpstore.Post, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	// The lock is taken on the key alone, so that the columns are listed once.
	err := tx.query(ctx, "posts.lock", sq.Select("ID").From(tx.table("posts")).
		Where(idList("ID", distinctIDs(ids))).OrderBy("ID").Suffix(tx.d.forUpdate()), func(*sql.Rows) error { return nil })
	if err != nil {
		return nil, err
	}
	return tx.Posts(ctx, ids)
}

// stamp is the time that bookkeeping notes: Unix time shifted to the site's clock.
func (e *PostEdit) stamp() int64 {
	_, offset := e.tx.now.In(e.rules.Zone).Zone()
	return e.tx.now.Unix() + int64(offset)
}

// Flush writes the metadata.
func (e *PostEdit) Flush(ctx context.Context) error {
	e.tx.languages.metaChanged(e)
	return e.tx.writeMeta(ctx, e.Meta)
}

// isDraft says whether a status is one of those whose posts have no fixed date
// and no reserved slug yet.
func isDraft(status string) bool {
	return status == "draft" || status == "pending" || status == "auto-draft"
}

// zeroDate is how WordPress stores a date that is not set.
const zeroDate = "0000-00-00 00:00:00"

func noDate(date string) bool { return date == "" || date == zeroDate }

// localTime and utcTime are the present as stored dates.
func (e *PostEdit) localTime() string { return e.tx.now.In(e.rules.Zone).Format(time.DateTime) }

func (e *PostEdit) utcTime() string { return e.tx.now.UTC().Format(time.DateTime) }

// toUTC and toLocal convert stored dates; what is no date becomes zero.
func (e *PostEdit) toUTC(local string) string { return convertDate(local, e.rules.Zone, time.UTC) }

func (e *PostEdit) toLocal(utc string) string { return convertDate(utc, time.UTC, e.rules.Zone) }

func convertDate(date string, from, to *time.Location) string {
	t, err := time.ParseInLocation(time.DateTime, date, from)
	if err != nil {
		return zeroDate
	}
	return t.In(to).Format(time.DateTime)
}
