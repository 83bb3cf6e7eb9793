package edit

import (
	"context"
	"strconv"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// Links edits the links of events to venues and organizers.
type Links struct {
	rows    *rowedit.Rows
	posts   rowedit.Posts
	plugins langplugin.Plugins
}

// NewLinks returns the editor of links of one transaction.
func NewLinks(rows *rowedit.Rows, posts PostReader, plugins langplugin.Plugins) *Links {
	return &Links{rows: rows, posts: rowedit.Posts{Rows: rows, Metas: rowedit.Metas{Rows: rows}, Read: posts}, plugins: plugins}
}

// Titled is what a new venue or organizer is compared by with those that exist. Slug is
// that of the title.
type Titled struct{ Title, Content, Slug string }

// ByTitle returns for each new venue or organizer the one that it would duplicate: the
// first outside of the trash with the same title and, unless it is "", the same content
// under the collation. 0 means none. It locks the slugs of the titles, so that no other
// transaction makes one.
func (l *Links) ByTitle(ctx context.Context, postType string, wanted ...Titled) ([]int64, error) {
	found := make([]int64, len(wanted))
	var names []wpstore.PostName
	for _, w := range wanted {
		names = append(names, wpstore.PostName{Type: postType, Slug: w.Slug})
	}
	if err := l.rows.Locks.Names(ctx, names...); err != nil {
		return nil, err
	}
	query := sq.Select()
	var targets []any
	for i, w := range wanted {
		if !sqlconn.Searchable(w.Title) || !sqlconn.Searchable(w.Content) {
			continue
		}
		first := sq.Select("MIN(ID)").From(l.rows.Table("posts")).
			Where(sq.Eq{"post_type": postType, "post_title": w.Title}).
			Where(sq.NotEq{"post_status": "trash"})
		if w.Content != "" {
			first = first.Where(sq.Eq{"post_content": w.Content})
		}
		query = query.Column(sq.Expr("COALESCE((?), 0)", first))
		targets = append(targets, &found[i])
	}
	if len(targets) == 0 {
		return found, nil
	}
	return found, l.rows.Query(ctx, "linked.by_title", query, sqlconn.EachRow(func() {}, targets...))
}

// Unlinking selects the events that lose their link to a post in the trash.
type Unlinking struct {
	// LinkKey is the meta key of the links.
	LinkKey string
	// Now is the site's clock: events that have ended keep the link.
	Now string
	// Statuses of the events. Those in Private count for events of Reader only, or of all
	// authors if ReadsAll is set.
	Statuses, Private []string
	Reader            int64
	ReadsAll          bool
	// Limit is the maximum number of events, in the order of their start.
	Limit uint64
	// Occurrences says that the calendar keeps its dates in tables of their own.
	Occurrences bool
	// May reports whether the user may unlink an event.
	May func(event *wpstore.Post) bool
	// OthersStay keeps the links to other posts, unlike The Events Calendar.
	OthersStay bool
	// Language restricts the events.
	Language wpstore.InLanguage
}

// Unlink removes the links of a kind from the future events that link to a post, those to
// other posts too unless OthersStay is set.
func (l *Links) Unlink(ctx context.Context, id int64, u Unlinking) error {
	ids, err := l.linkingEvents(ctx, id, u)
	if err != nil || len(ids) == 0 {
		return err
	}
	edits, err := l.posts.Lock(ctx, ids...)
	if err != nil {
		return err
	}
	var metas []*rowedit.MetaEdit
	for _, event := range ids {
		if e, ok := edits[event]; ok && u.May(e.Post) {
			if u.OthersStay {
				e.Meta.DeleteValue(u.LinkKey, strconv.FormatInt(id, 10))
			} else {
				e.Meta.Delete(u.LinkKey)
			}
			metas = append(metas, e.Meta)
		}
	}
	return l.posts.Metas.Write(ctx, metas...)
}

func (l *Links) linkingEvents(ctx context.Context, id int64, u Unlinking) ([]int64, error) {
	status := sq.Or{sq.Eq{"p.post_status": u.Statuses}}
	switch {
	case len(u.Private) == 0:
	case u.ReadsAll:
		status = append(status, sq.Eq{"p.post_status": u.Private})
	default:
		status = append(status, sq.Eq{"p.post_status": u.Private, "p.post_author": u.Reader})
	}
	query := sq.Select("p.ID").From(l.rows.Table("posts")+" p").
		Join(l.rows.Table("postmeta")+" m ON m.post_id = p.ID AND m.meta_key = ? AND m.meta_value = ?", u.LinkKey, strconv.FormatInt(id, 10)).
		Where(sq.Eq{"p.post_type": wpstore.EventType}).Where(status).
		GroupBy("p.ID").Limit(u.Limit)
	query = l.plugins.Of(u.Language.Plugin).JoinPosts(query, u.Language, wpstore.EventType, "p.ID")
	if u.Occurrences {
		query = query.Join(l.rows.Table("tec_occurrences")+" o ON o.post_id = p.ID").
			Where("o.end_date >= ?", u.Now).OrderBy("MIN(o.start_date)", "p.ID")
	} else {
		query = query.Join(l.rows.Table("postmeta")+" s ON s.post_id = p.ID AND s.meta_key = '_EventStartDate'").
			Join(l.rows.Table("postmeta")+" e ON e.post_id = p.ID AND e.meta_key = '_EventEndDate'").
			Where("e.meta_value >= ?", u.Now).OrderBy("MIN(s.meta_value)", "p.ID")
	}
	return l.rows.IDs(ctx, "linked.linking_events", query)
}
