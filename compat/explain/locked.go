package explain

import (
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
)

// lockedKinds are the members that name an entry, with the member of structured data that is about
// it. The target shows a list without items for the name of a venue or an organizer behind a
// password.
var lockedKinds = []struct{ name, data string }{{"venue", "location"}, {"organizer", "organizer"}}

// locked takes the target's form of venues and organizers behind a password. Before 6.15.3 The
// Events Calendar shows them in full (known difference S15).
func (x *explaining) locked(p *pair) {
	shown := map[string]*jsontree.Node{} // objects of the target by id
	p.got.root.Walk(func(n *jsontree.Node) {
		if id := n.Member("id"); id != nil {
			shown[id.Plain()] = n
		}
	})
	p.recorded.root.Walk(func(n *jsontree.Node) {
		id := n.Member("id")
		if id == nil {
			return
		}
		got := shown[id.Plain()]
		for _, kind := range lockedKinds {
			if hiddenName(got, kind.name) && n.Member(kind.name).Is(jsontree.String) {
				p.use(n, got)
				p.add("S15", "$.."+kind.name, "shown in full: "+id.Plain(), "behind a password")
				return
			}
		}
		for _, kind := range lockedKinds {
			data, other := n.Member("json_ld").Member(kind.data), got.Member("json_ld").Member(kind.data)
			if data == nil || other == nil || data.Raw() == other.Raw() || !linksLocked(got, kind.name) {
				continue
			}
			p.use(data, other)
			p.add("S15", "$..json_ld."+kind.data, "shown in full", "behind a password")
		}
	})
}

// hiddenName reports whether an entry's name is a list without items.
func hiddenName(entry *jsontree.Node, name string) bool {
	member := entry.Member(name)
	return member.Is(jsontree.Array) && len(member.Items) == 0
}

// linksLocked reports whether an event of the target has a venue or an organizer behind a password.
func linksLocked(event *jsontree.Node, member string) bool {
	for _, linked := range linkedItems(event.Member(member)) {
		if hiddenName(linked, member) {
			return true
		}
	}
	return false
}

// unlocked names the cause of an event that the target refuses without its password. Before 6.5.0.1
// The Events Calendar shows it to everybody (known difference S15).
func (x *explaining) unlocked() {
	if !x.Level.Safe() || x.Recorded.Status != 200 || x.Got.Status != 403 && x.Got.Status != 401 || !strings.Contains(x.Sent.Path, "/events/") {
		return
	}
	root, err := jsontree.Parse(x.Got.Body)
	if err != nil || root.Member("code").Text() != "event-password-protected" {
		return
	}
	x.found = append(x.found[:0], diff.Difference{Part: diff.PartStatus, Level: diff.LevelStatus, Recorded: "200 OK", Got: "refused without the password", Cause: causeOf("S15")})
}
