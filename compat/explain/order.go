package explain

import (
	"slices"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/wprest"
)

// order takes the target's order of terms that have equal sort keys (known difference D1). At
// each place, both sides must have an entry of the same key.
func (x *explaining) order(p *pair) {
	request, _ := wprest.ReadRequest(x.Sent)
	kind := strings.ToLower(strings.TrimPrefix(x.Namespace.Below(request.Route), "/"))
	want, have := p.recorded.inner.Member(kind), p.got.inner.Member(kind)
	if kind != "categories" && kind != "tags" || !want.Is(jsontree.Array) || !have.Is(jsontree.Array) || len(want.Items) != len(have.Items) ||
		slices.Equal(idsOf(want), idsOf(have)) {
		return
	}
	by := request.Query.Get("orderby")
	if by == "" {
		by = "name"
	}
	byID := map[string]*jsontree.Node{}
	for i, item := range want.Items {
		if !slices.Contains([]string{"term_group", "none"}, by) && key(item, by) != key(have.Items[i], by) {
			return
		}
		if id := item.Member("id"); id != nil {
			byID[id.Plain()] = item
		}
	}
	var texts []string
	for _, item := range have.Items {
		id := item.Member("id")
		if id == nil {
			return
		}
		if recorded := byID[id.Plain()]; recorded != nil {
			texts = append(texts, recorded.Raw())
		} else {
			texts = append(texts, item.Raw()) // on another page of the recorded list
		}
	}
	p.recorded.changes[want] = "[" + strings.Join(texts, ",") + "]"
	p.add("D1", "$."+kind, "order by "+by, "another order of equal entries")
}

// key returns the sort key of a term, in lower case as databases compare texts.
func key(item *jsontree.Node, by string) string {
	if member := item.Member(by); member != nil {
		return strings.ToLower(member.Plain())
	}
	return ""
}
