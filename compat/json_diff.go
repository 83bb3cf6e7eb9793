package compat

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxDifferences bounds what is reported of one body: more tells nothing new.
const maxDifferences = 25

// jsonDiff finds the places at which two JSON documents differ.
type jsonDiff struct {
	rules *noise
	level Level
	most  int // 0 means maxDifferences
	found []Difference
	seen  int // at any level
}

func (d *jsonDiff) full() bool {
	return len(d.found) >= cmp.Or(d.most, maxDifferences)
}

func (d *jsonDiff) add(of Level, path jsonPath, recorded, got string) {
	d.seen++
	if d.level.sees(of) && !d.full() {
		d.found = append(d.found, Difference{Part: PartBody, Level: of, Where: path.String(), Recorded: recorded, Got: got})
	}
}

func (d *jsonDiff) compare(want, got *jsonNode, path jsonPath) {
	if d.full() || d.rules.canonical(want, path) == d.rules.canonical(got, path) {
		return
	}
	switch {
	case want.kind != got.kind:
		d.add(LevelSchema, path, want.kind.String()+" "+valueText(want), got.kind.String()+" "+valueText(got))
	case want.kind == jsonObject:
		d.compareObjects(want, got, path)
	case want.kind == jsonArray && d.rules.unordered(path):
		d.compareUnordered(want, got, path)
	case want.kind == jsonArray:
		d.compareLists(want, got, path)
	default:
		at := commonPrefix(want.raw(), got.raw())
		d.add(leafLevel(want, got), path, leafText(want, at), leafText(got, at))
	}
}

func (d *jsonDiff) compareObjects(want, got *jsonNode, path jsonPath) {
	sameNames := slices.Equal(want.names, got.names)
	if !sameNames && !d.compareNames(want, got, path) {
		d.add(LevelBytes, path, "members in the order "+namesText(want.names), namesText(got.names))
	}
	for i, name := range want.names {
		if other := memberAt(got, name, i, sameNames); other != nil {
			d.compare(want.items[i], other, want.step(path, i))
		}
	}
}

// memberAt finds the member to compare with the i-th one; by place when the
// names are the same, so that duplicate names pair up.
func memberAt(node *jsonNode, name string, i int, sameNames bool) *jsonNode {
	if sameNames {
		return node.items[i]
	}
	return node.member(name)
}

// compareNames reports members that one side only has, and whether there were any.
func (d *jsonDiff) compareNames(want, got *jsonNode, path jsonPath) bool {
	found := false
	for i, name := range want.names {
		if !slices.Contains(got.names, name) {
			found = true
			d.add(LevelSchema, want.step(path, i), valueText(want.items[i]), absent)
		}
	}
	for i, name := range got.names {
		if !slices.Contains(want.names, name) {
			found = true
			d.add(LevelSchema, got.step(path, i), absent, valueText(got.items[i]))
		}
	}
	return found
}

func (d *jsonDiff) compareLists(want, got *jsonNode, path jsonPath) {
	if len(want.items) != len(got.items) {
		d.add(LevelSemantic, path, countText(want), countText(got))
	}
	for i := range min(len(want.items), len(got.items)) {
		d.compare(want.items[i], got.items[i], want.step(path, i))
	}
}

// compareUnordered pairs the items of two lists whose order does not count: equal
// ones first, then those with the same id. What is left over is reported.
func (d *jsonDiff) compareUnordered(want, got *jsonNode, path jsonPath) {
	if len(want.items) != len(got.items) {
		d.add(LevelSemantic, path, countText(want), countText(got))
	}
	unpaired := map[string][]int{}
	for i, item := range got.items {
		text := d.rules.canonical(item, got.step(path, i))
		unpaired[text] = append(unpaired[text], i)
	}
	var left []int
	for i, item := range want.items {
		text := d.rules.canonical(item, want.step(path, i))
		if same := unpaired[text]; len(same) > 0 {
			unpaired[text] = same[1:]
			continue
		}
		left = append(left, i)
	}
	byID := map[string]int{}
	for _, indexes := range unpaired {
		for _, i := range indexes {
			byID[itemID(got.items[i], i)] = i
		}
	}
	for _, i := range left {
		if other, found := byID[itemID(want.items[i], i)]; found {
			delete(byID, itemID(want.items[i], i))
			d.compare(want.items[i], got.items[other], want.step(path, i))
			continue
		}
		d.add(LevelSemantic, want.step(path, i), valueText(want.items[i]), "no such item")
	}
	rest := make([]int, 0, len(byID))
	for _, i := range byID {
		rest = append(rest, i)
	}
	slices.Sort(rest)
	for _, i := range rest {
		d.add(LevelSemantic, got.step(path, i), "no such item", valueText(got.items[i]))
	}
}

func itemID(item *jsonNode, index int) string {
	if id := item.member("id"); id != nil {
		return id.raw()
	}
	return fmt.Sprintf("#%d", index)
}

func countText(list *jsonNode) string { return fmt.Sprintf("%d items", len(list.items)) }

func namesText(names []string) string { return cut(strings.Join(names, ", "), 300) }

// valueText shows a value's beginning.
func valueText(node *jsonNode) string { return cut(node.raw(), 80) }

// leafText shows a text or a number; of a long one what is around the byte at
// which it differs.
func leafText(node *jsonNode, at int) string {
	raw := node.raw()
	if len(raw) <= 100 {
		return raw
	}
	return fmt.Sprintf("%s (at byte %d of %d)", excerpt(raw, at), at, len(raw))
}
