package tickets_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/tickets"
	"calbridge/wpstore/wptest/rowtest"
)

// providers returns the post types and keys of the two providers.
func providers() (commerce, rsvp wpstore.TicketPosts) {
	all := wpstore.AllTicketPosts()
	return all[0], all[1]
}

func TestOf(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		commerce, rsvp := providers()
		s.Ticket(21, rsvp.Tickets, rsvp.TicketEvent, "1", nil, "_price", "0", "_stock", "5", "other", "x")
		s.Ticket(22, commerce.Tickets, commerce.TicketEvent, "1", rowtest.Row{"menu_order": 2}, "_price", "10", "_price", "20")
		s.Ticket(23, commerce.Tickets, commerce.TicketEvent, "1", rowtest.Row{"menu_order": 1})
		s.Ticket(24, commerce.Tickets, commerce.TicketEvent, "1", rowtest.Row{"post_status": "trash"}, "_price", "10")
		s.Ticket(25, commerce.Tickets, rsvp.TicketEvent, "2", nil)
		s.Ticket(26, "page", rsvp.TicketEvent, "2", nil)
		s.Ticket(27, rsvp.Tickets, rsvp.TicketEvent, nil, nil)
		s.Ticket(28, rsvp.Tickets, rsvp.TicketEvent, "", nil)
		s.Ticket(29, rsvp.Tickets, rsvp.TicketEvent, "3", nil, "_ticket_start_date", "2026-05-01")
		s.Meta(29, "_price", nil)
		s.Ticket(30, rsvp.Tickets, rsvp.TicketEvent, "3", rowtest.Row{"post_status": "draft"})
		s.Ticket(31, rsvp.Tickets, rsvp.TicketEvent, "5", nil)
		s.Meta(31, rsvp.TicketEvent, "6") // of two events
		s.Meta(32, rsvp.TicketEvent, "5") // of a post that is gone
		store := tickets.New(s.Run, s.Tables)
		const asks, no = "tickets.of_events", ""
		for _, c := range []struct {
			name, statements string
			events           []int64
			providers        []wpstore.TicketProvider
			want             string
		}{
			{"both providers", asks, []int64{1, 2, 3}, []wpstore.TicketProvider{"tc", "rsvp"},
				` 1:23tc 1:22tc{_price 10}{_price 20} 1:21rsvp{_price 0}{_stock 5} 3:29rsvp{_ticket_start_date 2026-05-01}{_price NULL}`},
			{"in the given order", asks, []int64{1}, []wpstore.TicketProvider{"rsvp", "tc"}, ` 1:21rsvp{_price 0}{_stock 5} 1:23tc 1:22tc{_price 10}{_price 20}`},
			{"one provider", asks, []int64{1, 1}, []wpstore.TicketProvider{"rsvp"}, ` 1:21rsvp{_price 0}{_stock 5}`},
			{"of two events", asks, []int64{5, 6}, []wpstore.TicketProvider{"rsvp"}, ` 5:31rsvp 6:31rsvp`},
			{"no provider", no, []int64{1}, nil, ""},
			{"no event", no, nil, []wpstore.TicketProvider{"rsvp"}, ""},
			{"no id", no, []int64{0, -1}, []wpstore.TicketProvider{"rsvp"}, ""},
			{"without tickets", asks, []int64{4}, []wpstore.TicketProvider{"rsvp"}, ""},
			{"unknown provider", asks, []int64{1}, []wpstore.TicketProvider{"other"}, ""},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.Runs(c.statements, func(ctx context.Context) {
					found, err := store.Of(ctx, c.providers, c.events)
					s.OK(err)
					if got := listed(found); found == nil || got != c.want {
						t.Errorf("%s\nwant%s", got, c.want)
					}
				})
			})
		}
	})
}

// listed formats tickets with their metadata.
func listed(of map[int64][]wpstore.Ticket) (out string) {
	for _, event := range slices.Sorted(maps.Keys(of)) {
		for _, ticket := range of[event] {
			out += fmt.Sprint(" ", event, ":", ticket.ID, ticket.Provider)
			for _, r := range ticket.Meta.Rows() {
				if r.Null {
					r.Value = "NULL"
				}
				out += fmt.Sprintf("{%s %s}", r.Key, r.Value)
			}
		}
	}
	return out
}

func TestAttendance(t *testing.T) {
	rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
		commerce, rsvp := providers()
		s.Ticket(31, rsvp.Attendees, rsvp.AttendeeEvent, "1", nil, rsvp.CheckedIn, "1", "_tribe_rsvp_status", "yes")
		s.Ticket(32, rsvp.Attendees, rsvp.AttendeeEvent, "1", nil, "_tribe_rsvp_status", "no")
		s.Ticket(33, rsvp.Attendees, rsvp.AttendeeEvent, "1", rowtest.Row{"post_status": "trash"}, rsvp.CheckedIn, "1")
		s.Ticket(34, commerce.Attendees, commerce.AttendeeEvent, "1", nil, commerce.CheckedIn, "1")
		s.Meta(34, commerce.CheckedIn, "1") // twice
		s.Ticket(35, commerce.Tickets, commerce.TicketEvent, "1", nil)
		s.Ticket(36, commerce.Attendees, commerce.AttendeeEvent, "2", rowtest.Row{"post_status": "draft"}, commerce.CheckedIn, "")
		s.Meta(36, commerce.AttendeeEvent, "2") // twice
		s.Meta(36, commerce.CheckedIn, nil)
		s.Ticket(37, rsvp.Attendees, rsvp.AttendeeEvent, "1", rowtest.Row{"post_status": "auto-draft"})
		store := tickets.New(s.Run, s.Tables)
		const asks, no = "tickets.attendance", ""
		for _, c := range []struct {
			name, statements string
			events           []int64
			providers        []wpstore.TicketProvider
			want             string
		}{
			{"both providers", asks, []int64{1, 2, 3, 1}, []wpstore.TicketProvider{"tc", "rsvp"}, "map[1:{3 2} 2:{1 0}]"},
			{"one provider", asks, []int64{1, 2, 3}, []wpstore.TicketProvider{"rsvp"}, "map[1:{2 1}]"},
			{"no provider", no, []int64{1, 2, 3}, nil, "map[]"},
			{"unknown provider", asks, []int64{1}, []wpstore.TicketProvider{"other"}, "map[]"},
			{"no event", no, nil, []wpstore.TicketProvider{"rsvp"}, "map[]"},
		} {
			t.Run(c.name, func(t *testing.T) {
				s.Runs(c.statements, func(ctx context.Context) {
					if got, err := store.Attendance(ctx, c.providers, c.events); err != nil || fmt.Sprint(got) != c.want {
						t.Errorf("%v, want %s: %v", got, c.want, err)
					}
				})
			})
		}
	})
}

// TestNames: everything that tickets are read by is a row whose change the site watches.
func TestNames(t *testing.T) {
	commerce, rsvp := providers()
	names := tickets.Names()
	for _, name := range []string{commerce.Tickets, commerce.AttendeeEvent, rsvp.Attendees, rsvp.AttendeeEvent, rsvp.TicketEvent, rsvp.CheckedIn, wpstore.TicketPrice} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among %q", name, names)
		}
	}
}
