package sitedb

import (
	"context"
	"fmt"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
)

// EventIDs returns a page of event ids in order, and how many events match in
// all. Events hidden from listings (any row of _EventHideFromUpcoming) are never
// among them, nor are events without the dates the query looks at; an event with
// several occurrences is listed once, by its first one that matches. Equal starts
// go by publication date, then by id.
//
// One query; a second one for the total where a page beyond the end is asked.
func (db *DB) EventIDs(ctx context.Context, q wpstore.EventQuery) (ids []int64, total int64, err error) {
	page, err := db.Events(ctx, q, nil)
	return page.IDs, page.Total, err
}

// Events returns the page of EventIDs, and on the way how many events match
// another query, nil for none. See [Listing] for when that takes no query.
func (db *DB) Events(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, err error) {
	if page, ok := db.eventsIndexed(ctx, q, other); ok {
		return page, nil
	}
	return db.eventsQueried(ctx, q, other)
}

// eventsQueried has the database answer Events.
func (db *DB) eventsQueried(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, err error) {
	if other != nil && q.Limit > 0 && sameBesidesLanguage(q, *other) {
		page, known, err := db.eventsCountedInAnother(ctx, q, other.Language)
		if known || err != nil {
			return page, err
		}
		q.Limit = 0
	}
	if q.Limit > 0 {
		statement, err := db.templates.once("events.ids", db.eventKey(&q, other), func() sq.Sqlizer {
			dates := db.eventDates(q)
			query := db.eventSelect(q, dates, dates.post, "COUNT(*) OVER ()")
			if other != nil {
				query = query.Column(sq.Expr("(?)", db.eventCount(*other)))
			}
			return query.
				GroupBy(dates.post).
				OrderBy(eventOrder(q, dates)...).
				Limit(uint64(q.Limit)).
				Offset(uint64(max(q.Offset, 0)))
		})
		if err != nil {
			return page, err
		}
		rows, err := db.rows(ctx, "events.ids", statement)
		if err != nil {
			return page, err
		}
		into := []*int64{nil, &page.Total, &page.Counted}[:rows.columns]
		if n := rows.len(); n > 0 {
			page.IDs = make([]int64, n)
		}
		for i := range page.IDs {
			into[0] = &page.IDs[i]
			if err := rows.numbers(i, into...); err != nil {
				return page, fmt.Errorf("query events.ids: %w", err)
			}
		}
	}
	if len(page.IDs) == 0 && (q.Limit <= 0 || q.Offset > 0) {
		if page.Total, err = db.number(ctx, "events.count", db.eventCount(q)); err != nil {
			return page, err
		}
	}
	switch {
	case other == nil:
		page.Counted = page.Total
	case len(page.IDs) == 0:
		page.Counted, err = db.number(ctx, "events.count", db.eventCount(*other))
	}
	return page, err
}

func (db *DB) eventCount(q wpstore.EventQuery) sq.SelectBuilder {
	dates := db.eventDates(q)
	return db.eventSelect(q, dates, "COUNT(DISTINCT "+dates.post+")")
}

// eventSelect selects from the events that match, one row per occurrence.
//
// The tables are joined in the order written, the most selective first: links to
// venues or organizers if those are asked for, else the dates. Measured on MariaDB
// 10.11 with 10,000 events, the optimizer by itself starts from all events of a
// status and looks up the dates of each, which costs twice as much for the usual
// window of dates, and many times as much for a text search; and it takes links
// for useless filters, since it cannot estimate them.
func (db *DB) eventSelect(q wpstore.EventQuery, dates eventDates, columns ...string) sq.SelectBuilder {
	query := sq.Select(columns...)
	if key, ids := takeLinks(&q); ids != nil {
		query = query.
			From(db.table("postmeta") + " l").
			JoinClause(db.joinInOrder() + " " + dates.table + " ON " + dates.post + " = l.post_id").
			Where(db.links("l", key, ids))
	} else {
		query = query.From(dates.table)
	}
	query = db.joinPosts(query, q.Language, wpstore.EventType, dates.post).
		JoinClause(db.joinInOrder() + " " + db.table("posts") + " p ON p.ID = " + dates.post).
		Where(sq.Eq{"p.post_type": wpstore.EventType}).
		Where(postStatus("p.", q.Statuses, q.Own))
	for _, condition := range slices.Concat(dates.where, db.eventConditions(q, dates.post)) {
		query = query.Where(condition)
	}
	return query
}

// takeLinks removes one filter by links from the query and returns it.
func takeLinks(q *wpstore.EventQuery) (key string, ids []int64) {
	switch {
	case q.Venues != nil:
		key, ids, q.Venues = wpstore.VenueLink, q.Venues, nil
	case q.Organizers != nil:
		key, ids, q.Organizers = wpstore.OrganizerLink, q.Organizers, nil
	}
	return key, ids
}

// joinInOrder joins two tables and keeps the optimizer from swapping them.
func (db *DB) joinInOrder() string {
	if db.Engine() == "sqlite" {
		return "CROSS JOIN"
	}
	return "STRAIGHT_JOIN"
}

func eventOrder(q wpstore.EventQuery, dates eventDates) []string {
	start, direction := "MIN("+dates.order+")", ""
	if q.Order.Descending {
		start, direction = "MAX("+dates.order+")", " DESC"
	}
	if q.Order.ByPublication {
		return []string{"p.post_date" + direction, "p.ID" + direction}
	}
	return []string{start + direction, "p.post_date", "p.ID"}
}

// eventConditions are the conditions besides type, status and dates. Where a
// filter needs another table, it is a set of post ids, which the server may
// compute first or look up as it sees fit.
func (db *DB) eventConditions(q wpstore.EventQuery, post string) []sq.Sqlizer {
	in := func(set sq.Sqlizer) sq.Sqlizer { return sq.Expr(post+" IN (?)", set) }
	notIn := func(set sq.Sqlizer) sq.Sqlizer { return sq.Expr(post+" NOT IN (?)", set) }
	conditions := []sq.Sqlizer{notIn(db.postsWithMeta(sq.Eq{"x.meta_key": "_EventHideFromUpcoming"}))}
	add := func(condition sq.Sqlizer) { conditions = append(conditions, condition) }
	if q.Include != nil {
		add(idList(post, q.Include))
	}
	if q.Parent != nil {
		add(sq.Eq{"p.post_parent": *q.Parent})
	}
	if q.Featured != nil {
		featured := db.postsWithMeta(sq.Eq{"x.meta_key": "_tribe_featured"})
		if *q.Featured {
			add(in(featured))
		} else {
			add(notIn(featured))
		}
	}
	if q.Categories != nil {
		add(in(db.postsWithTerms(wpstore.CategoryTaxonomy, q.Categories)))
	}
	if q.Tags != nil {
		add(in(db.postsWithTerms(wpstore.TagTaxonomy, q.Tags)))
	}
	for key, ids := takeLinks(&q); ids != nil; key, ids = takeLinks(&q) {
		add(in(db.postsWithMeta(db.links("x", key, ids))))
	}
	if q.Passwords != nil {
		unlocked := sq.Or{sq.Eq{"p.post_password": append([]string{""}, q.Passwords...)}}
		if q.UnlockedFor != 0 {
			unlocked = append(unlocked, sq.Eq{"p.post_author": q.UnlockedFor})
		}
		conditions = append(conditions, unlocked)
	}
	if q.UnprotectedOnly {
		add(sq.Eq{"p.post_password": ""})
	}
	for _, term := range q.Search {
		add(searchCondition(term))
	}
	return conditions
}

// postStatus is the condition on the status of posts, whose columns have the
// given prefix: one of the statuses, or, for nil, WordPress's "any", which is all
// but the two that are never meant. The posts of one author can have statuses of
// their own.
func postStatus(prefix string, statuses []string, own *wpstore.Own) sq.Sqlizer {
	status, author := prefix+"post_status", prefix+"post_author"
	var others sq.Sqlizer = sq.Eq{status: statuses}
	if statuses == nil {
		others = sq.NotEq{status: []string{"trash", "auto-draft"}}
	}
	if own == nil {
		return others
	}
	return sq.Or{
		sq.And{sq.NotEq{author: own.Author}, others},
		sq.And{sq.Eq{author: own.Author}, sq.Eq{status: own.Statuses}},
	}
}

// postsWithMeta is the set of posts with a row of metadata, alias x, that matches.
func (db *DB) postsWithMeta(where sq.Sqlizer) sq.Sqlizer {
	return sq.Select("x.post_id").From(db.table("postmeta") + " x").Where(where)
}

// links is the condition on rows of metadata, under an alias, that they link one
// of the ids: the value's leading integer.
func (db *DB) links(alias, key string, ids []int64) sq.Sqlizer {
	return sq.And{
		sq.Eq{alias + ".meta_key": key},
		idList(db.d.castSigned(alias+".meta_value"), ids),
	}
}

// postsWithTerms is the set of posts with any of the terms of a taxonomy.
func (db *DB) postsWithTerms(taxonomy string, terms []int64) sq.Sqlizer {
	return sq.Select("tr.object_id").
		From(db.table("term_relationships") + " tr").
		Join(db.table("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tt.taxonomy": taxonomy}).
		Where(idList("tt.term_id", terms))
}

func searchCondition(t wpstore.SearchTerm) sq.Sqlizer {
	columns := []string{"p.post_title", "p.post_excerpt", "p.post_content"}
	switch {
	case !searchable(t.Text) && t.Exclude:
		return sq.Expr("1=1")
	case !searchable(t.Text):
		return sq.Expr("1=0")
	}
	pattern := contains(t.Text)
	if t.Exclude {
		all := sq.And{}
		for _, column := range columns {
			all = append(all, sq.NotLike{column: pattern})
		}
		return all
	}
	one := sq.Or{}
	for _, column := range columns {
		one = append(one, sq.Like{column: pattern})
	}
	return one
}
