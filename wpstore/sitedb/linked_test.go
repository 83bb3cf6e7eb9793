package sitedb_test

import (
	"context"
	"slices"
	"testing"

	"calbridge/wpstore"
)

func TestLinkedIDs(t *testing.T) {
	eachEngine(t, func(f fixture) {
		for id, r := range map[int64]row{
			1: {"post_date": "2026-01-01 00:00:00"},
			2: {"post_date": "2026-03-01 00:00:00"},
			3: {"post_date": "2026-03-01 00:00:00"},
			4: {"post_date": "2026-02-01 00:00:00", "post_status": "draft"},
			5: {"post_date": "2026-04-01 00:00:00", "post_status": "trash"},
			6: {"post_date": "2026-05-01 00:00:00", "post_status": "auto-draft"},
			7: {"post_date": "2026-06-01 00:00:00", "post_status": "private", "post_author": 9},
		} {
			f.Post(id, wpstore.VenueType, r)
		}
		f.Post(8, wpstore.OrganizerType, nil)
		publish := []string{"publish"}
		for _, c := range []struct {
			name    string
			q       wpstore.LinkedQuery
			ids     []int64
			total   int64
			queries int
		}{
			{"published", wpstore.LinkedQuery{Statuses: publish, Limit: 10}, []int64{3, 2, 1}, 3, 1},
			{"first page", wpstore.LinkedQuery{Statuses: publish, Limit: 2}, []int64{3, 2}, 3, 2},
			{"last page", wpstore.LinkedQuery{Statuses: publish, Limit: 2, Offset: 2}, []int64{1}, 3, 1},
			{"beyond", wpstore.LinkedQuery{Statuses: publish, Limit: 2, Offset: 4}, nil, 3, 2},
			{"total", wpstore.LinkedQuery{Statuses: publish}, nil, 3, 1},
			{"any", wpstore.LinkedQuery{Only: []int64{1, 3, 4, 5, 6, 7, 8}, Limit: 10}, []int64{7, 3, 4, 1}, 4, 1},
			{"draft", wpstore.LinkedQuery{Statuses: []string{"draft"}, Limit: 10}, []int64{4}, 1, 1},
			{"no status", wpstore.LinkedQuery{Statuses: []string{}, Limit: 10}, nil, 0, 1},
			{"own private", wpstore.LinkedQuery{Statuses: publish, Own: &wpstore.Own{Author: 9, Statuses: []string{"publish", "private"}}, Only: []int64{1, 7}, Limit: 10}, []int64{7, 1}, 2, 1},
			{"other's private", wpstore.LinkedQuery{Statuses: publish, Own: &wpstore.Own{Author: 8, Statuses: []string{"publish", "private"}}, Only: []int64{1, 7}, Limit: 10}, []int64{1}, 1, 1},
			{"only nothing", wpstore.LinkedQuery{Only: []int64{}, Limit: 10}, nil, 0, 0},
		} {
			c.q.PostType = wpstore.VenueType
			f.queries(c.queries, func(ctx context.Context) {
				page, err := f.Linked.Linked(ctx, c.q, wpstore.InLanguage{})
				f.OK(err)
				ids, total := page.IDs, page.Total
				if !slices.Equal(ids, c.ids) || total != c.total {
					f.t.Errorf("%s: %v of %d, want %v of %d", c.name, ids, total, c.ids, c.total)
				}
			})
		}
		all, err := f.Linked.AllIDs(f.t.Context(), wpstore.VenueType)
		f.OK(err)
		if !slices.Equal(all, []int64{1, 2, 3, 4, 5, 6, 7}) {
			f.t.Errorf("all: %v", all)
		}
	})
}

func TestSearchLinked(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Post(1, wpstore.VenueType, row{"post_title": "Kulturní dům Svět"})
		f.Meta(1, "_VenueCity", "Brno-střed")
		f.Post(2, wpstore.VenueType, row{"post_content": "Sál v domě kultury, svět"})
		f.Post(3, wpstore.VenueType, row{"post_status": "trash", "post_title": "dum svet"})
		f.Post(4, wpstore.VenueType, row{"post_status": "auto-draft", "post_title": "dum svet"})
		f.Post(5, wpstore.OrganizerType, row{"post_title": "dum svet"})
		f.Meta(5, "_OrganizerEmail", "info@brno.example")
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
			ids, err := f.Linked.SearchLinked(f.t.Context(), c.postType, c.fragments, nil)
			f.OK(err)
			slices.Sort(ids)
			if !slices.Equal(ids, c.want) {
				f.t.Errorf("%q: %v, want %v", c.fragments, ids, c.want)
			}
		}
		// Among readable posts. Passwords are compared byte by byte.
		f.Post(6, wpstore.VenueType, row{"post_status": "draft", "post_title": "dum svet", "post_author": 9})
		f.Post(7, wpstore.VenueType, row{"post_status": "draft", "post_title": "dum svet", "post_author": 8})
		for i, password := range []string{"sesam", "Sesam", " "} {
			f.Post(int64(8+i), wpstore.VenueType, row{"post_title": "dum svet", "post_password": password})
		}
		readable := &wpstore.Readable{
			Statuses: []string{"publish"}, Own: &wpstore.Own{Author: 9, Statuses: []string{"publish", "draft"}}, Passwords: []string{"Sesam"},
		}
		ids, err := f.Linked.SearchLinked(f.t.Context(), wpstore.VenueType, []string{"dum"}, readable)
		f.OK(err)
		if slices.Sort(ids); !slices.Equal(ids, []int64{1, 6, 9}) {
			f.t.Errorf("readable: %v", ids)
		}
	})
}

func TestLinksOfEvents(t *testing.T) {
	eachEngine(t, func(f fixture) {
		link := func(event int64, values ...string) {
			for _, value := range values {
				f.Meta(event, wpstore.VenueLink, value)
			}
		}
		f.Event(10, "2026-12-01 10:00:00", nil)
		link(10, "30", "21", " 22x", "-23", "0", "", "a:1:{i:0;i:24;}", "30")
		f.Event(11, "2026-12-02 10:00:00", row{"post_status": "draft"})
		link(11, "40")
		f.Event(12, "2026-12-03 10:00:00", row{"post_status": "trash"})
		link(12, "41")
		f.Event(13, "2026-11-30 10:00:00", nil)
		link(13, "42")
		f.Meta(13, "_EventHideFromUpcoming", "yes")
		f.Event(14, "2026-11-21 12:00:00", nil)
		link(14, "43")
		f.Event(15, "2026-11-21 11:59:59", nil)
		link(15, "44")
		f.Post(16, "post", nil)
		link(16, "45")
		f.Meta(14, wpstore.OrganizerLink, "50")
		const now = "2026-11-21 12:00:00"
		publish := []string{"publish"}
		for _, c := range []struct {
			name string
			get  func(ctx context.Context) ([]int64, error)
			want []int64
		}{
			{"of event", func(ctx context.Context) ([]int64, error) { return f.Linked.LinkedOfEvent(ctx, 10, wpstore.VenueLink) }, []int64{30, 21, 22, 23}},
			{"of no event", func(ctx context.Context) ([]int64, error) { return f.Linked.LinkedOfEvent(ctx, 99, wpstore.VenueLink) }, nil},
			{"with events", func(ctx context.Context) ([]int64, error) {
				return f.Linked.LinkedWithEvents(ctx, wpstore.VenueLink, nil)
			}, []int64{21, 22, 23, 30, 41, 42, 43, 44}},
			{"upcoming", func(ctx context.Context) ([]int64, error) {
				return f.Linked.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, Occurrences: true, Limit: 10}, now)
			}, []int64{21, 22, 23, 30, 43}},
			{"upcoming, any status", func(ctx context.Context) ([]int64, error) {
				return f.Linked.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Occurrences: true, Limit: 10}, now)
			}, []int64{21, 22, 23, 30, 40, 43}},
			{"the next", func(ctx context.Context) ([]int64, error) {
				return f.Linked.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, Occurrences: true, Limit: 1}, now)
			}, []int64{43}},
			{"the next in UTC", func(ctx context.Context) ([]int64, error) {
				return f.Linked.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, UTC: true, Occurrences: true, Limit: 1}, now)
			}, []int64{21, 22, 23, 30}},
			{"upcoming by metadata", func(ctx context.Context) ([]int64, error) {
				return f.Linked.LinkedUpcoming(ctx, wpstore.VenueLink, wpstore.EventQuery{Statuses: publish, Limit: 10}, now)
			}, []int64{21, 22, 23, 30, 43}},
			{"organizers", func(ctx context.Context) ([]int64, error) {
				return f.Linked.LinkedUpcoming(ctx, wpstore.OrganizerLink, wpstore.EventQuery{Statuses: publish, Occurrences: true, Limit: 10}, now)
			}, []int64{50}},
		} {
			f.queries(1, func(ctx context.Context) {
				ids, err := c.get(ctx)
				f.OK(err)
				if c.name != "of event" {
					slices.Sort(ids)
				}
				if !slices.Equal(ids, c.want) {
					f.t.Errorf("%s: %v, want %v", c.name, ids, c.want)
				}
			})
		}
		none, err := f.Linked.LinkedUpcoming(f.t.Context(), wpstore.VenueLink, wpstore.EventQuery{Occurrences: true}, now)
		f.OK(err)
		if none != nil {
			f.t.Errorf("the first no events link %v", none)
		}
	})
}
