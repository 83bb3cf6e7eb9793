package explain

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/jsontree"
)

// list removes hidden entries from a recorded list. What remains must be the target's list:
// entries that moved to an earlier page are missing at its beginning, those that moved up
// from the next page follow at its end, and the totals are smaller by as many as are hidden.
func (x *explaining) list(ctx context.Context, p *pair, kind string) {
	fewer, counted := x.fewerBy(p)
	want, have := p.recorded.inner.Member(kind), p.got.inner.Member(kind)
	recorded, got := idsOf(want), idsOf(have)
	paired := want.Is(jsontree.Array) && have.Is(jsontree.Array) && (recorded != nil || len(want.Items) == 0) && (got != nil || len(have.Items) == 0)
	if !paired {
		if number := x.hiddenAnywhere(ctx, kind, fewer); counted && fewer > 0 && number != "" {
			x.totals(p, number, fewer)
		}
		return
	}
	if total, err := strconv.Atoi(key(p.recorded.inner, "total")); err == nil && total < len(recorded) {
		counted = false // under WPML the reference counts entries of another language than it lists
	}
	missing := slices.DeleteFunc(slices.Clone(recorded), func(id string) bool { return slices.Contains(got, id) })
	numbers, gone := map[string][]string{}, map[string]bool{}
	for _, id := range missing {
		if r := x.refuses(ctx, kind, id); r.refused {
			gone[id], numbers[r.number(kind)] = true, append(numbers[r.number(kind)], id)
		}
	}
	if len(missing) > len(gone) || fewer > len(gone) {
		x.searched(ctx, p, kind, missing, gone, numbers)
	}
	visible := slices.DeleteFunc(slices.Clone(recorded), func(id string) bool { return gone[id] })
	moved, fits := shifted(visible, got, tied(kind, want, have))
	switch {
	case !counted && len(gone) == 0, !fits, counted && moved+len(gone) > fewer:
		if fits && moved == 0 && len(gone) == 0 {
			break
		}
		return
	case fewer > len(gone):
		number := x.hiddenAnywhere(ctx, kind, fewer)
		if number == "" {
			return
		}
		if len(numbers[number]) == 0 {
			numbers[number] = nil
		}
	}
	if rest := visible[moved:]; !slices.Equal(rest, got[:len(rest)]) {
		p.add("D1", "$."+kind, "order by date", "another order of equal entries")
	}
	for number, ids := range numbers {
		x.totals(p, number, fewer)
		if len(ids) > 0 {
			p.add(number, "$."+kind, "also "+strings.Join(ids, ", "), "refused to this login by themselves")
		}
	}
	x.items(ctx, p, kind, want, have)
}

// tied returns a function that reports whether two entries may change places. Venues and organizers
// of one date may (known difference D1).
func tied(kind string, want, have *jsontree.Node) func(id, other string) bool {
	dates := map[string]string{}
	if kind == "venues" || kind == "organizers" {
		for _, item := range append(itemsOf(want), have.Items...) {
			dates[item.Member("id").Plain()] = key(item, "date")
		}
	}
	return func(id, other string) bool { return id == other || dates[id] != "" && dates[id] == dates[other] }
}

// shifted returns how many of the recorded entries moved to an earlier page. It reports
// whether the rest is the beginning of the target's list.
func shifted(recorded, got []string, tied func(id, other string) bool) (moved int, fits bool) {
	for moved = 0; moved <= len(recorded); moved++ {
		rest := recorded[moved:]
		if len(rest) <= len(got) && slices.EqualFunc(rest, got[:len(rest)], tied) {
			return moved, true
		}
	}
	return 0, false
}

// hiddenAnywhere returns the known difference that hides at least n entries of a kind, which
// the recordings list, from the login; "" for none.
func (x *explaining) hiddenAnywhere(ctx context.Context, kind string, n int) string {
	if id := x.hiddenFilter(ctx); id != "" || x.request.Query.Has("search") && n > 0 && x.countHidden(ctx, entryKinds, n) >= 1 {
		return "S9"
	}
	if x.Listed == nil || n <= 0 || x.countHidden(ctx, []string{kind}, n) < n {
		return ""
	}
	for _, id := range x.Listed().ids[kind] {
		if r := x.refuses(ctx, kind, id); r.refused && r.number(kind) == "S2" {
			return "S2"
		}
	}
	return "S1"
}

// countHidden counts entries of these kinds that the target refuses, up to n.
func (x *explaining) countHidden(ctx context.Context, kinds []string, n int) (count int) {
	if x.Listed == nil {
		return 0
	}
	for _, kind := range kinds {
		for _, id := range x.Listed().ids[kind] {
			if count >= n || ctx.Err() != nil {
				return count
			}
			if x.refuses(ctx, kind, id).refused {
				count++
			}
		}
	}
	return count
}

// searched removes entries that can be read, but that the reference finds or lists by
// something hidden only: by a filter on a hidden entry, or a hidden venue or organizer.
func (x *explaining) searched(ctx context.Context, p *pair, kind string, missing []string, gone map[string]bool, numbers map[string][]string) {
	filter := x.hiddenFilter(ctx)
	for i, item := range p.recorded.inner.Member(kind).Items {
		id := item.Member("id").Plain()
		if !slices.Contains(missing, id) || gone[id] {
			continue
		}
		byText := x.request.Query.Has("search") && (x.linksHidden(ctx, p.recorded.inner.Member(kind).Items[i]) || x.refuses(ctx, kind, id).locked)
		if filter != "" || byText {
			gone[id], numbers["S9"] = true, append(numbers["S9"], id)
		}
	}
}

// linksHidden reports whether an event has a venue or an organizer that the target refuses.
func (x *explaining) linksHidden(ctx context.Context, event *jsontree.Node) bool {
	for _, one := range linkedKinds {
		for _, linked := range linkedItems(event.Member(one.member)) {
			if id := linked.Member("id"); id != nil && x.refuses(ctx, one.kind, id.Plain()).refused {
				return true
			}
		}
	}
	return false
}

// totals makes totals and links to other pages equal.
func (x *explaining) totals(p *pair, number string, fewer int) {
	p.fewer = number
	differs := false
	for _, name := range []string{"total", "total_pages", "next_rest_url", "previous_rest_url"} {
		want, have := p.recorded.inner.Member(name), p.got.inner.Member(name)
		switch {
		case want == nil && have == nil:
			continue
		case have == nil:
			p.recorded.drops[want] = true
		case want == nil:
			p.got.drops[have] = true
		case want.Raw() == have.Raw():
			continue
		default:
			p.use(want, have)
		}
		differs = true
	}
	for _, name := range []string{"X-TEC-Total", "X-TEC-TotalPages"} {
		want, have := p.recorded.root.Member("headers").Member(name), p.got.root.Member("headers").Member(name)
		if want != nil && have != nil && want.Raw() != have.Raw() {
			p.use(want, have)
			differs = true
		}
	}
	if differs || fewer > 0 {
		p.add(number, "$.total", "counts hidden entries", fmt.Sprintf("%d fewer", fewer))
	}
}

// items replaces a recorded list by one with the target's entries: those that both have as
// recorded, without what is hidden inside them.
func (x *explaining) items(ctx context.Context, p *pair, kind string, want, have *jsontree.Node) {
	text := arranged(want, have, func(recorded, got *jsontree.Node) string {
		if kind == "events" {
			x.linked(ctx, p, recorded, got)
			paragraphs(p, recorded, got)
		}
		return p.recorded.render(recorded)
	})
	if len(p.causes) > 0 && text != want.Raw() {
		p.recorded.changes[want] = text
	}
}

// take names the cause of another list of venues or organizers, chosen from other events, and of its
// totals. It replaces the recorded list by the target's entries: those that both have as recorded.
func (x *explaining) take(p *pair, kind, cause, recorded, got string) {
	if want, have := p.recorded.inner.Member(kind), p.got.inner.Member(kind); want.Is(jsontree.Array) && have.Is(jsontree.Array) {
		p.recorded.changes[want] = arranged(want, have, func(recorded, _ *jsontree.Node) string { return p.recorded.render(recorded) })
	}
	x.totals(p, cause, 0)
	p.add(cause, "$."+kind, recorded, got)
}

// paragraphs takes the target's description of an event that has other paragraphs around blocks
// than the recorded one. WordPress makes paragraphs by what it rendered before, and hidden
// entries of the list are not rendered.
func paragraphs(p *pair, recorded, got *jsontree.Node) {
	plain := strings.NewReplacer("<p>", "", "</p>", "", "\n", "").Replace
	want, have := recorded.Member("description"), got.Member("description")
	if p.fewer == "" || !want.Is(jsontree.String) || !have.Is(jsontree.String) || want.Raw() == have.Raw() || plain(want.Text()) != plain(have.Text()) {
		return
	}
	p.use(want, have)
	p.add(p.fewer, "$.events[*].description", "paragraphs after a hidden entry", "paragraphs without it")
}

// arranged returns a recorded list with the target's entries: those that both have as text
// returns them, and the others as the target has them. All items must have an id.
func arranged(want, have *jsontree.Node, text func(recorded, got *jsontree.Node) string) string {
	byID := map[string]*jsontree.Node{}
	for _, item := range want.Items {
		byID[item.Member("id").Plain()] = item
	}
	var texts []string
	for _, item := range have.Items {
		if recorded := byID[item.Member("id").Plain()]; recorded != nil {
			texts = append(texts, text(recorded, item))
		} else {
			texts = append(texts, item.Raw())
		}
	}
	if slices.EqualFunc(texts, have.Items, func(text string, item *jsontree.Node) bool { return text == item.Raw() }) {
		return have.Raw() // with white space, as _pretty asks for it
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// totalsOnly finds the cause of totals in headers whose body has none, such as that of HEAD.
func (x *explaining) totalsOnly(ctx context.Context) {
	kind := x.kind()
	want, errWant := strconv.Atoi(x.Recorded.Header("x-tec-total"))
	have, errHave := strconv.Atoi(x.Got.Header("x-tec-total"))
	if x.fewer == "" && x.Level.Safe() && x.Recorded.Status == x.Got.Status && slices.Contains(listKinds, kind) && errWant == nil && errHave == nil && want > have {
		x.fewer = x.hiddenAnywhere(ctx, kind, want-have)
	}
}

// lastPage names the cause of a page that only the reference has: the target's list ends one page
// earlier, by as many entries as are hidden.
func (x *explaining) lastPage(ctx context.Context) {
	kind := x.kind()
	page, err := strconv.Atoi(x.request.Query.Get("page"))
	if err != nil || page < 2 || x.Ask == nil || !x.Level.Safe() || x.Recorded.Status != 200 || x.Got.Status != 404 || !slices.Contains(listKinds, kind) {
		return
	}
	before := x.Sent
	before.Path = pageArgument.ReplaceAllString(before.Path, "${1}page="+strconv.Itoa(page-1))
	answer, err := x.Ask(ctx, before)
	want, errWant := strconv.Atoi(x.Recorded.Header("x-tec-total"))
	have, errHave := strconv.Atoi(answer.Header("x-tec-total"))
	if err != nil || errWant != nil || errHave != nil || answer.Status != 200 || answer.Header("x-tec-totalpages") != strconv.Itoa(page-1) || want <= have {
		return
	}
	number := x.hiddenAnywhere(ctx, kind, want-have)
	if number == "" && truthy(x.request.Query.Get("has_events")) && x.hides(ctx, want-have, 0) {
		number = "S9"
	}
	if number != "" {
		x.all(number)
	}
}

// pageArgument matches the argument page in an address.
var pageArgument = regexp.MustCompile(`([?&])page=[0-9]+`)
