package events_test

import (
	"context"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/events"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/wptest/rowtest"
)

func newStore(s *rowtest.Site) *events.Store {
	store := events.New(s.Run, s.Tables, nil)
	return &store
}

// eventIDs returns a page of events and how many there are in all.
func eventIDs(ctx context.Context, s *events.Store, q wpstore.EventQuery) (ids []int64, total int64, err error) {
	page, err := s.Events(ctx, q, nil)
	return page.IDs, page.Total, err
}

// eventSite adds events in every state, with terms, venues and organizers.
func eventSite(s *rowtest.Site) {
	s.Event(10, "2026-12-01 10:00:00", rowtest.Row{"post_title": "Koncert žáků", "post_date": "2026-03-01 00:00:00"})
	s.Event(11, "2026-12-01 10:00:00", rowtest.Row{"post_title": "Trh", "post_excerpt": "s hudbou", "post_date": "2026-02-01 00:00:00"})
	s.Event(12, "2026-12-01 10:00:00", rowtest.Row{"post_content": "50 % sleva_navíc", "post_date": "2026-02-01 00:00:00"})
	s.Event(13, "2026-11-20 10:00:00", rowtest.Row{"post_title": "Koncert s heslem", "post_password": "x"})
	s.Event(14, "2026-12-24 18:00:00", rowtest.Row{"post_status": "private", "post_author": 9, "post_parent": 10})
	s.Event(15, "2026-12-25 18:00:00", rowtest.Row{"post_status": "draft"})
	s.Event(16, "2026-12-26 18:00:00", rowtest.Row{"post_status": "trash"})
	s.Event(17, "2026-12-02 10:00:00", nil)
	s.Meta(17, "_EventHideFromUpcoming", "") // hidden whatever the value
	s.Post(18, wpstore.EventType, nil)       // no dates
	s.Post(19, "post", nil)
	s.Occurrence(19, "2026-12-03 10:00:00") // left over
	s.Meta(19, "_EventStartDate", "2026-12-03 10:00:00")
	s.Term(1, wpstore.CategoryTaxonomy, "A", "a", 0, 1)
	s.Term(2, wpstore.CategoryTaxonomy, "B", "b", 0, 1)
	s.Term(3, wpstore.TagTaxonomy, "C", "c", 0, 1)
	s.Tag(10, 1)
	s.Tag(11, 2)
	s.Tag(11, 1)
	s.Tag(11, 3)
	s.Meta(10, wpstore.VenueLink, "30")
	s.Meta(11, wpstore.VenueLink, "31, 30")
	s.Meta(12, wpstore.VenueLink, "30")
	s.Meta(12, wpstore.OrganizerLink, "40")
	s.Meta(11, "_tribe_featured", "0") // featured whatever the value
}

func TestEventIDs(t *testing.T) {
	publish := []string{"publish"}
	start := func(op, value string) []wpstore.Bound { return []wpstore.Bound{{Op: op, Value: value}} }
	end := func(op, value string) []wpstore.Bound { return []wpstore.Bound{{End: true, Op: op, Value: value}} }
	text := func(text string) []wpstore.SearchTerm { return []wpstore.SearchTerm{{Text: text}} }
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		eventSite(s)
		store := newStore(s)
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
				s.Runs("events.ids", func(ctx context.Context) {
					ids, total, err := eventIDs(ctx, store, c.q)
					s.OK(err)
					if !slices.Equal(ids, c.ids) || total != c.total {
						t.Errorf("%s (occurrences %v): %v of %d, want %v of %d", c.name, c.q.Occurrences, ids, total, c.ids, c.total)
					}
				})
			}
		}
	})
}

func TestEventPages(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		eventSite(s)
		store := newStore(s)
		for _, c := range []struct {
			limit, offset int64
			ids           []int64
			statements    string
		}{
			{2, 0, []int64{13, 11}, "events.ids"},
			{2, 2, []int64{12, 10}, "events.ids"},
			{2, 4, nil, "events.ids events.count"}, // nothing on the page determines the total
			{3, 3, []int64{10}, "events.ids"},
			{0, 0, nil, "events.count"},
			{-1, -1, nil, "events.count"},
			{1, -7, []int64{13}, "events.ids"},
		} {
			q := wpstore.EventQuery{Statuses: []string{"publish"}, Occurrences: true, Limit: c.limit, Offset: c.offset}
			s.Runs(c.statements, func(ctx context.Context) {
				ids, total, err := eventIDs(ctx, store, q)
				s.OK(err)
				if !slices.Equal(ids, c.ids) || total != 4 {
					t.Errorf("%d from %d: %v of %d, want %v of 4", c.limit, c.offset, ids, total, c.ids)
				}
			})
		}
	})
}

// An add-on can leave several occurrences of an event: it is listed once, where
// the first matching one stands.
func TestEventWithOccurrences(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		store := newStore(s)
		s.Event(10, "2026-12-01 10:00:00", nil)
		s.Occurrence(10, "2026-12-20 10:00:00")
		s.Occurrence(10, "2026-12-30 10:00:00")
		s.Event(11, "2026-12-10 10:00:00", nil)
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
			ids, total, err := eventIDs(t.Context(), store, c.q)
			s.OK(err)
			if !slices.Equal(ids, c.ids) || total != int64(len(c.ids)) {
				t.Errorf("%+v: %v of %d, want %v", c.q, ids, total, c.ids)
			}
		}
		_, total, err := eventIDs(t.Context(), store, wpstore.EventQuery{Occurrences: true})
		s.OK(err)
		if total != 2 {
			t.Errorf("total %d of 2", total)
		}
	})
}

// Metadata holds what people typed.
func TestEventsFromMetadata(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		store := newStore(s)
		s.Event(10, "2026-12-01 10:00:00", nil)
		s.Post(11, wpstore.EventType, nil)
		s.Meta(11, "_EventStartDate", "2026-12-02 10:00:00") // no end
		s.Post(12, wpstore.EventType, nil)
		s.Meta(12, "_EventStartDate", "někdy v zimě")
		s.Meta(12, "_EventEndDate", "2026-12-02 10:00:00")
		s.Post(13, wpstore.EventType, nil)
		s.Meta(13, "_EventEndDate", "2026-12-02 10:00:00")
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
			ids, total, err := eventIDs(t.Context(), store, wpstore.EventQuery{Bounds: c.bounds, UTC: c.utc, Limit: 10})
			s.OK(err)
			if !slices.Equal(ids, c.ids) || total != int64(len(c.ids)) {
				t.Errorf("%s: %v of %d, want %v", c.name, ids, total, c.ids)
			}
		}
	})
}

// TestListDependencies: a list depends on all posts where the index, by which lists of events
// change, doesn't know which events its filters find.
func TestListDependencies(t *testing.T) {
	s := rowtest.NewSite(t, "sqlite")
	posts, tickets := []invalidation.Kind{invalidation.Posts}, []invalidation.Kind{invalidation.Tickets}
	for name, c := range map[string]struct {
		q       wpstore.EventQuery
		besides []invalidation.Kind
	}{
		"no filter":       {wpstore.EventQuery{}, nil},
		"an indexed one":  {wpstore.EventQuery{Filters: []wpstore.EventFilter{{Name: wpstore.FilterFeatured}}}, nil},
		"one that is not": {wpstore.EventQuery{Filters: []wpstore.EventFilter{{Name: wpstore.FilterFeatured}, {Name: wpstore.FilterIDs, IDs: []int64{1}}}}, posts},
		"hidden":          {wpstore.EventQuery{Hidden: true}, posts},
		"search":          {wpstore.EventQuery{Search: []wpstore.SearchTerm{{Text: "x"}}}, posts},
		"by duration":     {wpstore.EventQuery{Order: wpstore.EventOrder{ByDuration: true}}, posts},
		"tickets":         {wpstore.EventQuery{Tickets: &wpstore.TicketFilter{Providers: []wpstore.TicketProvider{wpstore.RSVP}}}, tickets},
	} {
		t.Run(name, func(t *testing.T) {
			request := s.Request()
			c.q.Occurrences, c.q.Limit = true, 5
			_, err := newStore(request).Events(t.Context(), c.q, nil)
			s.OK(err)
			want := []invalidation.Tag{{Kind: invalidation.Events}}
			for _, kind := range c.besides {
				want = append(want, invalidation.Tag{Kind: kind})
			}
			request.Depended(want...)
		})
	}
}

// TestManyIncluded: more ids than one IN list holds are no error.
func TestManyIncluded(t *testing.T) {
	s := rowtest.NewSite(t, "sqlite")
	s.Event(24_000, "2026-12-01 10:00:00", nil)
	ids := make([]int64, 25_000)
	for i := range ids {
		ids[i] = int64(i)
	}
	s.Runs("events.ids", func(ctx context.Context) {
		found, total, err := eventIDs(ctx, newStore(s), wpstore.EventQuery{Include: ids, Occurrences: true, Limit: 10})
		s.OK(err)
		if total != 1 || !slices.Equal(found, []int64{24_000}) {
			t.Errorf("%v of %d", found, total)
		}
	})
}
