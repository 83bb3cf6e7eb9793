package rowtags_test

import (
	"fmt"
	"slices"

	"calbridge/wpstore/binlog"
	"calbridge/wpstore/changefeed/rowtags"
	"calbridge/wpstore/invalidation"
)

// The binary log shows that somebody has moved event 42 to another venue. Responses with the event
// become invalid, and so do lists of events.
func ExampleTable_NoteRow() {
	tables := rowtags.WordPress{}.Tables()
	postmeta := tables[slices.IndexFunc(tables, func(t rowtags.Table) bool { return t.Name == "postmeta" })]
	changes := rowtags.NewChanges()
	row := rowtags.Row{
		{Kind: binlog.Integer, Int: 42},
		{Kind: binlog.Bytes, Bytes: []byte("_EventVenueID")},
	}
	postmeta.NoteRow(&changes, binlog.Update, []rowtags.Row{row, row})
	tags := changes.Tags()
	fmt.Println("post 42:", slices.Contains(tags, invalidation.Tag{Kind: invalidation.Post, ID: 42}))
	fmt.Println("post 43:", slices.Contains(tags, invalidation.Tag{Kind: invalidation.Post, ID: 43}))
	fmt.Println("lists of posts:", slices.Contains(tags, invalidation.Tag{Kind: invalidation.Posts}))
	// Output:
	// post 42: true
	// post 43: false
	// lists of posts: true
}
