package profile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// votes holds the texts that were seen, by the source of the wording.
type votes struct {
	ballots map[source]ballot
	sources []source // the keys of ballots in order of appearance
}

func (v *votes) add(from source, s slot, text string, weight int) {
	if text == "" {
		return
	}
	if v.ballots[from] == nil {
		v.ballots[from] = ballot{}
		v.sources = append(v.sources, from)
	}
	v.ballots[from].add(s, text, weight)
}

// byLanguage adds up the ballots of sources in the same language and returns the
// languages' codes, sorted. home is the site's home URL.
func (v *votes) byLanguage(home string) (codes []string, languages map[string]ballot) {
	languages = map[string]ballot{}
	// The wording of a language with its own root is taken only from there: an argument
	// may select the content but not the wording.
	rooted := map[string]bool{}
	for _, from := range v.sources {
		if !from.asked {
			rooted[from.code(home)] = true
		}
	}
	for _, from := range v.sources {
		code := from.code(home)
		if from.asked && rooted[code] {
			continue
		}
		if languages[code] == nil {
			languages[code] = ballot{}
		}
		for s, t := range v.ballots[from] {
			for _, c := range t {
				languages[code].add(s, c.text, c.weight)
			}
		}
	}
	return slices.Sorted(maps.Keys(languages)), languages
}

// shortestHome returns the shortest home URL among the sources, "" when there is none.
func (v *votes) shortestHome() string {
	var homes []string
	for _, from := range v.sources {
		if from.home != "" && from.language == "" {
			homes = append(homes, from.home)
		}
	}
	if len(homes) == 0 {
		return ""
	}
	return slices.MinFunc(homes, func(a, b string) int { return cmp.Or(len(a)-len(b), strings.Compare(a, b)) })
}

// ballot holds the tallies of one source or language.
type ballot map[slot]tally

// tally counts the texts that were seen for one slot, in order of appearance. Texts from
// unreliable places have no weight: they are used only when there is nothing better.
type tally []candidate

type candidate struct {
	text   string
	weight int
}

func (b ballot) add(s slot, text string, weight int) {
	i := slices.IndexFunc(b[s], func(have candidate) bool { return have.text == text })
	if i < 0 {
		b[s] = append(b[s], candidate{text, weight})
		return
	}
	b[s][i].weight += weight
}

// best returns the text seen most often. Ties go to the shortest, then to the first.
func (t tally) best() string {
	return slices.MinFunc(t, func(a, b candidate) int { return cmp.Or(b.weight-a.weight, len(a.text)-len(b.text)) }).text
}

// disputed reports whether several different texts with weight were seen.
func (t tally) disputed() bool {
	t = slices.DeleteFunc(slices.Clone(t), func(c candidate) bool { return c.weight == 0 })
	return len(t) > 1
}
