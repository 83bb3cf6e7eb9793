package events_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/tickets"
	"calbridge/wpstore/wptest/rowtest"
)

// TestTicketFilter: lists filter by exactly those events that show tickets, whether an index
// is there or not, and list hidden events only where they are asked for.
func TestTicketFilter(t *testing.T) {
	for seed := range uint64(3) {
		rowtest.EachEngine(t, func(t *testing.T, s *rowtest.Site) {
			store, ticketStore := newStore(s), tickets.New(s.Run, s.Tables)
			rng := rand.New(rand.NewPCG(seed, 17))
			var ids, shown []int64
			for id := int64(1); id <= 25; id++ {
				s.Event(id, fmt.Sprintf("2026-12-%02d 10:00:00", id), nil)
				ids = append(ids, id)
				if rng.IntN(4) == 0 {
					s.Meta(id, "_EventHideFromUpcoming", "yes")
				} else {
					shown = append(shown, id)
				}
			}
			for id := int64(101); id <= 125; id++ {
				p := wpstore.AllTicketPosts()[rng.IntN(2)]
				s.Ticket(id, []string{p.Tickets, p.Tickets, p.Attendees}[rng.IntN(3)], p.TicketEvent, fmt.Sprint(rng.IntN(27)),
					rowtest.Row{"post_status": []string{"publish", "publish", "draft"}[rng.IntN(3)]})
			}
			for _, providers := range [][]wpstore.TicketProvider{nil, {"tc"}, {"rsvp"}, {"tc", "rsvp"}} {
				shownTickets, err := ticketStore.Of(t.Context(), providers, ids)
				s.OK(err)
				for n := range 8 {
					without, hidden, occurrences := n&1 != 0, n&2 != 0, n&4 != 0
					want := slices.Clone(shown)
					if hidden {
						want = slices.Clone(ids)
					}
					want = slices.DeleteFunc(want, func(id int64) bool { return (len(shownTickets[id]) > 0) == without })
					q := wpstore.EventQuery{Tickets: &wpstore.TicketFilter{Providers: providers, Without: without}, Hidden: hidden, Occurrences: occurrences, Limit: 50}
					got, total, err := eventIDs(t.Context(), store, q)
					s.OK(err)
					if !slices.Equal(got, want) || total != int64(len(want)) {
						t.Errorf("seed %d, %v, without %v, hidden %v: %v of %d, want %v", seed, providers, without, hidden, got, total, want)
					}
				}
			}
		})
	}
}
