package rowtest

import (
	"database/sql"
	"fmt"
	"maps"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/wptest"
)

// Row is a row of a table by column.
type Row map[string]any

// Filler adds rows to the tables of a site.
type Filler struct {
	T     testing.TB
	DB    *sql.DB
	Table func(name string) string // returns the full name
}

// Insert adds a row. Columns that no default covers are filled.
func (f Filler) Insert(table string, r Row) {
	f.T.Helper()
	wptest.Insert(f.T, f.DB, f.Table(table), r)
}

// Meta adds a row of metadata to a post.
func (f Filler) Meta(post int64, key string, value any) {
	f.T.Helper()
	f.Insert("postmeta", Row{"post_id": post, "meta_key": key, "meta_value": value})
}

// Option adds an option.
func (f Filler) Option(name, value string) {
	f.T.Helper()
	f.Insert("options", Row{"option_name": name, "option_value": value})
}

// Post adds a published post.
func (f Filler) Post(id int64, postType string, r Row) {
	f.T.Helper()
	full := Row{"ID": id, "post_type": postType, "post_status": "publish", "post_date": "2026-01-01 00:00:00"}
	maps.Copy(full, r)
	f.Insert("posts", full)
}

// Event adds a published event with an occurrence of two hours, and the same dates in its
// metadata. UTC is an hour behind.
func (f Filler) Event(id int64, start string, r Row) {
	f.T.Helper()
	f.Post(id, wpstore.EventType, r)
	f.Occurrence(id, start)
	f.Meta(id, "_EventStartDate", start)
	f.Meta(id, "_EventEndDate", f.shift(start, 2))
	f.Meta(id, "_EventStartDateUTC", f.shift(start, -1))
	f.Meta(id, "_EventEndDateUTC", f.shift(start, 1))
}

// Occurrence adds an occurrence of two hours.
func (f Filler) Occurrence(post int64, start string) {
	f.T.Helper()
	f.Insert("tec_occurrences", Row{"event_id": post, "post_id": post, "hash": fmt.Sprintf("%d %s", post, start),
		"start_date": start, "end_date": f.shift(start, 2),
		"start_date_utc": f.shift(start, -1), "end_date_utc": f.shift(start, 1)})
}

func (f Filler) shift(date string, hours int) string {
	f.T.Helper()
	parsed, err := time.Parse(time.DateTime, date)
	f.OK(err)
	return parsed.Add(time.Duration(hours) * time.Hour).Format(time.DateTime)
}

// Term adds a term. Its taxonomy id is its id and 1000 more.
func (f Filler) Term(id int64, taxonomy, name, slug string, parent, count int64) {
	f.T.Helper()
	f.Insert("terms", Row{"term_id": id, "name": name, "slug": slug})
	f.Insert("term_taxonomy", Row{"term_taxonomy_id": 1000 + id, "term_id": id, "taxonomy": taxonomy,
		"description": "", "parent": parent, "count": count})
}

// Tag gives a post a term.
func (f Filler) Tag(post, term int64) {
	f.T.Helper()
	f.Insert("term_relationships", Row{"object_id": post, "term_taxonomy_id": 1000 + term})
}

// Ticket adds a ticket or an attendee, which links to its event by a key, and metadata by keys
// and values.
func (f Filler) Ticket(id int64, postType, key string, event any, r Row, meta ...string) {
	f.T.Helper()
	f.Post(id, postType, r)
	f.Meta(id, key, event)
	for i := 0; i < len(meta); i += 2 {
		f.Meta(id, meta[i], meta[i+1])
	}
}

// OK ends the test if there is an error.
func (f Filler) OK(err error) {
	f.T.Helper()
	if err != nil {
		f.T.Fatal(err)
	}
}
