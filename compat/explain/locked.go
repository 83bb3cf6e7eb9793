package explain

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
)

// Older calendars have holes that calbridge closes (known difference S15). These are visible in
// reads: entries behind a password in full, structured data of entries that a visitor may not
// read, no argument for the password, and rights to change what belongs to others.

// locked takes the target's form of what older calendars show.
func (x *explaining) locked(ctx context.Context, p *pair) {
	x.passwordArgument(p)
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
		for _, one := range linkedKinds {
			if hiddenName(got, one.member) && n.Member(one.member).Is(jsontree.String) {
				p.use(n, got)
				p.add("S15", "$.."+one.member, "shown in full: "+id.Plain(), "behind a password")
				return
			}
		}
		x.structured(ctx, p, n, got)
	})
}

// structured takes the target's form of structured data. Calendars before 6.3 show that of
// entries that a visitor may not read. Later ones hide that of venues and organizers behind a
// password even from those who have it.
func (x *explaining) structured(ctx context.Context, p *pair, n, got *jsontree.Node) {
	data, other := n.Member("json_ld"), got.Member("json_ld")
	if (data == nil) != (other == nil) {
		switch kind, closed := x.closed(ctx, got); {
		case closed && other == nil:
			p.recorded.drops[data] = true
			p.add("S15", "$..json_ld", "shown", "not public")
		case closed && kind != "events":
			p.got.drops[other] = true
			p.add("S15", "$..json_ld", "hidden from everybody", "shown with the password")
		}
	}
	for _, one := range linkedKinds {
		data, other := data.Member(one.data), other.Member(one.data)
		if data == nil || other == nil || data.Raw() == other.Raw() || !x.linksClosed(ctx, got, one.member) {
			continue
		}
		p.use(data, other)
		p.add("S15", "$..json_ld."+one.data, "shown in full", "not public")
	}
}

// closed returns the kind of an entry of the target, and whether not everybody may read it: it
// is not published, or behind a password.
func (x *explaining) closed(ctx context.Context, entry *jsontree.Node) (kind string, closed bool) {
	kind = "events"
	for _, one := range linkedKinds {
		if name := entry.Member(one.member); name.Is(jsontree.String) || hiddenName(entry, one.member) && entry.Member("title") == nil {
			kind = one.kind
		}
	}
	if status := entry.Member("status"); status != nil && status.Text() != "publish" {
		return kind, true
	}
	if id := entry.Member("id"); id != nil {
		r := x.refuses(ctx, kind, id.Plain())
		return kind, r.locked || r.refused && strings.Contains(r.code, "password")
	}
	return kind, false
}

// hiddenName reports whether an entry's name is a list without items, as the target shows the
// name of a venue or an organizer behind a password.
func hiddenName(entry *jsontree.Node, name string) bool {
	member := entry.Member(name)
	return member.Is(jsontree.Array) && len(member.Items) == 0
}

// linksClosed reports whether an event of the target has a venue or an organizer that not
// everybody may read.
func (x *explaining) linksClosed(ctx context.Context, event *jsontree.Node, member string) bool {
	for _, linked := range linkedItems(event.Member(member)) {
		if hiddenName(linked, member) {
			return true
		}
		if _, closed := x.closed(ctx, linked); closed {
			return true
		}
	}
	return false
}

// passwordArgument removes the argument for the password from descriptions of routes of the
// target, if the reference describes it nowhere: calendars before 6.5.0.1.
func (x *explaining) passwordArgument(p *pair) {
	const name = "password"
	if strings.Contains(x.Recorded.Body, `"`+name+`"`) {
		return
	}
	removed := false
	p.got.root.Walk(func(n *jsontree.Node) {
		if argument := n.Member("args").Member(name); argument != nil {
			p.got.drops[argument], removed = true, true
		}
		for _, parameter := range itemsOf(n.Member("parameters")) {
			if parameter.Member("name").Text() == name {
				p.got.drops[parameter], removed = true, true
			}
		}
	})
	if removed {
		p.add("S15", "$..args."+name, diff.Absent, "the argument "+name)
	}
}

// unlocked names the cause of an event that the target refuses without its password, or for a
// password that is not valid. Before 6.5.0.1 The Events Calendar shows it to everybody.
func (x *explaining) unlocked() {
	if !x.Level.Safe() || x.Recorded.Status != http.StatusOK || !slices.Contains([]int{400, 401, 403}, x.Got.Status) || !strings.Contains(x.Sent.Path, "/events/") {
		return
	}
	root, err := jsontree.Parse(x.Got.Body)
	if err != nil {
		return
	}
	params := root.Member("data").Member("params")
	invalid := root.Member("code").Text() == "rest_invalid_param" && params.Member("password") != nil && len(params.Names) == 1
	if root.Member("code").Text() != "event-password-protected" && !invalid {
		return
	}
	x.found = append(x.found[:0], diff.Difference{Part: diff.PartStatus, Level: diff.LevelStatus, Recorded: "200 OK", Got: "refused without the password", Cause: causeOf("S15")})
}

// generalRight reports whether the reference lets a login change an entry or a term because it
// may change such entries in general, and the target does not. Calendars before 6.15.19 ask for
// no more than that, and say so in the header Allow.
func (x *explaining) generalRight(ctx context.Context) bool {
	kind, _, _ := strings.Cut(x.kind(), "/")
	if !x.Level.Safe() || x.Ask == nil || !slices.Contains(listKinds, kind) {
		return false
	}
	recorded, got := words(x.Recorded.Headers["allow"]), words(x.Got.Headers["allow"])
	write := func(method string) bool { return slices.Contains([]string{"delete", "patch", "post", "put"}, method) }
	reads := slices.DeleteFunc(slices.Clone(recorded), write)
	if !slices.Equal(reads, got) || len(reads) == len(recorded) {
		return false
	}
	if !slices.Contains(entryKinds, kind) {
		kind = "events" // the right to make events was enough for terms
	}
	list, err := x.get(ctx, "/"+kind)
	return err == nil && slices.Contains(words(list.Headers["allow"]), "post")
}
