package rest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore"
	"calbridge/wpstore/invalidation"
	"calbridge/wpstore/php"
)

// ticketSite returns a site with five events. The first three have tickets: an RSVP, two tickets
// of Tickets Commerce, and both kinds. The fourth has a password, and the fifth is hidden. Event
// Tickets is active, with the given calendar options.
func ticketSite(t *testing.T, options ...any) *testSite {
	s := newTestSite(t)
	s.withTickets(options...)
	return s
}

func (s *testSite) withTickets(options ...any) {
	s.t.Helper()
	s.exec("DELETE FROM wp_tec_occurrences")
	s.exec("DELETE FROM wp_posts WHERE post_type = 'tribe_events'")
	s.setOption("active_plugins", php.Strings("event-tickets/event-tickets.php", "the-events-calendar/the-events-calendar.php"))
	s.setCalendarOptions(append([]any{"defaultCurrencySymbol", "Kč", "reverseCurrencyPosition", true, "tickets_commerce_enabled", true}, options...)...)
	for i, cost := range []string{"", "1200", "", "80", "50"} {
		id := int64(1001 + i)
		password := ""
		if id == 1004 {
			password = "sesame"
		}
		s.insert("posts", row{"ID": id, "post_type": "tribe_events", "post_status": "publish", "post_author": 1, "post_title": fmt.Sprint("Event ", id),
			"post_name": fmt.Sprint("event-", id), "post_date": "2026-01-01 12:00:00", "post_password": password})
		s.addDates(id, fmt.Sprintf("2027-01-%02d 10:00:00", i+1), fmt.Sprintf("2027-01-%02d 12:00:00", i+1), "Europe/Prague")
		if cost != "" {
			s.addMeta(id, "_EventCost", cost)
		}
	}
	s.addMeta(1005, "_EventHideFromUpcoming", "yes")
	s.addTicket(2001, wpstore.RSVP, 1001, "_price", "0", "_stock", "3", "_ticket_start_date", "2026-05-01 08:00:00")
	s.addTicket(2002, wpstore.TicketsCommerce, 1002, "_price", "99.50", "_manage_stock", "no", "_ticket_start_date", "2026-05-01", "_ticket_end_date", "2026-06-01")
	s.addTicket(2003, wpstore.TicketsCommerce, 1002, "_price", "1250", "_stock", "0")
	s.addTicket(2004, wpstore.RSVP, 1003, "_price", "0", "_tribe_ticket_capacity", "-1")
	s.addTicket(2005, wpstore.TicketsCommerce, 1003, "_price", "10", "_stock", "9")
	s.addTicket(2006, wpstore.RSVP, 1004, "_price", "0")
	s.addTicket(2007, wpstore.RSVP, 1005, "_price", "0")
	for i, come := range []string{"1", "", "0"} {
		s.addAttendee(int64(3001+i), wpstore.RSVP, 1001, come)
	}
	s.addAttendee(3004, wpstore.TicketsCommerce, 1003, "1")
}

func postsOf(provider wpstore.TicketProvider) wpstore.TicketPosts {
	for _, p := range wpstore.AllTicketPosts() {
		if p.Provider == provider {
			return p
		}
	}
	return wpstore.TicketPosts{}
}

func (s *testSite) addTicket(id int64, provider wpstore.TicketProvider, event int64, meta ...string) {
	s.t.Helper()
	p := postsOf(provider)
	s.insert("posts", row{"ID": id, "post_type": p.Tickets, "post_status": "publish", "post_title": "Ticket", "post_date": "2026-01-01 12:00:00"})
	s.addMeta(id, p.TicketEvent, fmt.Sprint(event))
	for i := 0; i < len(meta); i += 2 {
		s.addMeta(id, meta[i], meta[i+1])
	}
}

func (s *testSite) addAttendee(id int64, provider wpstore.TicketProvider, event int64, come string) {
	s.t.Helper()
	p := postsOf(provider)
	s.insert("posts", row{"ID": id, "post_type": p.Attendees, "post_status": "publish", "post_title": "Guest", "post_date": "2026-01-01 12:00:00"})
	s.addMeta(id, p.AttendeeEvent, fmt.Sprint(event))
	if come != "" {
		s.addMeta(id, p.CheckedIn, come)
	}
}

// show joins the values at some paths of a JSON answer.
func (a answer) show(paths ...string) string {
	a.t.Helper()
	var out []string
	for _, path := range paths {
		out = append(out, strings.Join(strings.Fields(a.json(path)), ""))
	}
	return strings.Join(out, " | ")
}

// TestTicketFields: costs, providers, attendance and offers by the settings of Event Tickets.
func TestTicketFields(t *testing.T) {
	const none = " | "
	for name, c := range map[string]struct {
		options []any
		want    [3]string // cost | ticketed of events 1001 to 1003
		other   string    // cost of event 1006, which has no tickets
	}{
		"Tickets Commerce, defaults": {nil, [3]string{"Free | [rsvp]", "&#x24;1,200.00 | [tc]", "Free | [tc rsvp]"}, "30&#x24;"},
		"euro": {[]any{"tickets-commerce-currency-code", "EUR", "tickets-commerce-currency-decimal-separator", ",", "tickets-commerce-currency-thousands-separator", ".",
			"tickets-commerce-currency-number-of-decimals", "1", "tickets-commerce-currency-position", "postfix_space"},
			[3]string{"Free | [rsvp]", "&#8364;1.200,0 | [tc]", "Free | [tc rsvp]"}, "30&#8364;"},
		"a sign of Unicode, no decimals": {[]any{"tickets-commerce-currency-code", "GBP", "tickets-commerce-currency-number-of-decimals", "0", "tickets-commerce-currency-thousands-separator", ""},
			[3]string{"Free | [rsvp]", "&#163;1200 | [tc]", "Free | [tc rsvp]"}, "30&#163;"},
		"Tickets Commerce off": {[]any{"tickets_commerce_enabled", false}, [3]string{"Free | [rsvp]", "1200Kč | false", "Free | [rsvp]"}, "30Kč"},
		"not for events": {[]any{"ticket-enabled-post-types", php.Strings("page")},
			[3]string{none + "false", "1200&#x24; | false", none + "false"}, "30&#x24;"},
		"for events": {[]any{"ticket-enabled-post-types", php.Strings("page", "tribe_events")}, [3]string{"Free | [rsvp]", "&#x24;1,200.00 | [tc]", "Free | [tc rsvp]"}, "30&#x24;"},
	} {
		s := ticketSite(t, c.options...)
		s.insert("posts", row{"ID": 1006, "post_type": "tribe_events", "post_status": "publish", "post_title": "Other", "post_date": "2026-01-01 12:00:00"})
		s.addDates(1006, "2027-02-01 10:00:00", "2027-02-01 11:00:00", "UTC")
		s.addMeta(1006, "_EventCost", "30")
		list := s.get("events")
		for i, want := range c.want {
			single := s.get(fmt.Sprint("events/", 1001+i))
			inList := list.show(fmt.Sprintf("events.%d.cost", i), fmt.Sprintf("events.%d.ticketed", i))
			if one := single.show("cost", "ticketed"); ticketText(one) != want || ticketText(inList) != want {
				t.Errorf("%s: event %d: %s, in the list %s, want %s", name, 1001+i, one, inList, want)
			}
		}
		if got := s.get("events/1006").json("cost"); got != c.other {
			t.Errorf("%s: without tickets %q, want %q", name, got, c.other)
		}
	}
}

// ticketText writes lists without JSON's punctuation.
func ticketText(s string) string { return strings.NewReplacer(`","`, " ", `"`, "").Replace(s) }

// TestTicketOffers: each ticket is an offer in place of the price.
func TestTicketOffers(t *testing.T) {
	s := ticketSite(t)
	const url = `"url":"https:\/\/village.example\/event\/event-1002\/"`
	want := `"offers":[{"@type":"Offer",` + url + `,"price":"99.5","category":"primary","availability":"InStock","priceCurrency":"USD","validFrom":"2026-05-01T00:00:00+00:00","validThrough":"2026-06-01T00:00:00+00:00"},` +
		`{"@type":"Offer",` + url + `,"price":"1250","category":"primary","availability":"SoldOut","priceCurrency":"USD"}],"eventAttendanceMode"`
	if a := s.get("events/1002"); !strings.Contains(a.body, want) || strings.Count(a.body, `"offers"`) != 1 {
		t.Errorf("%s\nwant %s", a.body, want)
	}
	if a := s.get("events/1003"); a.show("json_ld.offers.0.price", "json_ld.offers.0.availability", "json_ld.offers.1.price", "json_ld.offers.1.availability") != "10 | InStock | 0 | InStock" {
		t.Error(a.body)
	}
	if a := s.get("events/1001"); a.json("json_ld.offers.0.availability") != "LimitedAvailability" {
		t.Error(a.body)
	}
}

// TestAttendance: who manages attendees sees it, and events hidden from listings. What a
// password protects is blank in lists.
func TestAttendance(t *testing.T) {
	s := ticketSite(t)
	if a := s.do(ask{target: "events/1001", as: "adela"}); !strings.HasSuffix(a.body, `,"attendance":{"total_attendees":3,"checked_in":1,"not_checked_in":2},"ticketed":["rsvp"]}`) {
		t.Error(a.body)
	}
	if a := s.do(ask{target: "events/1003", as: "adela"}); a.show("attendance.total_attendees", "attendance.checked_in") != "1 | 1" {
		t.Error(a.body)
	}
	list := s.do(ask{target: "events", as: "adela"})
	if list.json("total") != "5" || !strings.Contains(list.body, `"custom_fields":[],"attendance":{"total_attendees":"null","checked_in":"null","not_checked_in":"null"},"ticketed":null}`) {
		t.Error(list.body)
	}
	for _, user := range []string{"", "edita"} {
		a := s.do(ask{target: "events", as: user})
		if a.json("total") != "4" || strings.Contains(a.body, "attendance") || !strings.Contains(a.body, `"custom_fields":[],"ticketed":null}`) {
			t.Errorf("%s: %s", user, a.body)
		}
	}
	if a := s.get("events/1004?password=sesame"); a.show("ticketed", "cost") != `["rsvp"] | &#x24;80.00` {
		t.Error(a.show("ticketed", "cost"))
	}
	s.setCalendarOptions("tickets_commerce_enabled", false)
	if a := s.do(ask{target: "events/1003", as: "adela"}); a.json("attendance.total_attendees") != "0" {
		t.Errorf("attendees of a provider that is off: %s", a.body)
	}
}

// TestTicketedFilter: what the argument accepts, selects and repeats.
func TestTicketedFilter(t *testing.T) {
	s := ticketSite(t)
	const base = "https://village.example/wp-json/calendar/events/v1/events/"
	for _, c := range []struct{ query, ids, tail string }{
		{"ticketed=true", "1001 1002 1003 1004", "&status=publish&ticketed=1"},
		{"ticketed=1&per_page=2", "1001 1002", "&status=publish&ticketed=1"},
		{"ticketed=false", "", "&status=publish"},
		{"ticketed=0", "", "&status=publish"},
		{"ticketed=true&starts_after=2027-01-02", "1003 1004", "&starts_after=2027-01-02 23:59:59&ticketed=1"},
	} {
		a := s.get("events?" + c.query)
		var ids []string
		for i := 0; a.json(fmt.Sprintf("events.%d.id", i)) != ""; i++ {
			ids = append(ids, a.json(fmt.Sprintf("events.%d.id", i)))
		}
		if url := a.json("rest_url"); strings.Join(ids, " ") != c.ids || !strings.HasPrefix(url, base) || !strings.HasSuffix(url, c.tail) {
			t.Errorf("%s: %v, %s", c.query, ids, url)
		}
	}
	for _, v := range []string{"x", "yes", "no", ""} {
		if a := s.get("events?ticketed=" + v); a.status != http.StatusBadRequest || a.json("data.details.ticketed.code") != "rest_invalid_type" {
			t.Errorf("%q: %s", v, a.body)
		}
	}
	if a := s.do(ask{target: "events?ticketed=true", as: "adela"}); a.json("total") != "5" {
		t.Errorf("hidden events: %s", a.json("total"))
	}
	s.setCalendarOptions("ticket-enabled-post-types", php.Strings("page"))
	if with, without := s.get("events?ticketed=true").json("total"), s.get("events?ticketed=false").json("total"); with != "0" || without != "4" {
		t.Errorf("where events have no tickets: %s and %s", with, without)
	}
}

// TestWithoutEventTickets: rows of a plugin that isn't active change nothing, and aren't read.
func TestWithoutEventTickets(t *testing.T) {
	s := newTestSite(t)
	want := s.get("events/102").body
	s.addTicket(2001, wpstore.RSVP, 102, "_price", "0")
	a := s.get("events/102")
	if strings.Contains(a.body, "ticketed") || a.body != want {
		t.Error(a.body)
	}
	if a := s.get("events?ticketed=true"); a.json("data.details.ticketed.code") != "event-tickets-not-active" {
		t.Error(a.body)
	}
}

// TestWrittenTickets: answers of writes have the fields, too.
func TestWrittenTickets(t *testing.T) {
	s := ticketSite(t)
	a := s.send("adela", "POST", "events/1002", `{"title":"Renamed","cost":"1200"}`)
	if a.status != http.StatusOK || a.show("cost", "ticketed", "attendance.total_attendees") != `&#x24;1,200.00 | ["tc"] | 0` {
		t.Error(a.body)
	}
	if a := s.send("edita", "POST", "events", `{"title":"Dance","start_date":"2027-01-10 10:00:00","end_date":"2027-01-10 11:00:00"}`); !strings.HasSuffix(a.body, `,"ticketed":false}`) {
		t.Error(a.body)
	}
}

// TestQueriesOfTickets: Event Tickets costs one statement, and one more for those who manage
// attendees, whatever the number of events, and none where the fields aren't asked for.
func TestQueriesOfTickets(t *testing.T) {
	for _, n := range []int{1, 20} {
		without, with := manyEvents(t, n, false), manyEvents(t, n, false, func(s *testSite) {
			s.setOption("active_plugins", php.Strings("event-tickets/event-tickets.php"))
			s.setCalendarOptions("tickets_commerce_enabled", true)
			for i := range n {
				s.addTicket(int64(9000+i), wpstore.TicketsCommerce, int64(1000+i), "_price", "5")
			}
		})
		queries := func(s *testSite, target, as string) int {
			s.do(ask{target: target, as: as})
			if a := s.do(ask{target: target, as: as}); a.status != http.StatusOK {
				t.Fatal(a.body)
			}
			return s.seen.Queries
		}
		for _, c := range []struct {
			target          string
			anonymous, user int
		}{
			{"events?per_page=50", 1, 2},
			{"events?per_page=50&ticketed=1", 1, 2},
			{"events?_fields=total", 0, 0},
			{"events?_fields=events.id", 1, 2}, // _fields can't tell the fields of events in lists apart
			{"events/1000", 1, 2},
			{"events/1000?_fields=id,title", 0, 0},
			{"events/1000?_fields=cost", 1, 1},
			{"events/1000?_fields=attendance", 0, 1},
		} {
			plain := strings.Replace(c.target, "&ticketed=1", "", 1)
			for as, more := range map[string]int{"": c.anonymous, "adela": c.user} {
				if got, base := queries(with, c.target, as), queries(without, plain, as); got != base+more {
					t.Errorf("%d events, %s as %q: %d queries, without Event Tickets %d", n, c.target, as, got, base)
				}
			}
		}
	}
}

// TestTicketsInCaches: answers from the caches see a sale, a new ticket, an attendee and
// changed options at once.
func TestTicketsInCaches(t *testing.T) {
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	s := newTestSite(t, func(c *Config) {
		c.Tracker, c.CacheBytes, c.RenderCache, c.SiteRefresh, c.Complete = tracker, 32<<20, 32<<20, time.Hour, true
	})
	s.CacheRows(tracker, 32<<20)
	s.withTickets()
	tracker.InvalidateAll()
	offers := func() string { s.get("events/1002"); return s.get("events/1002").show("json_ld.offers.1.availability") }
	ticketed := func() string { s.get("events?ticketed=true"); return s.get("events?ticketed=true").json("total") }
	changed := func() { tracker.Invalidate(invalidation.Tag{Kind: invalidation.Tickets}) }
	if offers() != "SoldOut" || ticketed() != "4" {
		t.Fatal(offers(), ticketed())
	}
	s.exec("UPDATE wp_postmeta SET meta_value = '4' WHERE post_id = 2003 AND meta_key = '_stock'")
	if offers() != "SoldOut" {
		t.Fatal("the answer was not cached")
	}
	changed()
	if got := offers(); got != "LimitedAvailability" {
		t.Errorf("after a sale: %s", got)
	}
	s.exec("UPDATE wp_posts SET post_status = 'trash' WHERE ID IN (2002, 2003)")
	changed()
	if got := s.get("events/1002").show("ticketed", "cost", "json_ld.offers.price"); got != "false | 1200&#x24; | 1200" || ticketed() != "3" {
		t.Errorf("without tickets: %s, %s", got, ticketed())
	}
	s.addTicket(2010, wpstore.RSVP, 1002, "_price", "0")
	changed()
	if got := s.get("events/1002").show("ticketed", "cost"); got != `["rsvp"] | &#x24;1,200.00` || ticketed() != "4" {
		t.Errorf("with a new ticket: %s, %s", got, ticketed())
	}
	s.setCalendarOptions("tickets_commerce_enabled", true, "tickets-commerce-currency-code", "EUR")
	tracker.Invalidate(invalidation.Tag{Kind: invalidation.Site})
	if got := s.get("events/1002").json("cost"); got != "&#8364;1,200.00" {
		t.Errorf("after a change of options: %s", got)
	}
	s.setOption("active_plugins", php.Strings())
	tracker.Invalidate(invalidation.Tag{Kind: invalidation.Site})
	if a := s.get("events/1002"); strings.Contains(a.body, "ticketed") {
		t.Errorf("after deactivation: %s", a.body)
	}
}
