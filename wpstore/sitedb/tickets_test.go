package sitedb_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"calbridge/wpstore"
)

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
