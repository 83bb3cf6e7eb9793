package sitecompare

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// Places of a difference that concerns a whole list.
const (
	whereItems = "items"          // a list has other items
	whereOrder = "order of items" // a list has the same items in another order
	wherePage  = "web page"       // HTML in place of the API's answer
)

// refined returns the differences of a pair without those that only follow from another: a
// different status explains a different body, other items explain other fields.
func (p *pair) refined() []diff.Difference {
	differences := slices.DeleteFunc(slices.Clone(p.differences), diff.Difference.Explained)
	theirs := p.exchange.Response
	for _, d := range differences {
		switch {
		case d.Part == diff.PartAnswer:
			return []diff.Difference{d}
		case isPage(theirs) && !isPage(p.ours):
			return []diff.Difference{{Part: diff.PartAnswer, Level: diff.LevelStatus, Where: wherePage, Recorded: statusText(theirs), Got: statusText(p.ours)}}
		case d.Part == diff.PartStatus || d.Part == diff.PartBody && statusText(theirs) != statusText(p.ours):
			return []diff.Difference{{Part: diff.PartStatus, Level: d.Level, Recorded: statusText(theirs), Got: statusText(p.ours)}}
		}
	}
	list, differs := listDifference(theirs, p.ours)
	if !differs {
		return collapsed(differences)
	}
	headers := slices.DeleteFunc(differences, func(d diff.Difference) bool {
		return d.Part != diff.PartHeaders || strings.HasPrefix(d.Where, "x-tec-total") || strings.HasPrefix(d.Where, "x-wp-total") || d.Where == "link"
	})
	return append(headers, list)
}

// whereHidden ends the place of an entry that one side shows and the other hides.
const whereHidden = ".(hidden)"

// collapsed replaces the differences inside a nested list with other entries, and inside an
// entry that only one side shows, by one each.
func collapsed(differences []diff.Difference) []diff.Difference {
	nested, hidden := regexp.MustCompile(`^(.+)\[\d+\]\.(?:id|term_taxonomy_id)$`), regexp.MustCompile(`^(.+)\.(?:sticky|show_map)$`)
	var below []string // prefixes of places
	var out []diff.Difference
	for _, d := range differences {
		if parts := nested.FindStringSubmatch(d.Where); parts != nil && !slices.Contains(below, parts[1]+"[") {
			below = append(below, parts[1]+"[")
			d.Where, d.Recorded, d.Got = parts[1], "entry "+d.Recorded, "entry "+d.Got
			out = append(out, d)
		}
		if parts := hidden.FindStringSubmatch(d.Where); parts != nil && strings.HasPrefix(d.Recorded, "boolean") && strings.HasPrefix(d.Got, "null") && !slices.Contains(below, parts[1]+".") {
			below = append(below, parts[1]+".")
			d.Where, d.Recorded, d.Got = parts[1]+whereHidden, "shown", "hidden behind the entry's password"
			out = append(out, d)
		}
	}
	for _, d := range differences {
		if d.Part != diff.PartBody || !slices.ContainsFunc(below, func(prefix string) bool { return strings.HasPrefix(d.Where, prefix) }) {
			out = append(out, d)
		}
	}
	return out
}

// statusText returns the status of an answer, with its code of error.
func statusText(r recording.Response) string {
	text := strconv.Itoa(r.Status)
	if root, err := jsontree.Parse(r.Body); err == nil && r.Status >= 400 {
		if code := root.Member("code").Text(); code != "" {
			text += " " + diff.Head(code, 60)
		}
	}
	return text
}

// listDifference describes how the items of two lists differ.
func listDifference(theirs, ours recording.Response) (diff.Difference, bool) {
	want, readable := idsOf(theirs.Body)
	have, _ := idsOf(ours.Body)
	d := diff.Difference{Part: diff.PartBody, Level: diff.LevelSemantic, Where: whereItems}
	if !readable || slices.Equal(want, have) {
		return d, false
	}
	if slices.Equal(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(have))) {
		d.Where, d.Recorded, d.Got = whereOrder, someIDs(want), someIDs(have)
		return d, true
	}
	only := func(a, b []string) string {
		return someIDs(slices.DeleteFunc(slices.Clone(a), func(id string) bool { return slices.Contains(b, id) }))
	}
	d.Recorded = fmt.Sprintf("%d items, of which calbridge lacks %s", len(want), only(want, have))
	d.Got = fmt.Sprintf("%d items, of which WordPress lacks %s", len(have), only(have, want))
	return d, true
}

// idsOf returns the ids of a list's items, and whether the body is JSON.
func idsOf(body string) (ids []string, readable bool) {
	_, text, _ := jsontree.UnwrapJSONP(body)
	root, err := jsontree.Parse(text)
	if err != nil {
		return nil, false
	}
	for _, item := range itemsOf(root) {
		if id := item.Member("id"); id != nil {
			ids = append(ids, id.Plain())
		}
	}
	return ids, true
}

func someIDs(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return diff.Head(strings.Join(ids, ", "), 60)
}

// generalizer turns a place in an answer into a kind of place.
type generalizer struct{ index, sizes, list *regexp.Regexp }

func newGeneralizer() *generalizer {
	return &generalizer{
		index: regexp.MustCompile(`\[\d+\]`), sizes: regexp.MustCompile(`\.sizes(\.[\w-]+|\["[^"]*"\])`),
		list: regexp.MustCompile(`^\$(\.body)?(\.(` + strings.Join(listNames(), "|") + `)\[\*\])?\.?`),
	}
}

// kind returns a place without indexes and names of entries: $.events[*].image.sizes.*.url.
func (g *generalizer) kind(where string) string {
	where = g.index.ReplaceAllString(where, "[*]")
	return g.sizes.ReplaceAllString(where, ".sizes.*")
}

// field returns a kind of place by itself, without the list that the entry is in: image.sizes.*.url.
func (g *generalizer) field(kind string) string {
	return g.list.ReplaceAllString(kind, "")
}
