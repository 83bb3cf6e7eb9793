package sitedb_test

import (
	"context"
	"testing"

	"calbridge/wpstore"
)

// More ids than one IN list holds are no error.
func TestManyIDs(t *testing.T) {
	f := newSite(t, "sqlite")
	ids := make([]int64, 25_000)
	for i := range ids {
		ids[i] = int64(i)
	}
	f.queries(1, func(ctx context.Context) {
		_, total, err := eventIDs(ctx, &f.Events, wpstore.EventQuery{Include: ids, Occurrences: true, Limit: 10})
		f.OK(err)
		if total != 0 {
			t.Errorf("total %d", total)
		}
	})
}
