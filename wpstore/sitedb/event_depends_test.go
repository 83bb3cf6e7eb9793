package sitedb_test

import (
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// TestListDependencies: a list depends on all posts where the index, by which lists of events
// change, doesn't know which events its filters find.
func TestListDependencies(t *testing.T) {
	f := newSite(t, "sqlite")
	for name, c := range map[string]struct {
		q    wpstore.EventQuery
		want bool
	}{
		"no filter":       {wpstore.EventQuery{}, false},
		"an indexed one":  {wpstore.EventQuery{Filters: []wpstore.EventFilter{{Name: wpstore.FilterFeatured}}}, false},
		"one that is not": {wpstore.EventQuery{Filters: []wpstore.EventFilter{{Name: wpstore.FilterFeatured}, {Name: wpstore.FilterIDs, IDs: []int64{1}}}}, true},
		"hidden":          {wpstore.EventQuery{Hidden: true}, true},
	} {
		depends := invalidation.NewDependencies()
		c.q.Occurrences, c.q.Limit = true, 5
		session := f.db.Session(depends)
		_, err := session.Events.Events(t.Context(), c.q, nil)
		f.OK(err)
		if got := slices.Contains(depends.Tags(), invalidation.Tag{Kind: invalidation.Posts}); got != c.want {
			t.Errorf("%s: depends on all posts: %v", name, got)
		}
	}
}
