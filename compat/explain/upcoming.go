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
	"calbridge/compat/wprest"
)

// mostEvents is the most events on a page of the API.
const mostEvents = 50

// place is what decides on the place of an event among others: the local date of its start, the date
// of its publication, and its id.
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
	// blank reports that the recordings show the event without them, as behind a password.
	blank bool
}

// upcoming takes the target's page of venues or organizers of upcoming events. Of these, both count
// a page. The reference's page also has events that the login may not read; the target's has later
// ones in their places (known difference S9). For a length of that page, both lists must follow
// from the events. It reports whether they do.
func (x *explaining) upcoming(ctx context.Context, p *pair, kind string, request wprest.Request) bool {
	page := request.Query.Get("page")
	if kind != "venues" && kind != "organizers" || !truthy(request.Query.Get("only_with_upcoming")) || page != "" && page != "1" || x.Ask == nil || x.Listed == nil {
		return false
	}
	readable, hidden, ok := x.upcomingEvents(ctx, kind)
	if !ok || len(hidden) == 0 {
		return false
	}
	all := append(slices.Clone(readable), hidden...)
	slices.SortFunc(all, func(a, b upcomingEvent) int { return a.compare(b.place) })
	want, have := listOf(p.recorded, kind), listOf(p.got, kind)
	for length := 1; length <= min(len(all), mostEvents); length++ {
		want.from, want.blank = linkedBy(all, length)
		have.from, _ = linkedBy(readable, length)
		if want.differsBy(have) {
			list, other := p.recorded.inner.Member(kind), p.got.inner.Member(kind)
			p.recorded.changes[list] = arranged(list, other, func(recorded, _ *jsontree.Node) string { return p.recorded.render(recorded) })
			x.totals(p, "S9", 0)
			p.add("S9", "$."+kind, "of hidden events", "of later events, which this login may read")
			return true
		}
	}
	return false
}

// upcomingEvents returns the next events that the target shows to the login, and those of the
// recordings that it refuses, by their start. The present in UTC is compared with local dates, as
// in the reference.
func (x *explaining) upcomingEvents(ctx context.Context, kind string) (readable, hidden []upcomingEvent, ok bool) {
	at, err := http.ParseTime(x.Got.Header("date"))
	if err != nil {
		return nil, nil, false
	}
	now := at.UTC().Format("2006-01-02 15:04:05")
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
			linked := listed.linked(id, kind)
			hidden = append(hidden, upcomingEvent{place: at, linked: linked, blank: len(linked) == 0})
		}
	}
	return readable, hidden, true
}

// linkedBy returns the venues or organizers of the first events, and how many of these are blank.
func linkedBy(events []upcomingEvent, length int) (ids []string, blank int) {
	for _, event := range events[:min(length, len(events))] {
		ids = append(ids, event.linked...)
		if event.blank {
			blank++
		}
	}
	return ids, blank
}

// linkedList is the first page of a list of venues or organizers.
type linkedList struct {
	ids   []string
	total int
	// from are those of the events that the list is chosen from, apart from the blank ones.
	from  []string
	blank int
}

func listOf(d *document, kind string) linkedList {
	list := linkedList{ids: idsOf(d.inner.Member(kind))}
	list.total, _ = strconv.Atoi(key(d.inner, "total"))
	return list
}

// differsBy reports whether two lists differ only by the events that they are chosen from. A blank
// event stands for one entry.
func (l linkedList) differsBy(other linkedList) bool {
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
