package events

import (
	"fmt"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore"
	"calbridge/wpstore/sqlconn"
)

// filters returns the conditions of [wpstore.EventFilter] by their names. post is the column
// with the id of the event, posts are p. To add a filter, add a row here, and one for its
// argument to the table of package tribev1.
func (s selector) filters(post string) map[string]func(ids []int64) sq.Sqlizer {
	marked := func(key string) func([]int64) sq.Sqlizer {
		return func([]int64) sq.Sqlizer { return sq.Expr(post+" IN (?)", s.postsWithMeta(sq.Eq{"x.meta_key": key})) }
	}
	return map[string]func([]int64) sq.Sqlizer{
		wpstore.FilterFeatured: marked("_tribe_featured"),
		wpstore.FilterParent:   func(ids []int64) sq.Sqlizer { return sqlconn.IDList("p.post_parent", ids) },
		wpstore.FilterIDs:      func(ids []int64) sq.Sqlizer { return sqlconn.IDList(post, ids) },
	}
}

// filter returns the condition of a filter.
func (s selector) filter(f wpstore.EventFilter, post string) sq.Sqlizer {
	condition := s.filters(post)[f.Name]
	switch {
	case condition == nil:
		return unknownFilter(f.Name)
	case f.Lacks:
		return sq.Expr("NOT (?)", condition(f.IDs))
	}
	return condition(f.IDs)
}

// unknownFilter is a condition without a row in the table.
type unknownFilter string

// ToSql fails.
func (u unknownFilter) ToSql() (string, []any, error) {
	return "", nil, fmt.Errorf("there is no filter %q of events", string(u))
}
