package explain

import (
	"context"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/wprest"
)

// used takes the target's list of venues or organizers with or without events. The reference also
// counts events that the login may not read (known difference S9): it lists more of those with
// events and fewer of those without. It reports whether it did.
func (x *explaining) used(ctx context.Context, p *pair, kind string, request wprest.Request) bool {
	upcoming := truthy(request.Query.Get("only_with_upcoming"))
	if kind != "venues" && kind != "organizers" || x.Ask == nil || !request.Query.Has("has_events") && !upcoming {
		return false
	}
	with := upcoming || truthy(request.Query.Get("has_events"))
	want, have := p.recorded.inner.Member(kind), p.got.inner.Member(kind)
	recorded, got := idsOf(want), idsOf(have)
	longer, shorter := recorded, got
	if !with {
		longer, shorter = got, recorded
	}
	common := slices.DeleteFunc(slices.Clone(longer), func(id string) bool { return !slices.Contains(shorter, id) })
	if len(common) == len(longer) || !slices.Equal(common, shorter) {
		return false
	}
	for _, id := range longer {
		if !slices.Contains(common, id) && !x.unused(ctx, kind, id, upcoming) {
			return false
		}
	}
	p.recorded.changes[want] = arranged(want, have, func(recorded, _ *jsontree.Node) string { return p.recorded.render(recorded) })
	x.totals(p, "S9", 0)
	p.add("S9", "$."+kind, "by hidden events", "by events that this login may read")
	return true
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
