package explain

import (
	"context"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
)

// linkedKind is a kind of entries that events link: the member of the event, the kind, and the
// member of structured data.
type linkedKind struct{ member, kind, data string }

var linkedKinds = []linkedKind{{"venue", "venues", "location"}, {"organizer", "organizers", "organizer"}}

// itemsOf returns the items of a list, and none of anything else.
func itemsOf(list *jsontree.Node) []*jsontree.Node {
	if !list.Is(jsontree.Array) {
		return nil
	}
	return slices.Clone(list.Items)
}

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
	for _, one := range linkedKinds {
		want, have := recorded.Member(one.member), got.Member(one.member)
		removed := x.unlink(ctx, p, one.member, one.kind, recorded, got)
		data, other := recorded.Member("json_ld").Member(one.data), got.Member("json_ld").Member(one.data)
		if data == nil || other != nil && data.Raw() == other.Raw() {
			continue
		}
		if !removed && !namesAnother(data, want, have) || !agrees(other, have, one.member) {
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

// namesAnother reports whether structured data is about something that is not among the venues
// or organizers of its event: it is hidden.
func namesAnother(data, want, have *jsontree.Node) bool {
	if want == nil || have == nil {
		return false
	}
	for _, linked := range linkedItems(want) {
		name := linked.Member("json_ld").Member("name")
		if name == nil || name.Text() == data.Member("name").Text() {
			return false
		}
	}
	return true
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
func (x *explaining) unlink(ctx context.Context, p *pair, member, kind string, event, got *jsontree.Node) bool {
	want, have := event.Member(member), got.Member(member)
	items, others := linkedItems(want), linkedItems(have)
	if len(items) <= len(others) {
		return false
	}
	var left, hidden []string
	for _, item := range items {
		id := item.Member("id")
		if id == nil {
			return x.unlinkAll(ctx, p, member, kind, event, got)
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

// unlinkAll removes linked entries without ids, as the parameter _fields leaves them, if the
// target has none and refuses all that the recordings show of this event.
func (x *explaining) unlinkAll(ctx context.Context, p *pair, member, kind string, event, got *jsontree.Node) bool {
	of := x.request.ID()
	if id := event.Member("id"); id != nil {
		of = id.Plain()
	}
	have := got.Member(member)
	if x.Listed == nil || have == nil || len(linkedItems(have)) > 0 {
		return false
	}
	ids := x.Listed().linked(of, kind)
	if len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return !x.refuses(ctx, kind, id).refused }) {
		return false
	}
	p.use(event.Member(member), have)
	p.add("S9", "$.."+member, "also "+strings.Join(ids, ", "), "refused to this login by themselves")
	return true
}
