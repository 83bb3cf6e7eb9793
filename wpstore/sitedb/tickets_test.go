package sitedb_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"calbridge/wpstore"
)

func TestTicketsOfEvents(t *testing.T) {
	eachEngine(t, func(f fixture) {
		commerce, rsvp := wpstore.AllTicketPosts()[0], wpstore.AllTicketPosts()[1]
		f.Ticket(21, rsvp.Tickets, rsvp.TicketEvent, "1", nil, "_price", "0", "_stock", "5", "other", "x")
		f.Ticket(22, commerce.Tickets, commerce.TicketEvent, "1", row{"menu_order": 2}, "_price", "10", "_price", "20")
		f.Ticket(23, commerce.Tickets, commerce.TicketEvent, "1", row{"menu_order": 1})
		f.Ticket(24, commerce.Tickets, commerce.TicketEvent, "1", row{"post_status": "trash"}, "_price", "10")
		f.Ticket(25, commerce.Tickets, rsvp.TicketEvent, "2", nil)
		f.Ticket(26, "page", rsvp.TicketEvent, "2", nil)
		f.Ticket(27, rsvp.Tickets, rsvp.TicketEvent, nil, nil)
		f.Ticket(28, rsvp.Tickets, rsvp.TicketEvent, "", nil)
		f.Ticket(29, rsvp.Tickets, rsvp.TicketEvent, "3", nil, "_ticket_start_date", "2026-05-01")
		of := func(events []int64, providers ...wpstore.TicketProvider) string {
			t.Helper()
			var found map[int64][]wpstore.Ticket
			f.queries(min(1, len(providers)*len(events)), func(ctx context.Context) {
				var err error
				found, err = f.Tickets.Of(ctx, providers, events)
				f.OK(err)
			})
			out := ""
			for _, event := range slices.Sorted(maps.Keys(found)) {
				for _, ticket := range found[event] {
					out += fmt.Sprint(" ", event, ":", ticket.ID, ticket.Provider)
					for _, r := range ticket.Meta.Rows() {
						out += fmt.Sprintf("{%s %s}", r.Key, r.Value)
					}
				}
			}
			return out
		}
		for _, c := range []struct {
			events    []int64
			providers []wpstore.TicketProvider
			want      string
		}{
			{[]int64{1, 2, 3}, []wpstore.TicketProvider{"tc", "rsvp"}, " 1:23tc 1:22tc{_price 10}{_price 20} 1:21rsvp{_price 0}{_stock 5} 3:29rsvp{_ticket_start_date 2026-05-01}"},
			{[]int64{1}, []wpstore.TicketProvider{"rsvp"}, " 1:21rsvp{_price 0}{_stock 5}"},
			{[]int64{1}, nil, ""},
			{nil, []wpstore.TicketProvider{"rsvp"}, ""},
			{[]int64{4}, []wpstore.TicketProvider{"rsvp"}, ""},
		} {
			if got := of(c.events, c.providers...); got != c.want {
				t.Errorf("%v of %v:%s, want%s", c.providers, c.events, got, c.want)
			}
		}
	})
}

func TestAttendance(t *testing.T) {
	eachEngine(t, func(f fixture) {
		commerce, rsvp := wpstore.AllTicketPosts()[0], wpstore.AllTicketPosts()[1]
		f.Ticket(31, rsvp.Attendees, rsvp.AttendeeEvent, "1", nil, rsvp.CheckedIn, "1", "_tribe_rsvp_status", "yes")
		f.Ticket(32, rsvp.Attendees, rsvp.AttendeeEvent, "1", nil, "_tribe_rsvp_status", "no")
		f.Ticket(33, rsvp.Attendees, rsvp.AttendeeEvent, "1", row{"post_status": "trash"}, rsvp.CheckedIn, "1")
		f.Ticket(34, commerce.Attendees, commerce.AttendeeEvent, "1", nil, commerce.CheckedIn, "1")
		f.Meta(34, commerce.CheckedIn, "1")
		f.Ticket(35, commerce.Tickets, commerce.TicketEvent, "1", nil)
		f.Ticket(36, commerce.Attendees, commerce.AttendeeEvent, "2", nil, commerce.CheckedIn, "")
		for _, c := range []struct {
			providers []wpstore.TicketProvider
			want      string
		}{
			{[]wpstore.TicketProvider{"tc", "rsvp"}, "map[1:{3 2} 2:{1 0}]"},
			{[]wpstore.TicketProvider{"rsvp"}, "map[1:{2 1}]"},
			{nil, "map[]"},
		} {
			got, err := f.Tickets.Attendance(t.Context(), c.providers, []int64{1, 2, 3})
			f.OK(err)
			if fmt.Sprint(got) != c.want {
				t.Errorf("%v: %v, want %s", c.providers, got, c.want)
			}
		}
	})
}

// TestTicketFilter: lists filter by exactly those events that show tickets, whether an index
// is there or not, and list hidden events only where they are asked for.
func TestTicketFilter(t *testing.T) {
	for seed := range uint64(3) {
		eachEngine(t, func(f fixture) {
			rng := rand.New(rand.NewPCG(seed, 17))
			var ids, shown []int64
			for id := int64(1); id <= 25; id++ {
				f.Event(id, fmt.Sprintf("2026-12-%02d 10:00:00", id), nil)
				ids = append(ids, id)
				if rng.IntN(4) == 0 {
					f.Meta(id, "_EventHideFromUpcoming", "yes")
				} else {
					shown = append(shown, id)
				}
			}
			for id := int64(101); id <= 125; id++ {
				p := wpstore.AllTicketPosts()[rng.IntN(2)]
				f.Ticket(id, []string{p.Tickets, p.Tickets, p.Attendees}[rng.IntN(3)], p.TicketEvent, fmt.Sprint(rng.IntN(27)),
					row{"post_status": []string{"publish", "publish", "draft"}[rng.IntN(3)]})
			}
			for _, providers := range [][]wpstore.TicketProvider{nil, {"tc"}, {"rsvp"}, {"tc", "rsvp"}} {
				tickets, err := f.Tickets.Of(t.Context(), providers, ids)
				f.OK(err)
				for n := range 8 {
					without, hidden, occurrences := n&1 != 0, n&2 != 0, n&4 != 0
					want := slices.Clone(shown)
					if hidden {
						want = slices.Clone(ids)
					}
					want = slices.DeleteFunc(want, func(id int64) bool { return (len(tickets[id]) > 0) == without })
					q := wpstore.EventQuery{Tickets: &wpstore.TicketFilter{Providers: providers, Without: without}, Hidden: hidden, Occurrences: occurrences, Limit: 50}
					got, total, err := eventIDs(t.Context(), &f.Events, q)
					f.OK(err)
					if !slices.Equal(got, want) || total != int64(len(want)) {
						t.Errorf("seed %d, %v, without %v, hidden %v: %v of %d, want %v", seed, providers, without, hidden, got, total, want)
					}
				}
			}
		})
	}
}
