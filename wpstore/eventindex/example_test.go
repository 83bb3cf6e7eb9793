package eventindex

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
)

// The index lists the events that end in March or later. It reads a changed event again before it
// answers the next list.
func ExampleIndex_Find() {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	days := func(first, last date) []dates {
		return []dates{{Start: first * 1e6, End: last * 1e6, StartUTC: first * 1e6, EndUTC: last * 1e6}}
	}
	source := &memorySource{events: map[int64]event{}}
	source.put(event{ID: 7, Status: "publish", Dates: days(20260210, 20260211)})
	source.put(event{ID: 9, Status: "publish", Dates: days(20260228, 20260301)})

	tracker := invalidation.NewTracker()
	index := Open(ctx, Config{Tracker: tracker, Source: func() Source { return source }, Logger: slog.New(slog.DiscardHandler)})
	tracker.Resume(true)
	for index.Rows() == 0 {
		time.Sleep(time.Millisecond)
	}
	query := wpstore.EventQuery{
		Bounds:      []wpstore.Bound{{End: true, Op: ">=", Value: "2026-03-01 00:00:00"}},
		Occurrences: true, Limit: 10,
	}
	page, outcome := index.Find(ctx, source, query, nil)
	fmt.Println(page.IDs, page.Total, outcome)

	source.put(event{ID: 7, Status: "publish", Dates: days(20260315, 20260316)})
	tracker.Invalidate(invalidation.Tag{Kind: invalidation.Post, ID: 7})
	page, outcome = index.Find(ctx, source, query, nil)
	fmt.Println(page.IDs, page.Total, outcome)
	// Output:
	// [9] 1 index
	// [9 7] 2 index
}
