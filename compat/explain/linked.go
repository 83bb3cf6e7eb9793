package explain

import (
	"context"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
)

// linkedItems returns the venues or organizers of an event: a list, or an object for a single
// one.
func linkedItems(node *jsontree.Node) []*jsontree.Node {
	switch {
	case node.Is(jsontree.Array):
		return node.Items
	case node.Is(jsontree.Object):
		return []*jsontree.Node{node}
	}
	return nil
}

// linked removes hidden venues and organizers from a recorded event, and from its structured
// data.
func (x *explaining) linked(ctx context.Context, p *pair, recorded, got *jsontree.Node) {
	for _, one := range []struct{ member, kind, data string }{{"venue", "venues", "location"}, {"organizer", "organizers", "organizer"}} {
		want, have := recorded.Member(one.member), got.Member(one.member)
		removed := x.unlink(ctx, p, one.member, one.kind, want, have)
		data, other := recorded.Member("json_ld").Member(one.data), got.Member("json_ld").Member(one.data)
		if data == nil || other != nil && data.Raw() == other.Raw() {
			continue
		}
		// Structured data that names a place although the event has none names a hidden one.
		contradicts := want != nil && have != nil && len(linkedItems(want)) == 0 && len(linkedItems(have)) == 0
		if !removed && !contradicts || !agrees(other, have, one.member) {
			continue
		}
		p.add("S9", "$..json_ld."+one.data, "a hidden "+one.member, "left out")
		if other == nil {
			p.recorded.drops[data] = true
		} else {
			p.use(data, other)
		}
	}
}

// agrees reports whether structured data of the target is absent, false, or about its first
// venue or organizer.
func agrees(data, linked *jsontree.Node, member string) bool {
	if data == nil || !data.Is(jsontree.Object) {
		return true
	}
	items := linkedItems(linked)
	return len(items) > 0 && items[0].Member(member) != nil && data.Member("name") != nil
}

// unlink removes the linked entries that the target refuses from a recorded event, and
// reports whether there are any.
func (x *explaining) unlink(ctx context.Context, p *pair, member, kind string, want, have *jsontree.Node) bool {
	items, others := linkedItems(want), linkedItems(have)
	if len(items) <= len(others) {
		return false
	}
	var left, hidden []string
	for _, item := range items {
		id := item.Member("id")
		if id == nil {
			return false
		}
		shown := slices.ContainsFunc(others, func(other *jsontree.Node) bool {
			return other.Member("id") != nil && other.Member("id").Plain() == id.Plain()
		})
		switch {
		case shown:
			left = append(left, p.recorded.render(item))
		case x.refuses(ctx, kind, id.Plain()).refused:
			hidden = append(hidden, id.Plain())
		default:
			return false
		}
	}
	if len(hidden) == 0 {
		return false
	}
	p.add("S9", "$.."+member, "also "+strings.Join(hidden, ", "), "refused to this login by themselves")
	text := "[" + strings.Join(left, ",") + "]"
	if have.Is(jsontree.Object) && len(left) == 1 {
		text = left[0]
	}
	p.recorded.changes[want] = text
	return true
}
