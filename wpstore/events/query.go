package events

import (
	"context"
	"fmt"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/coherence"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// Index answers lists of events from memory.
type Index interface {
	// Events is [Store.Events]; ok is false where the database has to answer.
	Events(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, ok bool)
}

// Store lists events, and venues and organizers by their events. It is for one
// request, or for one transaction.
type Store struct {
	run     *sqlconn.Runner
	tables  table.Names
	plugins langplugin.Plugins
	index   Index // nil for none
}

// New returns a Store.
func New(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins) Store {
	return Store{run: run, tables: tables, plugins: plugins}
}

// UseIndex lets lists be answered from memory.
func (s *Store) UseIndex(index Index) { s.index = index }

// EventIDs returns a page of event ids in order, and how many events match in
// all. Events hidden from listings (any row of _EventHideFromUpcoming) are never
// among them, nor are events without the dates the query looks at; an event with
// several occurrences is listed once, by its first one that matches. Equal starts
// go by publication date, then by id.
//
// One query; a second one for the total where a page beyond the end is asked.
func (s *Store) EventIDs(ctx context.Context, q wpstore.EventQuery) (ids []int64, total int64, err error) {
	page, err := s.Events(ctx, q, nil)
	return page.IDs, page.Total, err
}

// Events returns the page of EventIDs, and on the way how many events match
// another query, nil for none. An [Index] may answer it without a query.
func (s *Store) Events(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, err error) {
	s.run.Depends().OnSet(coherence.Events)
	if len(q.Search) > 0 || other != nil && len(other.Search) > 0 {
		s.run.Depends().OnSet(coherence.Posts)
	}
	if s.index != nil {
		if page, ok := s.index.Events(ctx, q, other); ok {
			return page, nil
		}
	}
	return s.eventsQueried(ctx, q, other)
}

// eventsQueried has the database answer Events.
func (s *Store) eventsQueried(ctx context.Context, q wpstore.EventQuery, other *wpstore.EventQuery) (page wpstore.EventPage, err error) {
	if other != nil && q.Limit > 0 && s.differInLanguage(q, *other) {
		page, known, err := s.eventsCountedInAnother(ctx, q, other.Language)
		if known || err != nil {
			return page, err
		}
		q.Limit = 0
	}
	if q.Limit > 0 {
		statement, err := s.run.Templates().Once("events.ids", s.eventKey(&q, other), func() sq.Sqlizer {
			dates := s.eventDates(q)
			query := s.eventSelect(q, dates, dates.post, "COUNT(*) OVER ()")
			if other != nil {
				query = query.Column(sq.Expr("(?)", s.eventCount(*other)))
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
		rows, err := s.run.Rows(ctx, "events.ids", statement)
		if err != nil {
			return page, err
		}
		into := []*int64{nil, &page.Total, &page.Counted}[:rows.Columns()]
		if n := rows.Len(); n > 0 {
			page.IDs = make([]int64, n)
		}
		for i := range page.IDs {
			into[0] = &page.IDs[i]
			if err := rows.Numbers(i, into...); err != nil {
				return page, fmt.Errorf("query events.ids: %w", err)
			}
		}
	}
	if len(page.IDs) == 0 && (q.Limit <= 0 || q.Offset > 0) {
		if page.Total, err = s.run.Number(ctx, "events.count", s.eventCount(q)); err != nil {
			return page, err
		}
	}
	switch {
	case other == nil:
		page.Counted = page.Total
	case len(page.IDs) == 0:
		page.Counted, err = s.run.Number(ctx, "events.count", s.eventCount(*other))
	}
	return page, err
}

func (s *Store) eventCount(q wpstore.EventQuery) sq.SelectBuilder {
	dates := s.eventDates(q)
	return s.eventSelect(q, dates, "COUNT(DISTINCT "+dates.post+")")
}

// eventSelect selects from the events that match, one row per occurrence.
//
// The tables are joined in the order written, the most selective first: links to
// venues or organizers if those are asked for, else the dates. Measured on MariaDB
// 10.11 with 10,000 events, the optimizer by itself starts from all events of a
// status and looks up the dates of each, which costs twice as much for the usual
// window of dates, and many times as much for a text search; and it takes links
// for useless filters, since it cannot estimate them.
func (s *Store) eventSelect(q wpstore.EventQuery, dates eventDates, columns ...string) sq.SelectBuilder {
	query := sq.Select(columns...)
	if key, ids := takeLinks(&q); ids != nil {
		query = query.
			From(s.tables.Quoted("postmeta") + " l").
			JoinClause(s.run.Dialect().JoinInOrder() + " " + dates.table + " ON " + dates.post + " = l.post_id").
			Where(s.links("l", key, ids))
	} else {
		query = query.From(dates.table)
	}
	query = s.plugins.Of(q.Language.Plugin).JoinPosts(query, q.Language, wpstore.EventType, dates.post).
		JoinClause(s.run.Dialect().JoinInOrder() + " " + s.tables.Quoted("posts") + " p ON p.ID = " + dates.post).
		Where(sq.Eq{"p.post_type": wpstore.EventType}).
		Where(postStatus("p.", q.Statuses, q.Own))
	for _, condition := range slices.Concat(dates.where, s.eventConditions(q, dates.post)) {
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

func eventOrder(q wpstore.EventQuery, dates eventDates) []string {
	start, direction := "MIN("+dates.order+")", ""
	if q.Descending {
		start, direction = "MAX("+dates.order+")", " DESC"
	}
	if q.OrderByPublication {
		return []string{"p.post_date" + direction, "p.ID" + direction}
	}
	return []string{start + direction, "p.post_date", "p.ID"}
}

// eventConditions are the conditions besides type, status and dates. Where a
// filter needs another table, it is a set of post ids, which the server may
// compute first or look up as it sees fit.
func (s *Store) eventConditions(q wpstore.EventQuery, post string) []sq.Sqlizer {
	in := func(set sq.Sqlizer) sq.Sqlizer { return sq.Expr(post+" IN (?)", set) }
	notIn := func(set sq.Sqlizer) sq.Sqlizer { return sq.Expr(post+" NOT IN (?)", set) }
	conditions := []sq.Sqlizer{notIn(s.postsWithMeta(sq.Eq{"x.meta_key": "_EventHideFromUpcoming"}))}
	add := func(condition sq.Sqlizer) { conditions = append(conditions, condition) }
	if q.Include != nil {
		add(sqlconn.IDList(post, q.Include))
	}
	if q.Parent != nil {
		add(sq.Eq{"p.post_parent": *q.Parent})
	}
	if q.Featured != nil {
		featured := s.postsWithMeta(sq.Eq{"x.meta_key": "_tribe_featured"})
		if *q.Featured {
			add(in(featured))
		} else {
			add(notIn(featured))
		}
	}
	if q.Categories != nil {
		add(in(s.postsWithTerms(wpstore.CategoryTaxonomy, q.Categories)))
	}
	if q.Tags != nil {
		add(in(s.postsWithTerms(wpstore.TagTaxonomy, q.Tags)))
	}
	for key, ids := takeLinks(&q); ids != nil; key, ids = takeLinks(&q) {
		add(in(s.postsWithMeta(s.links("x", key, ids))))
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
func (s *Store) postsWithMeta(where sq.Sqlizer) sq.Sqlizer {
	return sq.Select("x.post_id").From(s.tables.Quoted("postmeta") + " x").Where(where)
}

// links is the condition on rows of metadata, under an alias, that they link one
// of the ids: the value's leading integer.
func (s *Store) links(alias, key string, ids []int64) sq.Sqlizer {
	return sq.And{
		sq.Eq{alias + ".meta_key": key},
		sqlconn.IDList(s.run.Dialect().CastSigned(alias+".meta_value"), ids),
	}
}

// postsWithTerms is the set of posts with any of the terms of a taxonomy.
func (s *Store) postsWithTerms(taxonomy string, terms []int64) sq.Sqlizer {
	return sq.Select("tr.object_id").
		From(s.tables.Quoted("term_relationships") + " tr").
		Join(s.tables.Quoted("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tt.taxonomy": taxonomy}).
		Where(sqlconn.IDList("tt.term_id", terms))
}

func searchCondition(t wpstore.SearchTerm) sq.Sqlizer {
	columns := []string{"p.post_title", "p.post_excerpt", "p.post_content"}
	switch {
	case !sqlconn.Searchable(t.Text) && t.Exclude:
		return sq.Expr("1=1")
	case !sqlconn.Searchable(t.Text):
		return sq.Expr("1=0")
	}
	pattern := sqlconn.Contains(t.Text)
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
