package explain

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/jsontree"
)

// order takes the target's order of terms, venues and organizers that have equal sort keys (known
// difference D1). At each place, both sides must have an entry of the same key. Only a page of a
// longer list may have other entries.
func (x *explaining) order(p *pair) {
	kind := x.kind()
	want, have := p.recorded.inner.Member(kind), p.got.inner.Member(kind)
	before, after := idsOf(want), idsOf(have) // nil for a list whose items lack an id
	if kind == "events" || !slices.Contains(listKinds, kind) || before == nil || len(before) != len(after) || slices.Equal(before, after) {
		return
	}
	total, other := key(p.recorded.inner, "total"), key(p.got.inner, "total")
	if total != other || total == strconv.Itoa(len(before)) && len(without(before, after)) > 0 {
		return
	}
	by := cmp.Or(x.request.Query.Get("orderby"), "name")
	if slices.Contains(entryKinds, kind) {
		by = "date"
	}
	for i, item := range want.Items {
		if !slices.Contains([]string{"term_group", "none"}, by) && (key(item, by) == "" || key(item, by) != key(have.Items[i], by)) {
			return
		}
	}
	p.recorded.changes[want] = arranged(want, have, func(recorded, _ *jsontree.Node) string { return recorded.Raw() })
	p.add("D1", "$."+kind, "order by "+by, "another order of equal entries")
}

// key returns the sort key of an entry, in lower case as databases compare texts.
func key(item *jsontree.Node, by string) string {
	if member := item.Member(by); member != nil {
		return strings.ToLower(member.Plain())
	}
	return ""
}
