package events

import (
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/sqlconn/dialect"
	"calbridge/wpstore/table"
	"calbridge/wpstore/tickets"
)

// selector makes the SQL that selects events.
type selector struct {
	dialect dialect.Dialect
	tables  table.Names
	plugins langplugin.Plugins
}

// eventPage selects a page of ids with the number of all, where the engine has window
// functions, and that of another query.
func (s selector) eventPage(q wpstore.EventQuery, other *wpstore.EventQuery) sq.SelectBuilder {
	dates := s.eventDates(q)
	query := s.eventSelect(q, dates, dates.post)
	if s.dialect.Windows() {
		query = query.Column("COUNT(*) OVER ()")
	}
	if other != nil {
		query = query.Column(sq.Expr("(?)", s.eventCount(*other)))
	}
	return query.
		GroupBy(dates.post).
		OrderBy(eventOrder(q, dates)...).
		Limit(uint64(q.Limit)).
		Offset(uint64(max(q.Offset, 0)))
}

func (s selector) eventCount(q wpstore.EventQuery) sq.SelectBuilder {
	dates := s.eventDates(q)
	return s.eventSelect(q, dates, "COUNT(DISTINCT "+dates.post+")")
}

// eventSelect selects from the events that match, one row per occurrence.
//
// The tables are joined in the order written, the most selective first: links to venues
// or organizers if the query has any, else the dates. Measured on MariaDB 10.11 with
// 10,000 events, the optimizer left to itself starts from all events of a status and
// looks up the dates of each, which costs twice as much for the usual window of dates,
// and many times as much for a text search; and it can't estimate links.
func (s selector) eventSelect(q wpstore.EventQuery, dates eventDates, columns ...string) sq.SelectBuilder {
	query := sq.Select(columns...)
	if key, ids := takeLinks(&q); ids != nil {
		query = s.fromMeta(query, dates, s.links("l", key, ids))
	} else {
		query = query.From(dates.table)
	}
	if q.Hidden {
		return s.eventsOf(query, q, dates)
	}
	hidden := sq.Expr(dates.post+" NOT IN (?)", s.postsWithMeta(sq.Eq{"x.meta_key": hiddenKey}))
	return s.eventsOf(query, q, dates, hidden)
}

// hiddenKey marks events, by any value, that lists leave out.
const hiddenKey = "_EventHideFromUpcoming"

// fromMeta selects the dates of posts with a row of metadata, alias l, that matches.
func (s selector) fromMeta(query sq.SelectBuilder, dates eventDates, where sq.Sqlizer) sq.SelectBuilder {
	return query.
		From(s.tables.Quoted("postmeta") + " l").
		JoinClause(s.dialect.JoinInOrder() + " " + dates.table + " ON " + dates.post + " = l.post_id").
		Where(where)
}

// eventsOf restricts a query of dates to the events that match.
func (s selector) eventsOf(query sq.SelectBuilder, q wpstore.EventQuery, dates eventDates, first ...sq.Sqlizer) sq.SelectBuilder {
	query = s.plugins.Of(q.Language.Plugin).JoinPosts(query, q.Language, wpstore.EventType, dates.post).
		JoinClause(s.dialect.JoinInOrder() + " " + s.tables.Quoted("posts") + " p ON p.ID = " + dates.post).
		Where(sq.Eq{"p.post_type": wpstore.EventType}).
		Where(postStatus("p.", q.Statuses, q.Own))
	for _, condition := range slices.Concat(dates.where, first, s.eventConditions(q, dates.post)) {
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

// eventConditions returns the conditions besides type, status, dates and hiding. A filter that
// needs another table is a set of post ids, which leaves it to the server whether to compute
// the set first or to look each id up.
func (s selector) eventConditions(q wpstore.EventQuery, post string) []sq.Sqlizer {
	in := func(set sq.Sqlizer) sq.Sqlizer { return sq.Expr(post+" IN (?)", set) }
	var conditions []sq.Sqlizer
	add := func(condition sq.Sqlizer) { conditions = append(conditions, condition) }
	if q.Include != nil {
		add(sqlconn.IDList(post, q.Include))
	}
	for _, f := range q.Filters {
		add(s.filter(f, post))
	}
	if q.Tickets != nil {
		add(s.ticketed(q.Tickets, post))
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
		add(s.unlocked(q.Passwords, q.UnlockedFor))
	}
	if q.UnprotectedOnly {
		add(sq.Eq{"p.post_password": ""})
	}
	for _, term := range q.Search {
		add(searchCondition(term))
	}
	return conditions
}

// ticketed returns the condition that an event has tickets, or none. Without a provider no
// event has any.
func (s selector) ticketed(f *wpstore.TicketFilter, post string) sq.Sqlizer {
	switch {
	case len(f.Providers) == 0 && f.Without:
		return sq.Expr("1=1")
	case len(f.Providers) == 0:
		return sq.Expr("1=0")
	case f.Without:
		return sq.Expr(post+" NOT IN (?)", tickets.Events(s.dialect, s.tables, f.Providers))
	}
	return sq.Expr(post+" IN (?)", tickets.Events(s.dialect, s.tables, f.Providers))
}

// unlocked returns the condition on posts, alias p, that they have no password, one of those
// given, or an author. Passwords are compared byte by byte, as single reads do.
func (s selector) unlocked(passwords []string, author int64) sq.Sqlizer {
	unlocked := sq.Or{sq.Eq{s.dialect.Binary("p.post_password"): append([]string{""}, passwords...)}}
	if author != 0 {
		unlocked = append(unlocked, sq.Eq{"p.post_author": author})
	}
	return unlocked
}

// among restricts a query of posts, alias p, to those that are readable; nil restricts nothing.
func (s selector) among(query sq.SelectBuilder, readable *wpstore.Readable) sq.SelectBuilder {
	if readable == nil {
		return query
	}
	query = query.Where(postStatus("p.", readable.Statuses, readable.Own))
	if readable.Passwords != nil {
		query = query.Where(s.unlocked(readable.Passwords, readable.UnlockedFor))
	}
	return query
}

// postStatus returns the condition on the status of posts, whose columns have the given
// prefix: one of the statuses, or, for nil, WordPress's "any", which leaves out two. The
// posts of one author can have statuses of their own.
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

// postsWithMeta returns the set of posts with a row of metadata, alias x, that matches.
func (s selector) postsWithMeta(where sq.Sqlizer) sq.SelectBuilder {
	return sq.Select("x.post_id").From(s.tables.Quoted("postmeta") + " x").Where(where)
}

// links returns the condition on rows of metadata, under an alias, that they link one
// of the ids: the value's leading integer.
func (s selector) links(alias, key string, ids []int64) sq.Sqlizer {
	return sq.And{
		sq.Eq{alias + ".meta_key": key},
		sqlconn.IDList(s.dialect.CastSigned(alias+".meta_value"), ids),
	}
}

// postsWithTerms returns the set of posts with any of the terms of a taxonomy.
func (s selector) postsWithTerms(taxonomy string, terms []int64) sq.Sqlizer {
	return sq.Select("tr.object_id").
		From(s.tables.Quoted("term_relationships") + " tr").
		Join(s.tables.Quoted("term_taxonomy") + " tt ON tt.term_taxonomy_id = tr.term_taxonomy_id").
		Where(sq.Eq{"tt.taxonomy": taxonomy}).
		Where(sqlconn.IDList("tt.term_id", terms))
}

func searchCondition(t wpstore.SearchTerm) sq.Sqlizer {
	columns := searchedColumns()
	switch {
	case !sqlconn.Searchable(t.Text) && t.Exclude:
		return sq.Expr("1=1")
	case !sqlconn.Searchable(t.Text):
		return sq.Expr("1=0")
	}
	pattern := sqlconn.Contains(t.Text)
	var without sq.And
	var with sq.Or
	for _, column := range columns {
		without = append(without, sq.NotLike{column: pattern})
		with = append(with, sq.Like{column: pattern})
	}
	if t.Exclude {
		return without
	}
	return with
}
