package diff

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"calbridge/compat/jsontree"
)

// trees finds the places at which two JSON documents differ, at most most of those that
// the level includes. seen counts them at any level.
func trees(want, got *jsontree.Node, noise *Noise, level Level, most int) (found []Difference, seen int) {
	d := treeDiffer{rules: noise, level: level, most: most}
	d.compare(want, got, nil)
	return d.found, d.seen
}

// treeDiffer compares two documents.
type treeDiffer struct {
	rules *Noise
	level Level
	most  int
	found []Difference
	seen  int // at any level
}

func (d *treeDiffer) full() bool { return len(d.found) >= d.most }

func (d *treeDiffer) add(of Level, path jsontree.Path, recorded, got string) {
	d.seen++
	if d.level.Sees(of) && !d.full() {
		d.found = append(d.found, Difference{Part: PartBody, Level: of, Where: path.String(), Recorded: recorded, Got: got})
	}
}

func (d *treeDiffer) compare(want, got *jsontree.Node, path jsontree.Path) {
	if d.full() || d.rules.canonical(want, path) == d.rules.canonical(got, path) {
		return
	}
	switch {
	case want.Kind != got.Kind:
		d.add(LevelSchema, path, want.Kind.String()+" "+valueText(want), got.Kind.String()+" "+valueText(got))
	case want.Kind == jsontree.Object:
		d.compareObjects(want, got, path)
	case want.Kind == jsontree.Array && d.rules.unordered(path):
		d.compareUnordered(want, got, path)
	case want.Kind == jsontree.Array:
		d.compareLists(want, got, path)
	default:
		level := LevelSemantic
		if jsontree.SameValue(want, got) {
			level = LevelBytes
		}
		at := CommonPrefix(want.Raw(), got.Raw())
		d.add(level, path, leafText(want, at), leafText(got, at))
	}
}

func (d *treeDiffer) compareObjects(want, got *jsontree.Node, path jsontree.Path) {
	sameNames := slices.Equal(want.Names, got.Names)
	if !sameNames && !d.compareNames(want, got, path) {
		d.add(LevelBytes, path, "members in the order "+namesText(want.Names), namesText(got.Names))
	}
	for i, name := range want.Names {
		other := got.Member(name)
		if sameNames { // duplicate names pair up by their places
			other = got.Items[i]
		}
		if other != nil {
			d.compare(want.Items[i], other, want.Step(path, i))
		}
	}
}

// compareNames records members that only one side has, and reports whether there were
// any.
func (d *treeDiffer) compareNames(want, got *jsontree.Node, path jsontree.Path) bool {
	found := false
	for i, name := range want.Names {
		if !slices.Contains(got.Names, name) {
			found = true
			d.add(LevelSchema, want.Step(path, i), valueText(want.Items[i]), Absent)
		}
	}
	for i, name := range got.Names {
		if !slices.Contains(want.Names, name) {
			found = true
			d.add(LevelSchema, got.Step(path, i), Absent, valueText(got.Items[i]))
		}
	}
	return found
}

func (d *treeDiffer) compareLists(want, got *jsontree.Node, path jsontree.Path) {
	d.compareLengths(want, got, path)
	for i := range min(len(want.Items), len(got.Items)) {
		d.compare(want.Items[i], got.Items[i], want.Step(path, i))
	}
}

func (d *treeDiffer) compareLengths(want, got *jsontree.Node, path jsontree.Path) {
	if len(want.Items) != len(got.Items) {
		d.add(LevelSemantic, path, fmt.Sprintf("%d items", len(want.Items)), fmt.Sprintf("%d items", len(got.Items)))
	}
}

// compareUnordered pairs the items of two lists whose order does not count: equal
// ones first, then those with the same id, and reports the others.
func (d *treeDiffer) compareUnordered(want, got *jsontree.Node, path jsontree.Path) {
	d.compareLengths(want, got, path)
	unpaired := map[string][]int{}
	for i, item := range got.Items {
		text := d.rules.canonical(item, got.Step(path, i))
		unpaired[text] = append(unpaired[text], i)
	}
	var left []int
	for i, item := range want.Items {
		text := d.rules.canonical(item, want.Step(path, i))
		if same := unpaired[text]; len(same) > 0 {
			unpaired[text] = same[1:]
			continue
		}
		left = append(left, i)
	}
	byID := map[string]int{}
	for _, indexes := range unpaired {
		for _, i := range indexes {
			byID[itemID(got.Items[i], i)] = i
		}
	}
	for _, i := range left {
		id := itemID(want.Items[i], i)
		if other, found := byID[id]; found {
			delete(byID, id)
			d.compare(want.Items[i], got.Items[other], want.Step(path, i))
			continue
		}
		d.add(LevelSemantic, want.Step(path, i), valueText(want.Items[i]), "no such item")
	}
	for _, i := range slices.Sorted(maps.Values(byID)) {
		d.add(LevelSemantic, got.Step(path, i), "no such item", valueText(got.Items[i]))
	}
}

func itemID(item *jsontree.Node, index int) string {
	if id := item.Member("id"); id != nil {
		return id.Raw()
	}
	return fmt.Sprintf("#%d", index)
}

func namesText(names []string) string { return Head(strings.Join(names, ", "), 300) }

// valueText shows a value's beginning.
func valueText(node *jsontree.Node) string { return Head(node.Raw(), 80) }

// leafText returns a text or a number. A long one is shortened to the surroundings of
// the byte at which it differs.
func leafText(node *jsontree.Node, at int) string {
	raw := node.Raw()
	if len(raw) <= 100 {
		return raw
	}
	return fmt.Sprintf("%s (at byte %d of %d)", Around(raw, at), at, len(raw))
}
