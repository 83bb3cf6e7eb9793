package explain

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
	"calbridge/compat/wprest"
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
func (x *explaining) upcoming(ctx context.Context, p *pair, kind string, request wprest.Request) bool {
	page := request.Query.Get("page")
	if kind != "venues" && kind != "organizers" || !truthy(request.Query.Get("only_with_upcoming")) || page != "" && page != "1" || x.Ask == nil || x.Listed == nil {
		return false
	}
	now, before := presentOf(x.Got), presentOf(x.Recorded)
	if before == "" || before > now {
		before = now
	}
	readable, hidden, ok := x.upcomingEvents(ctx, kind, before)
	if !ok {
		return false
	}
	later := after(now, readable)
	if x.fromEvents(p, kind, slices.Concat(later, after(now, hidden)), later) {
		x.totals(p, "S9", 0)
		p.add("S9", "$."+kind, "of hidden events", "of later events, which this login may read")
		return true
	}
	if x.fromEvents(p, kind, readable, later) {
		x.totals(p, Changed, 0)
		p.add(Changed, "$."+kind, "of events that have started since", "of later events")
		return true
	}
	return false
}

// fromEvents takes the target's list if the recorded one follows from some events, and the target's
// from some others: from as many of the first ones.
func (x *explaining) fromEvents(p *pair, kind string, recorded, got []upcomingEvent) bool {
	if len(recorded) == len(got) {
		return false
	}
	slices.SortFunc(recorded, func(a, b upcomingEvent) int { return a.compare(b.place) })
	want, have := x.listOf(p.recorded, kind), x.listOf(p.got, kind)
	for length := 1; length <= min(len(recorded), mostEvents); length++ {
		want.choose(recorded[:length])
		have.choose(got[:min(length, len(got))])
		if want.differsBy(&have) {
			list, other := p.recorded.inner.Member(kind), p.got.inner.Member(kind)
			p.recorded.changes[list] = arranged(list, other, func(recorded, _ *jsontree.Node) string { return p.recorded.render(recorded) })
			return true
		}
	}
	return false
}

// presentOf returns the time of an answer in the form of dates, "" for none. The present in UTC is
// compared with local dates, as in the reference.
func presentOf(r recording.Response) string {
	at, err := http.ParseTime(r.Header("date"))
	if err != nil {
		return ""
	}
	return at.UTC().Format("2006-01-02 15:04:05")
}

// after returns the events that start after a time.
func after(at string, events []upcomingEvent) []upcomingEvent {
	return slices.DeleteFunc(slices.Clone(events), func(e upcomingEvent) bool { return e.start <= at })
}

// upcomingEvents returns the next events that the target shows to the login, by their start, and
// those of the recordings that it refuses.
func (x *explaining) upcomingEvents(ctx context.Context, kind, now string) (readable, hidden []upcomingEvent, ok bool) {
	if now == "" {
		return nil, nil, false
	}
	answer, err := x.get(ctx, "/events?per_page="+strconv.Itoa(mostEvents)+"&strict_dates=1&starts_after="+url.QueryEscape(now))
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
		if at := listed.places[id]; at.start > now && x.refuses(ctx, "events", id).refused {
			hidden = append(hidden, upcomingEvent{place: at, linked: listed.linked(id, kind), hidden: true})
		}
	}
	return readable, hidden, true
}

// linkedList is the first page of a list of venues or organizers.
type linkedList struct {
	ids   []string
	total int
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
	request, _ := wprest.ReadRequest(x.Sent)
	list.whole = list.total == len(list.ids) && !slices.ContainsFunc([]string{"search", "event", "has_events", "status"}, request.Query.Has)
	return list
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
