package sitedb_test

import (
	"regexp"
	"slices"
	"strconv"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/sitedb"
)

// recordedEventQuery returns the query behind a recorded list of events; ok is false
// for requests whose parameters need more than the store's part of the rules.
func recordedEventQuery(t *testing.T, db *sitedb.DB, r recorded) (q wpstore.EventQuery, ok bool) {
	if r.path != "/events" || !r.only("page", "per_page", "start_date", "end_date", "starts_before", "starts_after",
		"ends_before", "ends_after", "strict_dates", "search", "categories", "tags", "venue", "organizer",
		"featured", "post_parent", "include", "status", "context", "password") {
		return q, false
	}
	q = wpstore.EventQuery{Occurrences: true, Bounds: recordedBounds(r), Order: wpstore.EventOrder{ByPublication: r.has("include")}}
	q.Statuses, q.Own = r.statuses()
	q.Limit, q.Offset = r.page(10)
	lists := []struct {
		name string
		ids  *[]int64
	}{{"venue", &q.Venues}, {"organizer", &q.Organizers}, {"include", &q.Include}}
	for _, list := range lists {
		if *list.ids, ok = r.idList(list.name); !ok {
			return q, false
		}
	}
	if q.Categories, ok = recordedTerms(t, db, wpstore.CategoryTaxonomy, r.list("categories"), r.has("categories")); !ok {
		return q, false
	}
	tags := r.list("tags")
	if q.Tags, ok = recordedTerms(t, db, wpstore.TagTaxonomy, tags[:min(1, len(tags))], r.has("tags")); !ok {
		return q, false
	}
	if r.has("featured") {
		q.Filters = append(q.Filters, wpstore.EventFilter{Name: wpstore.FilterFeatured, Lacks: !isTrue(r.params.Get("featured"))})
	}
	if r.has("post_parent") {
		parent, err := strconv.ParseInt(r.params.Get("post_parent"), 10, 64)
		if err != nil {
			return q, false
		}
		q.Filters = append(q.Filters, wpstore.EventFilter{Name: wpstore.FilterParent, IDs: []int64{parent}})
	}
	if r.has("search") {
		// One plain word; how a phrase is cut up is not the store's business.
		word := r.params.Get("search")
		if !regexp.MustCompile(`^(-?[\p{L}\p{N}]{2,}|[^\x00-\x7f]|[%&])$`).MatchString(word) {
			return q, false
		}
		term := wpstore.SearchTerm{Text: word}
		if word[0] == '-' {
			term = wpstore.SearchTerm{Text: word[1:], Exclude: true}
		}
		q.Search, q.UnprotectedOnly = []wpstore.SearchTerm{term}, r.as == "anonymous"
	}
	return q, true
}

func recordedBounds(r recorded) []wpstore.Bound {
	var bounds []wpstore.Bound
	add := func(name, unless string, end bool, op string) {
		if r.echo.Has(name) && !r.echo.Has(unless) {
			bounds = append(bounds, wpstore.Bound{End: end, Op: op, Value: r.echo.Get(name)})
		}
	}
	add("start_date", "starts_after", false, ">=")
	add("end_date", "ends_before", true, "<=")
	add("starts_before", "-", false, "<")
	add("starts_after", "-", false, ">")
	add("ends_before", "-", true, "<")
	add("ends_after", "-", true, ">")
	return bounds
}

// recordedTerms resolves the entries of categories or tags: by slug, then by id,
// with all descendants.
func recordedTerms(t *testing.T, db *sitedb.DB, taxonomy string, entries []string, given bool) ([]int64, bool) {
	if !given {
		return nil, true
	}
	lookup := wpstore.TermLookup{Slugs: entries}
	for _, entry := range entries {
		if !regexp.MustCompile(`^[A-Za-z0-9-]+$`).MatchString(entry) {
			return nil, false
		}
		if id, err := strconv.ParseInt(entry, 10, 64); err == nil {
			lookup.IDs = append(lookup.IDs, id)
		}
	}
	found, err := db.Session(nil).Terms.LookupTerms(t.Context(), taxonomy, lookup)
	if err != nil {
		t.Fatal(err)
	}
	ids := []int64{}
	for _, entry := range entries {
		id, _ := strconv.ParseInt(entry, 10, 64)
		if term, ok := found.BySlug[entry]; ok {
			ids = append(ids, term.ID)
		} else if term, ok := found.ByID[id]; ok {
			ids = append(ids, term.ID)
		}
	}
	tree, err := db.Session(nil).Terms.TermTree(t.Context(), taxonomy)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(ids); i++ {
		for id, term := range tree {
			if term.Parent == ids[i] && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids, true
}

func TestEventIDsAsRecorded(t *testing.T) {
	for _, site := range []string{"mono", "poly"} {
		lists := recordedLists(t, site, "events-list")
		onEngines(t, site, func(t *testing.T, db *sitedb.DB) {
			compared := 0
			for _, r := range lists {
				q, ok := recordedEventQuery(t, db, r)
				if !ok {
					continue
				}
				compared++
				ids, total, err := eventIDs(t.Context(), &db.Session(nil).Events, q)
				if err != nil {
					t.Fatalf("%s: %v", r.id, err)
				}
				if total != r.total || !slices.Equal(ids, r.ids) {
					t.Errorf("%s %s %v\n got %v of %d\nwant %v of %d", r.id, r.as, r.params, ids, total, r.ids, r.total)
				}
			}
			t.Logf("%d of %d lists compared", compared, len(lists))
			if compared < len(lists)/2 {
				t.Errorf("only %d of %d lists could be compared", compared, len(lists))
			}
		})
	}
}

// Without the occurrence tables the same lists come from the metadata. They
// differ only by events that the tables lack though they have dates.
func TestEventIDsFromMetadata(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the race detector finds nothing in a single goroutine")
	}
	lists := recordedLists(t, "mono", "events-list")
	onEngines(t, "mono", func(t *testing.T, db *sitedb.DB) {
		inTable := map[int64]bool{}
		rows, err := db.SQL().QueryContext(t.Context(), "SELECT post_id FROM "+db.Table("tec_occurrences"))
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		for rows.Next() {
			var id int64
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			inTable[id] = true
		}
		for _, r := range lists {
			q, ok := recordedEventQuery(t, db, r)
			if !ok {
				continue
			}
			q.Limit, q.Offset = 1000, 0
			want, _, err := eventIDs(t.Context(), &db.Session(nil).Events, q)
			if err != nil {
				t.Fatal(err)
			}
			q.Occurrences = false
			got, total, err := eventIDs(t.Context(), &db.Session(nil).Events, q)
			if err != nil {
				t.Fatal(err)
			}
			if total != int64(len(got)) {
				t.Errorf("%s: total %d, %d listed", r.id, total, len(got))
			}
			got = slices.DeleteFunc(got, func(id int64) bool { return !inTable[id] })
			if !slices.Equal(got, want) {
				t.Errorf("%s %v\n got %v\nwant %v", r.id, r.params, got, want)
			}
		}
	})
}
