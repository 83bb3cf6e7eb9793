package explain

import (
	"cmp"
	"regexp"
	"slices"

	"calbridge/compat/diff"
)

// index matches the index of an item of a list.
var index = regexp.MustCompile(`\[\d+\]`)

// Place returns the place of a difference without indexes: $.events[*].title.
func Place(where string) string { return index.ReplaceAllString(where, "[*]") }

// ranks order the places of differences, the most telling first: what visitors see, the
// other fields, what only programs use, and headers.
var ranks = []struct {
	part  diff.Part
	where *regexp.Regexp
}{
	{diff.PartAnswer, regexp.MustCompile("")},
	{diff.PartKnown, regexp.MustCompile("")},
	{diff.PartStatus, regexp.MustCompile("")},
	{diff.PartBody, regexp.MustCompile(`^\$(\.body)?(\.(events|venues|organizers|categories|tags))?$|\.(id|title|cost|start_date|end_date|venue|organizer|name|total)$`)},
	{diff.PartBody, regexp.MustCompile(`\.(description|excerpt|url|image|address|city|website|phone|email|slug|all_day|status|code|message)$`)},
	{diff.PartBody, regexp.MustCompile("")},
	{diff.PartHeaders, regexp.MustCompile(`^(content-type|location|allow|www-authenticate|x-tec-.*|x-wp-.*|link|access-control-.*)$`)},
	{diff.PartHeaders, regexp.MustCompile(`^(cache-control|vary|expires|pragma)$`)},
}

// leastTelling are headers that differ whenever anything else does.
var leastTelling = []string{"etag", "last-modified"}

// Rank orders differences by how much they tell, the most telling first.
func Rank(d diff.Difference) int {
	if d.Part == diff.PartHeaders && slices.Contains(leastTelling, d.Where) {
		return len(ranks) + 1
	}
	for i, r := range ranks {
		if r.part == d.Part && r.where.MatchString(d.Where) {
			return i
		}
	}
	return len(ranks)
}

// sortByRank puts the differences that nothing explains before the others, and the most telling
// first.
func sortByRank(differences []diff.Difference) {
	explained := func(d diff.Difference) int {
		if d.Explained() {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(differences, func(a, b diff.Difference) int {
		return cmp.Or(explained(a)-explained(b), Rank(a)-Rank(b))
	})
}
