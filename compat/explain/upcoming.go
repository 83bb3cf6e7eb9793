package explain

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"calbridge/compat/jsontree"
)

// mostEvents is the most events on a page of the API.
const mostEvents = 50

// place holds the sort keys of an event: the local date of its start, the date of its publication,
// and its id.
type place struct{ start, published, id string }

// placeOf returns the place of an event.
func placeOf(event *jsontree.Node) place {
	return place{key(event, "start_date"), key(event, "date"), key(event, "id")}
}

// compare returns -1 for an event that comes before another one, and 1 for one that comes after it.
func (p place) compare(other place) int {
	return cmp.Or(strings.Compare(p.start, other.start), strings.Compare(p.published, other.published), cmp.Compare(len(p.id), len(other.id)), strings.Compare(p.id, other.id))
}

// upcomingEvent is an event that is yet to start, with its venues or organizers.
type upcomingEvent struct {
	place
	linked []string
	// hidden reports that the target refuses the event to the login.
	hidden bool
}

// upcoming takes the target's page of venues or organizers of upcoming events. Of these, both count
// a page. The reference's page also has events that the login may not read; the target's has later
// ones in their places (known difference S9), and in those of events that started between the two
// answers. For a length of that page, both lists must follow from the events. It reports whether
// they do.
func (x *explaining) upcoming(ctx context.Context, p *pair, kind string) bool {
	if kind != "venues" && kind != "organizers" || !truthy(x.request.Query.Get("only_with_upcoming")) || x.Ask == nil || x.Listed == nil {
		return false
	}
	if page := x.request.Query.Get("page"); page != "" && page != "1" {
		if !x.laterPage(ctx, p, kind) {
			return false
		}
		x.take(p, kind, "S9", "of hidden events", "of later events, which this login may read")
		return true
	}
	now, err := http.ParseTime(x.Got.Header("date"))
	if err != nil {
		return false
	}
	since, err := http.ParseTime(x.Recorded.Header("date"))
	if err != nil || since.After(now) {
		since = now
	}
	readable, hidden, ok := x.upcomingEvents(ctx, kind, since)
	if !ok {
		return false
	}
	later := after(now, readable)
	if x.fromEvents(p, kind, slices.Concat(later, after(now, hidden)), later) {
		x.take(p, kind, "S9", "of hidden events", "of later events, which this login may read")
		return true
	}
	if x.fromEvents(p, kind, readable, later) {
		x.take(p, kind, Changed, "of events that have started since", "of later events")
		return true
	}
	return false
}

// upcomingPage names the cause of a page of venues or organizers of upcoming events that only one
// of the two has: later events, in the places of those that the login may not read, have more or
// fewer of them (known difference S9).
func (x *explaining) upcomingPage(ctx context.Context) {
	statuses := [2]int{x.Recorded.Status, x.Got.Status}
	if !x.Level.Safe() || statuses != [2]int{http.StatusOK, http.StatusNotFound} && statuses != [2]int{http.StatusNotFound, http.StatusOK} {
		return
	}
	if pair, ok := parsed(x.Recorded.Body, x.Got.Body); ok && x.laterPage(ctx, pair, x.kind()) {
		x.all("S9")
	}
}

// laterPage reports whether a page after the first, of venues or organizers of upcoming events,
// follows from the events: the recorded one from all of them, and the target's from as many that the
// login may read.
func (x *explaining) laterPage(ctx context.Context, p *pair, kind string) bool {
	page, err := strconv.Atoi(x.request.Query.Get("page"))
	if kind != "venues" && kind != "organizers" || err != nil || page < 2 || !truthy(x.request.Query.Get("only_with_upcoming")) || x.filtered() || x.Ask == nil || x.Listed == nil {
		return false
	}
	now, err := http.ParseTime(x.Got.Header("date"))
	if err != nil {
		return false
	}
	readable, hidden, ok := x.upcomingEvents(ctx, kind, now)
	if !ok || len(hidden) == 0 {
		return false
	}
	want, have := x.listOf(p.recorded, kind), x.listOf(p.got, kind)
	before := max(want.before(page), have.before(page))
	return before >= page-1 && sameOrder(want.ids, have.ids) &&
		chosen(&want, &have, slices.Concat(readable, hidden), readable, func() bool { return want.mayBe(before) && have.mayBe(before) })
}

// chosen reports whether some number of events exists of whose first ones two lists can be chosen:
// the recorded one of some events, and the target's of some others, which are in order. fit checks
// the lists.
func chosen(want, have *linkedList, recorded, got []upcomingEvent, fit func() bool) bool {
	slices.SortFunc(recorded, func(a, b upcomingEvent) int { return a.compare(b.place) })
	for length := 1; length <= min(len(recorded), mostEvents); length++ {
		want.choose(recorded[:length])
		have.choose(got[:min(length, len(got))])
		if fit() {
			return true
		}
	}
	return false
}

// sameOrder reports whether the ids that two lists share have one order.
func sameOrder(ids, others []string) bool {
	return slices.Equal(without(ids, without(ids, others)), without(others, without(others, ids)))
}

// filtered reports whether the request chooses venues or organizers by more than their events.
func (x *explaining) filtered() bool {
	return slices.ContainsFunc([]string{"search", "event", "has_events", "status"}, x.request.Query.Has)
}

// fromEvents reports whether the recorded list follows from some events, and the target's from some
// others: from as many of the first ones.
func (x *explaining) fromEvents(p *pair, kind string, recorded, got []upcomingEvent) bool {
	if len(recorded) == len(got) {
		return false
	}
	want, have := x.listOf(p.recorded, kind), x.listOf(p.got, kind)
	return chosen(&want, &have, recorded, got, func() bool { return want.differsBy(&have) })
}

// startsAfter reports whether an event starts after a time. As in the reference, its local date is
// compared with the time's date in UTC.
func (p place) startsAfter(at time.Time) bool { return p.start > at.UTC().Format(time.DateTime) }

// after returns the events that start after a time.
func after(at time.Time, events []upcomingEvent) []upcomingEvent {
	return slices.DeleteFunc(slices.Clone(events), func(e upcomingEvent) bool { return !e.startsAfter(at) })
}

// mostEast is the most that a site's clock is ahead of UTC.
const mostEast = 14 * time.Hour

// upcomingEvents returns the next events after a time that the target shows to the login, by their
// start, and those of the recordings that it refuses.
func (x *explaining) upcomingEvents(ctx context.Context, kind string, since time.Time) (readable, hidden []upcomingEvent, ok bool) {
	// The API takes this date as one in UTC, and compares it with local dates after converting it to
	// the site's time zone.
	date := since.UTC().Add(-mostEast).Format(time.DateTime)
	answer, err := x.get(ctx, "/events?per_page="+strconv.Itoa(mostEvents)+"&strict_dates=1&starts_after="+url.QueryEscape(date))
	if err != nil || answer.Status != http.StatusOK {
		return nil, nil, false
	}
	root, err := jsontree.Parse(answer.Body)
	if err != nil {
		return nil, nil, false
	}
	member := linkedKinds[slices.IndexFunc(linkedKinds, func(k linkedKind) bool { return k.kind == kind })].member
	for _, item := range itemsOf(root.Member("events")) {
		event := upcomingEvent{place: placeOf(item)}
		for _, linked := range linkedItems(item.Member(member)) {
			event.linked = append(event.linked, key(linked, "id"))
		}
		readable = append(readable, event)
	}
	listed := x.Listed()
	for _, id := range listed.ids["events"] {
		if at := listed.places[id]; at.startsAfter(since) && x.refuses(ctx, "events", id).refused {
			hidden = append(hidden, upcomingEvent{place: at, linked: listed.linked(id, kind), hidden: true})
		}
	}
	return after(since, readable), hidden, true
}

// linkedList is a page of a list of venues or organizers, without ids if the list ends before it.
type linkedList struct {
	ids          []string
	total, pages int
	// whole reports that the list has all that are chosen: nothing filters it, and it has no
	// second page.
	whole bool
	// from are those of the events that the list is chosen from, sure those of events that the
	// login may read. blank counts events that the recordings show without any, as behind a
	// password.
	from, sure []string
	blank      int
}

func (x *explaining) listOf(d *document, kind string) linkedList {
	list := linkedList{ids: idsOf(d.inner.Member(kind))}
	list.total, _ = strconv.Atoi(key(d.inner, "total"))
	list.pages, _ = strconv.Atoi(key(d.inner, "total_pages"))
	list.whole = list.total == len(list.ids) && !x.filtered()
	return list
}

// before returns the number of entries before the page.
func (l *linkedList) before(page int) int {
	if page < l.pages {
		return (page - 1) * len(l.ids)
	}
	return l.total - len(l.ids)
}

// mayBe reports whether the list can be chosen from its events: its page is of their entries, or it
// ends before it. A blank event may stand for one entry.
func (l *linkedList) mayBe(before int) bool {
	all := len(without(l.from, nil))
	if len(l.ids) == 0 {
		return all <= before
	}
	return len(without(l.ids, l.from)) <= l.blank && l.total >= all && l.total <= all+l.blank
}

// choose sets the events that the list is chosen from.
func (l *linkedList) choose(events []upcomingEvent) {
	l.from, l.sure, l.blank = nil, nil, 0
	for _, event := range events {
		l.from = append(l.from, event.linked...)
		switch {
		case !event.hidden:
			l.sure = append(l.sure, event.linked...)
		case len(event.linked) == 0:
			l.blank++
		}
	}
}

// differsBy reports whether two lists differ only by the events that they are chosen from. A blank
// event stands for one entry.
func (l *linkedList) differsBy(other *linkedList) bool {
	if l.whole && len(without(l.sure, l.ids)) > 0 || other.whole && len(without(other.sure, other.ids)) > 0 {
		return false
	}
	ofBlank := without(l.ids, l.from)
	from := slices.Concat(l.from, ofBlank)
	more, fewer := without(other.from, from), without(from, other.from)
	if len(ofBlank) > l.blank || len(without(other.ids, other.from)) > 0 || other.total-l.total > len(more) || l.total-other.total > len(fewer)+l.blank-len(ofBlank) {
		return false
	}
	both, others := without(l.ids, fewer), without(other.ids, more)
	n := min(len(both), len(others))
	return slices.Equal(both[:n], others[:n]) &&
		(len(both) == n || other.total > len(other.ids)) && (len(others) == n || l.total > len(l.ids))
}

// without returns the ids that are not among others, each once.
func without(ids, others []string) (rest []string) {
	for _, id := range ids {
		if !slices.Contains(others, id) && !slices.Contains(rest, id) {
			rest = append(rest, id)
		}
	}
	return rest
}
