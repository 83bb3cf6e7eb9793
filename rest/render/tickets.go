package render

import (
	"context"

	"calbridge/rest/cost"
	"calbridge/rest/phpjson"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// ticketSet is what Event Tickets adds to the events of a set.
type ticketSet struct {
	// of are the tickets of each event, nil where they were not read.
	of map[int64][]wpstore.Ticket
	// attendance is nil where it was not read.
	attendance map[int64]wpstore.Attendance
}

// loadTickets reads what Event Tickets adds to events: one query, and one more for users who
// manage attendees. Neither is made for fields that the request doesn't ask for.
func (r *Renderer) loadTickets(ctx context.Context, ids []int64) (*ticketSet, error) {
	tickets := r.place.Site.Tickets
	if tickets == nil {
		return nil, nil
	}
	var set ticketSet
	var err error
	if r.Fields.Has("ticketed") || r.Fields.Has("cost") || r.Fields.Has("json_ld") {
		if set.of, err = r.tickets.Of(ctx, tickets.Providers, ids); err != nil {
			return nil, err
		}
	}
	if r.viewer.ManagesAttendees() && r.Fields.Has("attendance") {
		set.attendance, err = r.tickets.Attendance(ctx, tickets.Providers, ids)
	}
	return &set, err
}

// ticketsOf are the tickets of an event.
func (s *Set) ticketsOf(id int64) []wpstore.Ticket {
	if s.tickets == nil {
		return nil
	}
	return s.tickets.of[id]
}

// sameForAll says whether the JSON of an event depends on its own rows only: its tickets
// were read, and there are none.
func (s *ticketSet) sameForAll(id int64) bool {
	return s == nil || s.of != nil && len(s.of[id]) == 0
}

// currency is the currency in which an event shows its cost.
func (r *Renderer) currency(m wpstore.Meta, tickets []wpstore.Ticket) cost.Currency {
	site := r.place.Site
	if len(tickets) > 0 && site.Tickets.Prices {
		return cost.ForTickets(&site.Tickets.Currency)
	}
	return cost.CurrencyOf(m, site)
}

// hasRSVP: an event without a cost is free then.
func hasRSVP(tickets []wpstore.Ticket) bool {
	for _, t := range tickets {
		if t.Provider == wpstore.RSVP {
			return true
		}
	}
	return false
}

// writeTickets writes the fields of Event Tickets, which come last. In a locked event they
// are blank, numbers as the text "null".
func (r *Renderer) writeTickets(w *phpjson.Writer, set *Set, p *wpstore.Post, locked bool) {
	if set.tickets == nil {
		return
	}
	if r.viewer.ManagesAttendees() {
		a := set.tickets.attendance[p.ID]
		w.Key("attendance")
		w.BeginObject()
		for _, f := range []struct {
			name  string
			value int64
		}{{"total_attendees", a.Total}, {"checked_in", a.CheckedIn}, {"not_checked_in", a.Total - a.CheckedIn}} {
			if locked {
				w.KeyString(f.name, "null")
			} else {
				w.KeyInt(f.name, f.value)
			}
		}
		w.EndObject()
	}
	providers := &php.Array{}
	var last wpstore.TicketProvider
	for _, t := range set.ticketsOf(p.ID) { // those of a provider are together
		if t.Provider != last {
			providers.Append(string(t.Provider))
			last = t.Provider
		}
	}
	switch {
	case locked:
		w.KeyNull("ticketed")
	case providers.Len() == 0:
		w.KeyBool("ticketed", false)
	default:
		w.KeyValue("ticketed", providers)
	}
}
