package events

import (
	"context"
	"database/sql"
	"slices"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/langplugin"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// LinkedStore lists venues and organizers, by themselves and by their events. It is for
// one request, or for one transaction.
type LinkedStore struct {
	run *sqlconn.Runner
	sql selector
	indexed
	searches
}

// NewLinked returns a LinkedStore.
func NewLinked(run *sqlconn.Runner, tables table.Names, plugins langplugin.Plugins) LinkedStore {
	return LinkedStore{run: run, sql: selector{run.Dialect(), tables, plugins}}
}

// Linked returns a page of ids, newest publication first, how many posts match in all,
// and, on the way, how many of the posts are in another language; an empty page does not
// tell that. One query when the page tells the total, else two.
//
// Equal publication dates: with one status the highest id comes first. With
// several, WordPress leaves the order to the server, and it may differ from page
// to page; the same statement is sent here, so that the same server gives the
// same order. The embedded engine goes by id, highest first.
func (s *LinkedStore) Linked(ctx context.Context, q wpstore.LinkedQuery, other wpstore.InLanguage) (page wpstore.LinkedPage, err error) {
	if q.Only != nil && len(q.Only) == 0 {
		return page, nil
	}
	if q.Limit > 0 {
		order := []string{"post_date DESC"}
		if len(q.Statuses) == 1 && q.Own == nil {
			order = append(order, "ID DESC")
		} else {
			order = append(order, s.run.Dialect().TieBreak("ID DESC")...)
		}
		query := s.linkedSelect(q, "ID").OrderBy(order...).Limit(uint64(q.Limit)).Offset(uint64(max(q.Offset, 0)))
		if other != (wpstore.InLanguage{}) {
			counted := q
			counted.Language = other
			query = query.Column(sq.Expr("(?)", s.linkedSelect(counted, "COUNT(*)")))
		}
		err = s.run.Query(ctx, "linked.ids", query, func(rows *sql.Rows) error {
			var id int64
			into := []any{&id}
			if other != (wpstore.InLanguage{}) {
				into = append(into, &page.Counted)
			}
			if err := rows.Scan(into...); err != nil {
				return err
			}
			page.IDs = append(page.IDs, id)
			return nil
		})
		if err != nil {
			return page, err
		}
		var known bool
		page.Total, known = wpstore.TotalOfPage(len(page.IDs), q.Limit, q.Offset)
		if known {
			return page, nil
		}
	}
	page.Total, err = s.run.Number(ctx, "linked.count", s.linkedSelect(q, "COUNT(*)"))
	return page, err
}

func (s *LinkedStore) linkedSelect(q wpstore.LinkedQuery, column string) sq.SelectBuilder {
	query := s.sql.plugins.Of(q.Language.Plugin).JoinPosts(sq.Select(column).From(s.sql.tables.Quoted("posts")), q.Language, q.PostType, s.sql.tables.Quoted("posts")+".ID").
		Where(sq.Eq{"post_type": q.PostType}).
		Where(postStatus("", q.Statuses, q.Own))
	if q.Only != nil {
		query = query.Where(sqlconn.IDList("ID", q.Only))
	}
	return query
}

// searchedMeta returns the metadata keys that a search of venues or organizers reads.
func searchedMeta(postType string) []string {
	switch postType {
	case wpstore.VenueType:
		return []string{"_VenueAddress", "_VenueCity", "_VenueProvince", "_VenueState",
			"_VenueStateProvince", "_VenueZip", "_VenuePhone"}
	case wpstore.OrganizerType:
		return []string{"_OrganizerPhone", "_OrganizerEmail", "_OrganizerWebsite"}
	}
	return nil
}

// SearchLinked returns the venues or organizers that have all fragments within
// one field: title, content, excerpt, or one value of the metadata that describes
// such a post. Posts in the trash don't count, nor those that are not readable; nil is any.
// Without fragments nothing matches. One query, none where the search index has no candidate.
func (s *LinkedStore) SearchLinked(ctx context.Context, postType string, fragments []string, among *wpstore.Readable) ([]int64, error) {
	if len(fragments) == 0 || slices.ContainsFunc(fragments, func(f string) bool { return !sqlconn.Searchable(f) }) {
		return nil, nil
	}
	candidates, narrowed := s.candidates(s.run, fragments, nil)
	switch {
	case !narrowed || len(candidates) >= manyTexts:
		s.run.Classify(wpstore.CostSlow)
	case len(candidates) == 0:
		s.run.Depends().OnSet(invalidation.Posts)
		return nil, nil
	}
	holds := func(column string) sq.And {
		var all sq.And
		for _, fragment := range fragments {
			all = append(all, sq.Like{column: sqlconn.Contains(fragment)})
		}
		return all
	}
	fields := sq.Or{holds("p.post_title"), holds("p.post_content"), holds("p.post_excerpt")}
	if keys := searchedMeta(postType); keys != nil {
		fields = append(fields, sq.Expr("p.ID IN (?)", sq.
			Select("m.post_id").
			From(s.sql.tables.Quoted("postmeta")+" m").
			Where(sq.Eq{"m.meta_key": keys}).
			Where(holds("m.meta_value"))))
	}
	query := sq.
		Select("p.ID").
		From(s.sql.tables.Quoted("posts") + " p").
		Where(sq.Eq{"p.post_type": postType}).
		// "autodraft" is how the reference spells it, so auto-drafts are found.
		Where(sq.NotEq{"p.post_status": []string{"trash", "autodraft"}}).
		Where(fields)
	if narrowed {
		query = query.Where(sqlconn.IDList("p.ID", candidates))
	}
	return s.run.IDs(ctx, "linked.search", s.sql.among(query, among))
}

// LinkedOfEvent returns the ids that an event links under a metadata key, in the
// order of the rows. One query.
func (s *LinkedStore) LinkedOfEvent(ctx context.Context, eventID int64, metaKey string) ([]int64, error) {
	return s.linkValues(ctx, "linked.of_event", sq.
		Select("meta_value").
		From(s.sql.tables.Quoted("postmeta")).
		Where(sq.Eq{"post_id": eventID, "meta_key": metaKey}).
		OrderBy("meta_id"))
}

// LinkedWithEvents returns the ids that readable events (nil: any) of any status but pending
// and draft link under a metadata key. One query.
func (s *LinkedStore) LinkedWithEvents(ctx context.Context, metaKey string, among *wpstore.Readable) ([]int64, error) {
	s.run.Classify(wpstore.CostSlow)
	// As numbers, since servers write distinct long texts to disk; and from the
	// links to the events, not the other way round: five times faster together.
	return s.linkValues(ctx, "linked.with_events", s.sql.among(sq.
		Select("DISTINCT "+s.run.Dialect().CastSigned("m.meta_value")).
		From(s.sql.tables.Quoted("postmeta")+" m").
		JoinClause(s.run.Dialect().JoinInOrder()+" "+s.sql.tables.Quoted("posts")+" p ON p.ID = m.post_id").
		Where(sq.Eq{"m.meta_key": metaKey, "p.post_type": wpstore.EventType}).
		Where(sq.NotEq{"p.post_status": []string{"pending", "draft"}}), among))
}

// LinkedUpcoming returns the ids that upcoming events link under a metadata key.
// Upcoming are the first events of the query by start, within its limit, that start at now
// or later. With UTC, now and the order are those of the UTC dates. The event index may tell
// which these events are. One query, none where the index knows no such event.
func (s *LinkedStore) LinkedUpcoming(ctx context.Context, metaKey string, q wpstore.EventQuery, now string) ([]int64, error) {
	if q.Limit <= 0 {
		return nil, nil
	}
	q.Order, q.Bounds, q.Offset = wpstore.EventOrder{UTC: q.UTC}, []wpstore.Bound{{Op: ">=", Value: now}}, 0
	if page, found := s.find(ctx, q, nil); found {
		return s.linksOfEvents(ctx, metaKey, page.IDs)
	}
	s.run.Classify(wpstore.CostSlow)
	dates := s.sql.eventDates(q)
	upcoming := s.sql.eventSelect(q, dates, dates.post+" AS event").
		GroupBy(dates.post).
		OrderBy(eventOrder(q, dates)...).
		Limit(uint64(q.Limit))
	return s.linkValues(ctx, "linked.upcoming", sq.
		Select("m.meta_value").
		FromSelect(upcoming, "u").
		Join(s.sql.tables.Quoted("postmeta")+" m ON m.post_id = u.event").
		Where(sq.Eq{"m.meta_key": metaKey}))
}

// linksOfEvents returns the ids that events of a list from the index link under a metadata key.
func (s *LinkedStore) linksOfEvents(ctx context.Context, metaKey string, events []int64) ([]int64, error) {
	s.run.Depends().OnSet(invalidation.Events)
	if len(events) == 0 {
		return nil, nil
	}
	return s.linkValues(ctx, "linked.of_events", sq.
		Select("meta_value").
		From(s.sql.tables.Quoted("postmeta")).
		Where(sqlconn.IDList("post_id", events)).
		Where(sq.Eq{"meta_key": metaKey}))
}

// AllIDs returns the ids of all posts of a type, in any status. One query.
func (s *LinkedStore) AllIDs(ctx context.Context, postType string) ([]int64, error) {
	return s.run.IDs(ctx, "posts.all_ids", sq.
		Select("ID").
		From(s.sql.tables.Quoted("posts")).
		Where(sq.Eq{"post_type": postType}).
		OrderBy("ID"))
}

// linkValues runs a query of one metadata value and reads the values as WordPress
// reads ids: leading integers, without sign. Other values, such as
// arrays that somebody stored, are left out, as are repetitions.
func (s *LinkedStore) linkValues(ctx context.Context, name string, query sq.Sqlizer) ([]int64, error) {
	var ids []int64
	seen := make(map[int64]bool)
	err := s.run.Query(ctx, name, query, func(rows *sql.Rows) error {
		var value sql.NullString
		if err := rows.Scan(&value); err != nil {
			return err
		}
		id := php.ToInt(value.String)
		if id < 0 {
			id = -id
		}
		if id > 0 && !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
		return nil
	})
	return ids, err
}
