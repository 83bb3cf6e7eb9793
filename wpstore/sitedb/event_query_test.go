package sitedb_test

import (
	"context"
	"slices"
	"testing"

	"calbridge/wpstore"
)

func eventSite(f fixture) {
	f.Event(10, "2026-12-01 10:00:00", row{"post_title": "Koncert žáků", "post_date": "2026-03-01 00:00:00"})
	f.Event(11, "2026-12-01 10:00:00", row{"post_title": "Trh", "post_excerpt": "s hudbou", "post_date": "2026-02-01 00:00:00"})
	f.Event(12, "2026-12-01 10:00:00", row{"post_content": "50 % sleva_navíc", "post_date": "2026-02-01 00:00:00"})
	f.Event(13, "2026-11-20 10:00:00", row{"post_title": "Koncert s heslem", "post_password": "x"})
	f.Event(14, "2026-12-24 18:00:00", row{"post_status": "private", "post_author": 9, "post_parent": 10})
	f.Event(15, "2026-12-25 18:00:00", row{"post_status": "draft"})
	f.Event(16, "2026-12-26 18:00:00", row{"post_status": "trash"})
	f.Event(17, "2026-12-02 10:00:00", nil)
	f.Meta(17, "_EventHideFromUpcoming", "") // hidden whatever the value
	f.Post(18, wpstore.EventType, nil)       // no dates
	f.Post(19, "post", nil)
	f.Occurrence(19, "2026-12-03 10:00:00") // left over
	f.Meta(19, "_EventStartDate", "2026-12-03 10:00:00")
	f.Term(1, category, "A", "a", 0, 1)
	f.Term(2, category, "B", "b", 0, 1)
	f.Term(3, tag, "C", "c", 0, 1)
	f.Tag(10, 1)
	f.Tag(11, 2)
	f.Tag(11, 1)
	f.Tag(11, 3)
	f.Meta(10, wpstore.VenueLink, "30")
	f.Meta(11, wpstore.VenueLink, "31, 30")
	f.Meta(12, wpstore.VenueLink, "30")
	f.Meta(12, wpstore.OrganizerLink, "40")
	f.Meta(11, "_tribe_featured", "0") // featured whatever the value
}

func TestEventIDs(t *testing.T) {
	publish := []string{"publish"}
	start := func(op, value string) []wpstore.Bound { return []wpstore.Bound{{Op: op, Value: value}} }
	end := func(op, value string) []wpstore.Bound { return []wpstore.Bound{{End: true, Op: op, Value: value}} }
	text := func(text string) []wpstore.SearchTerm { return []wpstore.SearchTerm{{Text: text}} }
	eachEngine(t, func(f fixture) {
		eventSite(f)
		for _, c := range []struct {
			name  string
			q     wpstore.EventQuery
			ids   []int64
			total int64
		}{
			{"published", wpstore.EventQuery{Statuses: publish}, []int64{13, 11, 12, 10}, 4},
			{"any", wpstore.EventQuery{}, []int64{13, 11, 12, 10, 14, 15}, 6},
			{"trash", wpstore.EventQuery{Statuses: []string{"trash"}}, []int64{16}, 1},
			{"no status", wpstore.EventQuery{Statuses: []string{}}, nil, 0},
			{"own private", wpstore.EventQuery{Statuses: publish, Own: &wpstore.Own{Author: 9, Statuses: []string{"publish", "private"}}}, []int64{13, 11, 12, 10, 14}, 5},
			{"other's private", wpstore.EventQuery{Statuses: publish, Own: &wpstore.Own{Author: 8, Statuses: []string{"publish", "private"}}}, []int64{13, 11, 12, 10}, 4},
			{"descending", wpstore.EventQuery{Statuses: publish, Order: wpstore.EventOrder{Descending: true}}, []int64{11, 12, 10, 13}, 4},
			{"by publication", wpstore.EventQuery{Statuses: publish, Order: wpstore.EventOrder{ByPublication: true}}, []int64{13, 11, 12, 10}, 4},
			{"by publication, descending", wpstore.EventQuery{Statuses: publish, Order: wpstore.EventOrder{ByPublication: true, Descending: true}}, []int64{10, 12, 11, 13}, 4},

			{"from", wpstore.EventQuery{Statuses: publish, Bounds: start(">=", "2026-12-01 10:00:00")}, []int64{11, 12, 10}, 3},
			{"after", wpstore.EventQuery{Statuses: publish, Bounds: start(">", "2026-12-01 10:00:00")}, nil, 0},
			{"until", wpstore.EventQuery{Statuses: publish, Bounds: end("<=", "2026-11-20 12:00:00")}, []int64{13}, 1},
			{"before", wpstore.EventQuery{Statuses: publish, Bounds: end("<", "2026-11-20 12:00:00")}, nil, 0},
			{"window", wpstore.EventQuery{Bounds: append(start(">=", "2026-12-02 00:00:00"), end("<", "2026-12-24 20:00:01")...)}, []int64{14}, 1},
			{"UTC", wpstore.EventQuery{Statuses: publish, UTC: true, Order: wpstore.EventOrder{UTC: true}, Bounds: start("<=", "2026-11-20 09:00:00")}, []int64{13}, 1},
			{"UTC bound, local order", wpstore.EventQuery{Statuses: publish, UTC: true, Bounds: start("<", "2026-11-20 09:00:01")}, []int64{13}, 1},
			{"year of five digits", wpstore.EventQuery{Statuses: publish, Bounds: start("<", "10000-01-01 00:00:00")}, nil, 0},
			{"no date", wpstore.EventQuery{Statuses: publish, Bounds: start(">=", "'; DROP TABLE wp_posts")}, []int64{13, 11, 12, 10}, 4},
			{"no operator", wpstore.EventQuery{Statuses: publish, Bounds: start("= 1 OR", "2026-11-20 09:00:01")}, nil, 0},

			{"search title", wpstore.EventQuery{Search: text("KONCERT")}, []int64{13, 10}, 2},
			{"search unprotected", wpstore.EventQuery{Search: text("koncert"), UnprotectedOnly: true}, []int64{10}, 1},
			{"search accents", wpstore.EventQuery{Search: text("zaku")}, []int64{10}, 1},
			{"search excerpt", wpstore.EventQuery{Search: text("hudbou")}, []int64{11}, 1},
			{"search wildcards", wpstore.EventQuery{Search: append(text("%"), text("_")...)}, []int64{12}, 1},
			{"search backslash", wpstore.EventQuery{Search: text(`\`)}, nil, 0},
			{"search quote", wpstore.EventQuery{Search: text(`' OR '1'='1`)}, nil, 0},
			{"search bytes", wpstore.EventQuery{Search: text("\xc5")}, nil, 0},
			{"exclude", wpstore.EventQuery{Statuses: publish, Search: []wpstore.SearchTerm{{Text: "koncert", Exclude: true}}}, []int64{11, 12}, 2},
			{"exclude bytes", wpstore.EventQuery{Statuses: publish, Search: []wpstore.SearchTerm{{Text: "\xc5", Exclude: true}}}, []int64{13, 11, 12, 10}, 4},

			{"category", wpstore.EventQuery{Categories: []int64{1}}, []int64{11, 10}, 2},
			{"categories", wpstore.EventQuery{Categories: []int64{1, 2}}, []int64{11, 10}, 2},
			{"category and tag", wpstore.EventQuery{Categories: []int64{1}, Tags: []int64{3}}, []int64{11}, 1},
			{"tag of the other taxonomy", wpstore.EventQuery{Tags: []int64{1}}, nil, 0},
			{"no category", wpstore.EventQuery{Categories: []int64{}}, nil, 0},
			{"no tag", wpstore.EventQuery{Tags: []int64{}}, nil, 0},
			{"venue", wpstore.EventQuery{Venues: []int64{30}}, []int64{12, 10}, 2},
			{"venues", wpstore.EventQuery{Venues: []int64{30, 31}}, []int64{11, 12, 10}, 3},
			{"venue and organizer", wpstore.EventQuery{Venues: []int64{30}, Organizers: []int64{40, 41}}, []int64{12}, 1},
			{"no venue", wpstore.EventQuery{Venues: []int64{}}, nil, 0},
			{"no organizer", wpstore.EventQuery{Organizers: []int64{}}, nil, 0},
			{"featured", wpstore.EventQuery{Filters: []wpstore.EventFilter{{Name: wpstore.FilterFeatured}}}, []int64{11}, 1},
			{"not featured", wpstore.EventQuery{Filters: []wpstore.EventFilter{{Name: wpstore.FilterFeatured, Lacks: true}}, Statuses: publish}, []int64{13, 12, 10}, 3},
			{"parent", wpstore.EventQuery{Filters: []wpstore.EventFilter{{Name: wpstore.FilterParent, IDs: []int64{10}}}}, []int64{14}, 1},
			{"include", wpstore.EventQuery{Include: []int64{12, 10, 17, 18, 19, 99}}, []int64{12, 10}, 2},
			{"include nothing", wpstore.EventQuery{Include: []int64{}}, nil, 0},
			{"include the impossible", wpstore.EventQuery{Include: []int64{0, -1, 1 << 62}}, nil, 0},
		} {
			for _, c.q.Occurrences = range []bool{true, false} {
				c.q.Limit = 50
				f.queries(1, func(ctx context.Context) {
					ids, total, err := eventIDs(ctx, &f.Events, c.q)
					f.OK(err)
					if !slices.Equal(ids, c.ids) || total != c.total {
						f.t.Errorf("%s (occurrences %v): %v of %d, want %v of %d", c.name, c.q.Occurrences, ids, total, c.ids, c.total)
					}
				})
			}
		}
	})
}

func TestEventPages(t *testing.T) {
	eachEngine(t, func(f fixture) {
		eventSite(f)
		for _, c := range []struct {
			limit, offset int64
			ids           []int64
			queries       int
		}{
			{2, 0, []int64{13, 11}, 1},
			{2, 2, []int64{12, 10}, 1},
			{2, 4, nil, 2}, // nothing on the page determines the total
			{3, 3, []int64{10}, 1},
			{0, 0, nil, 1},
			{-1, -1, nil, 1},
			{1, -7, []int64{13}, 1},
		} {
			q := wpstore.EventQuery{Statuses: []string{"publish"}, Occurrences: true, Limit: c.limit, Offset: c.offset}
			f.queries(c.queries, func(ctx context.Context) {
				ids, total, err := eventIDs(ctx, &f.Events, q)
				f.OK(err)
				if !slices.Equal(ids, c.ids) || total != 4 {
					f.t.Errorf("%d from %d: %v of %d, want %v of 4", c.limit, c.offset, ids, total, c.ids)
				}
			})
		}
	})
}

// An add-on can leave several occurrences of an event: it is listed once, where
// the first matching one stands.
func TestEventWithOccurrences(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Event(10, "2026-12-01 10:00:00", nil)
		f.Occurrence(10, "2026-12-20 10:00:00")
		f.Occurrence(10, "2026-12-30 10:00:00")
		f.Event(11, "2026-12-10 10:00:00", nil)
		from := []wpstore.Bound{{Op: ">=", Value: "2026-12-05 00:00:00"}}
		between := append(from, wpstore.Bound{End: true, Op: "<=", Value: "2026-12-09 00:00:00"})
		for _, c := range []struct {
			q   wpstore.EventQuery
			ids []int64
		}{
			{wpstore.EventQuery{}, []int64{10, 11}},
			{wpstore.EventQuery{Bounds: from}, []int64{11, 10}},
			{wpstore.EventQuery{Bounds: between}, nil}, // both bounds hold for one occurrence
			{wpstore.EventQuery{Order: wpstore.EventOrder{Descending: true}}, []int64{10, 11}},
		} {
			c.q.Occurrences, c.q.Limit = true, 10
			ids, total, err := eventIDs(f.t.Context(), &f.Events, c.q)
			f.OK(err)
			if !slices.Equal(ids, c.ids) || total != int64(len(c.ids)) {
				f.t.Errorf("%+v: %v of %d, want %v", c.q, ids, total, c.ids)
			}
		}
		_, total, err := eventIDs(f.t.Context(), &f.Events, wpstore.EventQuery{Occurrences: true})
		f.OK(err)
		if total != 2 {
			f.t.Errorf("total %d of 2", total)
		}
	})
}

// Metadata holds what people typed.
func TestEventsFromMetadata(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Event(10, "2026-12-01 10:00:00", nil)
		f.Post(11, wpstore.EventType, nil)
		f.Meta(11, "_EventStartDate", "2026-12-02 10:00:00") // no end
		f.Post(12, wpstore.EventType, nil)
		f.Meta(12, "_EventStartDate", "někdy v zimě")
		f.Meta(12, "_EventEndDate", "2026-12-02 10:00:00")
		f.Post(13, wpstore.EventType, nil)
		f.Meta(13, "_EventEndDate", "2026-12-02 10:00:00")
		from := wpstore.Bound{Op: ">=", Value: "2026-01-01 00:00:00"}
		until := wpstore.Bound{End: true, Op: "<=", Value: "2027-01-01 00:00:00"}
		for _, c := range []struct {
			name   string
			bounds []wpstore.Bound
			utc    bool
			ids    []int64
		}{
			{"start", []wpstore.Bound{from}, false, []int64{10, 11}},
			{"start and end", []wpstore.Bound{from, until}, false, []int64{10}},
			{"UTC", []wpstore.Bound{from, until}, true, []int64{10}},
		} {
			ids, total, err := eventIDs(f.t.Context(), &f.Events, wpstore.EventQuery{Bounds: c.bounds, UTC: c.utc, Limit: 10})
			f.OK(err)
			if !slices.Equal(ids, c.ids) || total != int64(len(c.ids)) {
				f.t.Errorf("%s: %v of %d, want %v", c.name, ids, total, c.ids)
			}
		}
	})
}
