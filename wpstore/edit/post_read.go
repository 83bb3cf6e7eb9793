package edit

import (
	"context"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/rowedit"
	"calbridge/wpstore/sqlconn"
)

// updated is what an update depends on besides the row and its metadata.
type updated struct {
	tagsChanged bool
	// linked are ids of venues and organizers, heads those of them that exist.
	linked []int64
	heads  map[int64]wpstore.PostHead
	newest *wpstore.Post // revision; nil for none
}

// readRest reads what an update depends on besides the row and its metadata.
func (e *PostEdit) readRest(ctx context.Context) (u updated, err error) {
	p := e.posts
	if e.Type == wpstore.EventType {
		u.linked = p.linked(e)
		queries, err := e.rest(u.linked)
		if err != nil {
			return u, err
		}
		if err := announce(p.rows, queries); err != nil {
			return u, err
		}
		defer sqlconn.AnnounceNothing(p.rows.Runner)
		if u.tagsChanged, err = p.terms.tagsChanged(ctx, e.ID); err != nil {
			return u, err
		}
		if u.heads, err = p.heads.PostHeads(ctx, u.linked); err != nil {
			return u, err
		}
	}
	u.newest, err = p.revisions.newest(ctx, e.ID)
	return u, err
}

// rest returns the queries of readRest, and those that follow when the status changes.
func (e *PostEdit) rest(linked []int64) ([]named, error) {
	p := e.posts
	queries := []named{{"terms.quoted_tags", p.terms.quotedTags(e.ID), []string{"term_relationships", "term_taxonomy", "terms"}}}
	if len(linked) > 0 {
		heads, err := p.heads.HeadsStatement(linked)
		if err != nil {
			return nil, err
		}
		queries = append(queries, named{"posts.heads", heads, []string{"posts"}})
	}
	if p.revisions.keep >= 0 {
		queries = append(queries, named{"posts.newest_revision", p.revisions.newestQuery(e.ID), []string{"posts"}})
	}
	if e.stored.Status != e.Status {
		queries = append(queries, named{"terms.taxonomies_of_post", p.terms.terms.OfPost(e.ID), []string{"term_relationships", "term_taxonomy"}})
	}
	if e.trashing {
		queries = append(queries, named{"comments.of_post", e.comments(), []string{"comments"}})
	}
	return queries, nil
}

// named is a query with its name and the tables that it reads.
type named struct {
	name  string
	query sq.Sqlizer
	reads []string
}

// announce announces queries in their order.
func announce(rows *rowedit.Rows, queries []named) error {
	return rows.Announce(func() ([]sqlconn.Statement, error) {
		out := make([]sqlconn.Statement, len(queries))
		for i, q := range queries {
			s, err := sqlconn.Build(q.name, q.query)
			if err != nil {
				return nil, err
			}
			out[i] = s.Reading(q.reads...)
		}
		return out, nil
	})
}
