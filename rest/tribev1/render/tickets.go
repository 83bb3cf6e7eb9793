package render

import (
	"context"

	"calbridge/rest/api"
	"calbridge/rest/authz"
	"calbridge/rest/calendar"
	"calbridge/rest/cost"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// ticketSet is what Event Tickets adds to the events of a set.
type ticketSet struct {
	// tickets are those of each event, nil where they were not read.
	tickets map[int64][]wpstore.Ticket
	// attendance is nil where it was not read.
	attendance map[int64]wpstore.Attendance
}

// loadTickets reads what Event Tickets adds to events: one query, and one more for users who
// manage attendees. Neither is made for fields that the request doesn't ask for.
func loadTickets(ctx context.Context, store calendar.TicketStore, ids []int64, place *wpsite.Place, viewer *authz.Viewer, asked api.Set) (*ticketSet, error) {
	active := place.Site.Tickets
	if active == nil {
		return nil, nil
	}
	var set ticketSet
	var err error
	if asked.Has("ticketed") || asked.Has("cost") || asked.Has("json_ld") {
		if set.tickets, err = store.Of(ctx, active.Providers, ids); err != nil {
			return nil, err
		}
	}
	if viewer.ManagesAttendees() && asked.Has("attendance") {
		set.attendance, err = store.Attendance(ctx, active.Providers, ids)
	}
	return &set, err
}

// of returns the tickets of an event.
func (s *ticketSet) of(id int64) []wpstore.Ticket {
	if s == nil {
		return nil
	}
	return s.tickets[id]
}

// sameForAll reports whether the JSON of an event depends only on its own rows: its tickets were
// read, and there are none.
func (s *ticketSet) sameForAll(id int64) bool {
	return s == nil || s.tickets != nil && len(s.tickets[id]) == 0
}

// currencyOf returns the currency in which an event with these tickets shows its cost.
func currencyOf(m wpstore.Meta, tickets []wpstore.Ticket, site *wpsite.Site) cost.Currency {
	if len(tickets) > 0 && site.Tickets.Prices {
		return cost.ForTickets(&site.Tickets.Currency)
	}
	return cost.CurrencyOf(m, site)
}

// hasRSVP reports whether tickets include an RSVP: an event without a cost is then free.
func hasRSVP(tickets []wpstore.Ticket) bool {
	for _, t := range tickets {
		if t.Provider == wpstore.RSVP {
			return true
		}
	}
	return false
}

// write writes the fields of an event, which come last. attendance reports whether they include the
// event's attendance. In a locked event they are blank, and numbers are the text "null".
func (s *ticketSet) write(w *phpjson.Writer, id int64, attendance, locked bool) {
	if s == nil {
		return
	}
	if attendance {
		a := s.attendance[id]
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
	for _, t := range s.of(id) { // those of a provider are together
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
