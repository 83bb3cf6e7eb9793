package events_test

import (
	"context"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/events"
	"calbridge/wpstore/wptest/rowtest"
)

func TestLinkedIDs(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		store := events.NewLinked(s.Run, s.Tables, nil)
		for id, r := range map[int64]rowtest.Row{
			1: {"post_date": "2026-01-01 00:00:00"},
			2: {"post_date": "2026-03-01 00:00:00"},
			3: {"post_date": "2026-03-01 00:00:00"},
			4: {"post_date": "2026-02-01 00:00:00", "post_status": "draft"},
			5: {"post_date": "2026-04-01 00:00:00", "post_status": "trash"},
			6: {"post_date": "2026-05-01 00:00:00", "post_status": "auto-draft"},
			7: {"post_date": "2026-06-01 00:00:00", "post_status": "private", "post_author": 9},
		} {
			s.Post(id, wpstore.VenueType, r)
		}
		s.Post(8, wpstore.OrganizerType, nil)
		publish := []string{"publish"}
		for _, c := range []struct {
			name       string
			q          wpstore.LinkedQuery
			ids        []int64
			total      int64
			statements string
		}{
			{"published", wpstore.LinkedQuery{Statuses: publish, Limit: 10}, []int64{3, 2, 1}, 3, "linked.ids"},
			{"first page", wpstore.LinkedQuery{Statuses: publish, Limit: 2}, []int64{3, 2}, 3, "linked.ids linked.count"},
			{"last page", wpstore.LinkedQuery{Statuses: publish, Limit: 2, Offset: 2}, []int64{1}, 3, "linked.ids"},
			{"beyond", wpstore.LinkedQuery{Statuses: publish, Limit: 2, Offset: 4}, nil, 3, "linked.ids linked.count"},
			{"total", wpstore.LinkedQuery{Statuses: publish}, nil, 3, "linked.count"},
			{"any", wpstore.LinkedQuery{Only: []int64{1, 3, 4, 5, 6, 7, 8}, Limit: 10}, []int64{7, 3, 4, 1}, 4, "linked.ids"},
			{"draft", wpstore.LinkedQuery{Statuses: []string{"draft"}, Limit: 10}, []int64{4}, 1, "linked.ids"},
			{"no status", wpstore.LinkedQuery{Statuses: []string{}, Limit: 10}, nil, 0, "linked.ids"},
			{"own private", wpstore.LinkedQuery{Statuses: publish, Own: &wpstore.Own{Author: 9, Statuses: []string{"publish", "private"}}, Only: []int64{1, 7}, Limit: 10}, []int64{7, 1}, 2, "linked.ids"},
			{"other's private", wpstore.LinkedQuery{Statuses: publish, Own: &wpstore.Own{Author: 8, Statuses: []string{"publish", "private"}}, Only: []int64{1, 7}, Limit: 10}, []int64{1}, 1, "linked.ids"},
			{"only nothing", wpstore.LinkedQuery{Only: []int64{}, Limit: 10}, nil, 0, ""},
		} {
			c.q.PostType = wpstore.VenueType
			s.Runs(c.statements, func(ctx context.Context) {
				page, err := store.Linked(ctx, c.q, wpstore.InLanguage{})
				s.OK(err)
				ids, total := page.IDs, page.Total
				if !slices.Equal(ids, c.ids) || total != c.total {
					t.Errorf("%s: %v of %d, want %v of %d", c.name, ids, total, c.ids, c.total)
				}
			})
		}
		all, err := store.AllIDs(t.Context(), wpstore.VenueType)
		s.OK(err)
		if !slices.Equal(all, []int64{1, 2, 3, 4, 5, 6, 7}) {
			t.Errorf("all: %v", all)
		}
	})
}

func TestSearchLinked(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		store := events.NewLinked(s.Run, s.Tables, nil)
		s.Post(1, wpstore.VenueType, rowtest.Row{"post_title": "Kulturní dům Svět"})
		s.Meta(1, "_VenueCity", "Brno-střed")
		s.Post(2, wpstore.VenueType, rowtest.Row{"post_content": "Sál v domě kultury, svět"})
		s.Post(3, wpstore.VenueType, rowtest.Row{"post_status": "trash", "post_title": "dum svet"})
		s.Post(4, wpstore.VenueType, rowtest.Row{"post_status": "auto-draft", "post_title": "dum svet"})
		s.Post(5, wpstore.OrganizerType, rowtest.Row{"post_title": "dum svet"})
		s.Meta(5, "_OrganizerEmail", "info@brno.example")
		for _, c := range []struct {
			postType  string
			fragments []string
			want      []int64
		}{
			{wpstore.VenueType, []string{"dum", "svet"}, []int64{1, 4}},
			{wpstore.VenueType, []string{"dom", "svet"}, []int64{2}},
			{wpstore.VenueType, []string{"brno-st"}, []int64{1}},
			{wpstore.VenueType, []string{"dum", "brno"}, nil}, // not across fields
			{wpstore.VenueType, nil, nil},
			{wpstore.VenueType, []string{"%"}, nil},
			{wpstore.VenueType, []string{"\xff"}, nil},
			{wpstore.OrganizerType, []string{"brno"}, []int64{5}},
			{"post", []string{"dum"}, nil},
		} {
			ids, err := store.SearchLinked(t.Context(), c.postType, c.fragments, nil)
			s.OK(err)
			slices.Sort(ids)
			if !slices.Equal(ids, c.want) {
				t.Errorf("%q: %v, want %v", c.fragments, ids, c.want)
			}
		}
		// Among readable posts. Passwords are compared byte by byte.
		s.Post(6, wpstore.VenueType, rowtest.Row{"post_status": "draft", "post_title": "dum svet", "post_author": 9})
		s.Post(7, wpstore.VenueType, rowtest.Row{"post_status": "draft", "post_title": "dum svet", "post_author": 8})
		for i, password := range []string{"sesam", "Sesam", " "} {
			s.Post(int64(8+i), wpstore.VenueType, rowtest.Row{"post_title": "dum svet", "post_password": password})
		}
		readable := &wpstore.Readable{
			Statuses: []string{"publish"}, Own: &wpstore.Own{Author: 9, Statuses: []string{"publish", "draft"}}, Passwords: []string{"Sesam"},
		}
		ids, err := store.SearchLinked(t.Context(), wpstore.VenueType, []string{"dum"}, readable)
		s.OK(err)
		if slices.Sort(ids); !slices.Equal(ids, []int64{1, 6, 9}) {
			t.Errorf("readable: %v", ids)
		}
	})
}

func TestLinksOfEvents(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		store := events.NewLinked(s.Run, s.Tables, nil)
		link := func(event int64, values ...string) {
			for _, value := range values {
				s.Meta(event, wpstore.VenueLink, value)
			}
		}
		s.Event(10, "2026-12-01 10:00:00", nil)
		link(10, "30", "21", " 22x", "-23", "0", "", "a:1:{i:0;i:24;}", "30")
		s.Event(11, "2026-12-02 10:00:00", rowtest.Row{"post_status": "draft"})
		link(11, "40")
		s.Event(12, "2026-12-03 10:00:00", rowtest.Row{"post_status": "trash"})
		link(12, "41")
		s.Event(13, "2026-11-30 10:00:00", nil)
		link(13, "42")
		s.Meta(13, "_EventHideFromUpcoming", "yes")
		s.Event(14, "2026-11-21 12:00:00", nil)
		link(14, "43")
		s.Event(15, "2026-11-21 11:59:59", nil)
		link(15, "44")
		s.Post(16, "post", nil)
		link(16, "45")
		s.Meta(14, wpstore.OrganizerLink, "50")
		const now = "2026-11-21 12:00:00"
		publish := []string{"publish"}
		for _, c := range []struct {
			name, statements string
			get              func(ctx context.Context) ([]int64, error)
			want             []int64
		}{
			{"of event", "linked.of_event", func(ctx context.Context) ([]int64, error) { return store.LinkedOfEvent(ctx, 10, wpstore.VenueLink) }, []int64{30, 21, 22, 23}},
			{"of no event", "linked.of_event", func(ctx context.Context) ([]int64, error) { return store.LinkedOfEvent(ctx, 99, wpstore.VenueLink) }, nil},
			{"with events", "linked.with_events", func(ctx context.Context) ([]int64, error) {
				return store.LinkedWithEvents(ctx, wpstore.VenueLink, nil)
			}, []int64{21, 22, 23, 30, 41, 42, 43, 44}},
			{"upcoming", "linked.upcoming", func(ctx context.Context) ([]int64, error) {
				return store.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, Occurrences: true, Limit: 10}, now)
			}, []int64{21, 22, 23, 30, 43}},
			{"upcoming, any status", "linked.upcoming", func(ctx context.Context) ([]int64, error) {
				return store.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Occurrences: true, Limit: 10}, now)
			}, []int64{21, 22, 23, 30, 40, 43}},
			{"the next", "linked.upcoming", func(ctx context.Context) ([]int64, error) {
				return store.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, Occurrences: true, Limit: 1}, now)
			}, []int64{43}},
			{"the next in UTC", "linked.upcoming", func(ctx context.Context) ([]int64, error) {
				return store.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, UTC: true, Occurrences: true, Limit: 1}, now)
			}, []int64{21, 22, 23, 30}},
			{"upcoming by metadata", "linked.upcoming", func(ctx context.Context) ([]int64, error) {
				return store.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, Limit: 10}, now)
			}, []int64{21, 22, 23, 30, 43}},
			{"organizers", "linked.upcoming", func(ctx context.Context) ([]int64, error) {
				return store.LinkedUpcoming(ctx, wpstore.OrganizerLink, wpstore.EventQuery{Statuses: publish, Occurrences: true, Limit: 10}, now)
			}, []int64{50}},
		} {
			s.Runs(c.statements, func(ctx context.Context) {
				ids, err := c.get(ctx)
				s.OK(err)
				if c.name != "of event" {
					slices.Sort(ids)
				}
				if !slices.Equal(ids, c.want) {
					t.Errorf("%s: %v, want %v", c.name, ids, c.want)
				}
			})
		}
		none, err := store.LinkedUpcoming(t.Context(), wpstore.VenueLink, wpstore.EventQuery{Occurrences: true}, now)
		s.OK(err)
		if none != nil {
			t.Errorf("the first no events link %v", none)
		}
	})
}
