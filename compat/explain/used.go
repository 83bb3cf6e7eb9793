package explain

import (
	"context"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
)

// used takes the target's list of venues or organizers with or without events. The reference also
// counts events that the login may not read (known difference S9): it lists more of those with
// events and fewer of those without. It reports whether it did.
func (x *explaining) used(ctx context.Context, p *pair, kind string) bool {
	upcoming := truthy(x.request.Query.Get("only_with_upcoming"))
	if kind != "venues" && kind != "organizers" || x.Ask == nil || !x.request.Query.Has("has_events") && !upcoming {
		return false
	}
	want, have := p.recorded.inner.Member(kind), p.got.inner.Member(kind)
	longer, shorter := idsOf(want), idsOf(have)
	if len(longer) != len(itemsOf(want)) || len(shorter) != len(itemsOf(have)) {
		return false
	}
	total, other, counted := x.totalsOf(p)
	if with := upcoming || truthy(x.request.Query.Get("has_events")); !with {
		longer, shorter, total, other = shorter, longer, other, total
	}
	more := total - other
	var gone, visible []string
	for _, id := range longer {
		if !slices.Contains(shorter, id) && x.unused(ctx, kind, id, upcoming) {
			gone = append(gone, id)
		} else {
			visible = append(visible, id)
		}
	}
	whole := len(gone) > 0 && slices.Equal(visible, shorter)
	paged := counted && !upcoming && more > 0 && len(gone) <= more && len(shorter) <= len(longer) &&
		pageOf(visible, shorter, more-len(gone)) && x.hides(ctx, more, len(gone))
	if !whole && !paged {
		return false
	}
	x.take(p, kind, "S9", "by hidden events", "by events that this login may read")
	return true
}

// pageOf reports whether a page follows from another one, some of whose entries moved to earlier
// pages: at most as many as are hidden there. Others moved up from later ones.
func pageOf(entries, page []string, hidden int) bool {
	moved, fits := shifted(entries, page, func(id, other string) bool { return id == other })
	return fits && moved <= hidden
}

// hides reports whether the target hides enough events for n venues or organizers, of which a page
// shows some.
func (x *explaining) hides(ctx context.Context, n, shown int) bool {
	return n == shown || x.countHidden(ctx, []string{"events"}, n) == n
}

// truthy reports whether PHP takes the text of a parameter for true.
func truthy(text string) bool {
	return slices.Contains([]string{"1", "true", "on", "yes"}, strings.ToLower(text))
}

// unused reports whether neither the target nor the recordings show an event of a venue or an
// organizer that the login may read. Of upcoming events, the recordings may show one that it may
// not read.
func (x *explaining) unused(ctx context.Context, kind, id string, upcoming bool) bool {
	route := "/events?" + strings.TrimSuffix(kind, "s") + "=" + id
	if !upcoming {
		route += "&start_date=1900-01-01&end_date=2200-01-01"
	}
	answer, err := x.get(ctx, route)
	if err != nil || answer.Status != 200 {
		return false
	}
	root, err := jsontree.Parse(answer.Body)
	if total := root.Member("total"); err != nil || total == nil || total.Raw() != "0" {
		return false
	}
	if x.Listed == nil {
		return true
	}
	events := x.Listed().linking(kind, id)
	refused := func(event string) bool { return x.refuses(ctx, "events", event).refused }
	return !slices.ContainsFunc(events, func(event string) bool { return !refused(event) }) || upcoming && slices.ContainsFunc(events, refused)
}
