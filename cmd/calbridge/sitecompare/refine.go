package sitecompare

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"calbridge/compat/diff"
	"calbridge/compat/excerpt"
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
	differences := slices.DeleteFunc(slices.Clone(p.differences), func(d diff.Difference) bool { return d.Known > 0 })
	theirs := p.exchange.Response
	for _, d := range differences {
		switch {
		case d.Part == diff.PartAnswer:
			return []diff.Difference{d}
		case isPage(theirs) && !isPage(p.ours):
			return []diff.Difference{{Part: diff.PartAnswer, Level: diff.LevelStatus, Where: wherePage, Recorded: statusText(theirs), Got: statusText(p.ours)}}
		case d.Part == diff.PartStatus:
			d.Recorded, d.Got = statusText(theirs), statusText(p.ours)
			return []diff.Difference{d}
		}
	}
	list, differs := listDifference(theirs, p.ours)
	if !differs {
		return differences
	}
	headers := slices.DeleteFunc(differences, func(d diff.Difference) bool {
		return d.Part != diff.PartHeaders || strings.HasPrefix(d.Where, "x-tec-total") || strings.HasPrefix(d.Where, "x-wp-total") || d.Where == "link"
	})
	return append(headers, list)
}

// statusText is the status of an answer, with its code of error.
func statusText(r recording.Response) string {
	text := strconv.Itoa(r.Status)
	if root, err := jsontree.Parse(r.Body); err == nil && r.Status >= 400 {
		if code := root.Member("code").Text(); code != "" {
			text += " " + excerpt.Head(code, 60)
		}
	}
	return text
}

// listDifference says how the items of two lists differ.
func listDifference(theirs, ours recording.Response) (diff.Difference, bool) {
	want, have := idsOf(theirs.Body), idsOf(ours.Body)
	d := diff.Difference{Part: diff.PartBody, Level: diff.LevelSemantic, Where: whereItems}
	if slices.Equal(want, have) {
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

// idsOf returns the ids of a list's items.
func idsOf(body string) []string {
	_, text, _ := jsontree.UnwrapJSONP(body)
	root, err := jsontree.Parse(text)
	if err != nil {
		return nil
	}
	var ids []string
	for _, item := range itemsOf(root) {
		if id := item.Member("id"); id != nil {
			ids = append(ids, id.Plain())
		}
	}
	return ids
}

func someIDs(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return excerpt.Head(strings.Join(ids, ", "), 60)
}

// generalizer turns a place in an answer into a kind of place.
type generalizer struct{ index, quoted, sizes, list *regexp.Regexp }

func newGeneralizer() *generalizer {
	return &generalizer{
		index: regexp.MustCompile(`\[\d+\]`), quoted: regexp.MustCompile(`^(\$(?:\.body)?\.(?:routes|paths))\["[^"]*"\]`), sizes: regexp.MustCompile(`\.sizes(\.[\w-]+|\["[^"]*"\])`),
		list: regexp.MustCompile(`^\$(\.body)?(\.(` + strings.Join(listNames(), "|") + `)\[\*\])?\.?`),
	}
}

// kind is a place without indexes and names of entries: $.events[*].image.sizes.*.url.
func (g *generalizer) kind(where string) string {
	where = g.index.ReplaceAllString(where, "[*]")
	where = g.quoted.ReplaceAllString(where, "$1.*")
	return g.sizes.ReplaceAllString(where, ".sizes.*")
}

// field is a kind of place by itself, without the list that the entry is in: image.sizes.*.url.
func (g *generalizer) field(kind string) string {
	return g.list.ReplaceAllString(kind, "")
}
