package profile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// votes are the texts that were seen, by the source of the wording.
type votes struct {
	ballots map[source]ballot
	sources []source // the keys of ballots in the order of their appearance
}

func (v *votes) add(from source, s slot, text string, weight int) {
	if text == "" {
		return
	}
	if v.ballots == nil {
		v.ballots = map[source]ballot{}
	}
	if v.ballots[from] == nil {
		v.ballots[from] = ballot{}
		v.sources = append(v.sources, from)
	}
	v.ballots[from].add(s, text, weight)
}

// byLanguage adds up the ballots of sources in the same language. home is the site's
// home URL. The codes are sorted, without the default's place mattering.
func (v *votes) byLanguage(home string) (codes []string, languages map[string]ballot) {
	languages = map[string]ballot{}
	// A language that has a root of its own is taken from there only: an argument
	// may choose the content without choosing the wording.
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
			for i, text := range t.texts {
				languages[code].add(s, text, t.counts[i])
			}
		}
	}
	return slices.Sorted(maps.Keys(languages)), languages
}

// shortestHome is the shortest home URL among the sources, "" when there is none.
func (v *votes) shortestHome() string {
	shortest := ""
	for _, from := range v.sources {
		shorter := shortest == "" || cmp.Or(len(from.home)-len(shortest), strings.Compare(from.home, shortest)) < 0
		if from.home != "" && from.language == "" && shorter {
			shortest = from.home
		}
	}
	return shortest
}

// tally counts the texts that were seen for one slot. Texts seen in a way that
// may mislead are counted with no weight: they are used only when there is
// nothing better.
type tally struct {
	texts  []string
	counts []int
}

func (t *tally) add(text string, weight int) {
	for i, have := range t.texts {
		if have == text {
			t.counts[i] += weight
			return
		}
	}
	t.texts = append(t.texts, text)
	t.counts = append(t.counts, weight)
}

// best is the text seen most often; of several the shortest, then the one seen first.
func (t *tally) best() string {
	best := 0
	for i := range t.texts {
		more := t.counts[i] > t.counts[best]
		if more || (t.counts[i] == t.counts[best] && len(t.texts[i]) < len(t.texts[best])) {
			best = i
		}
	}
	return t.texts[best]
}

// disputed reports whether several texts were seen with weight.
func (t *tally) disputed() bool {
	n := 0
	for _, count := range t.counts {
		if count > 0 {
			n++
		}
	}
	return n > 1
}

// ballot holds the tallies of one language root.
type ballot map[slot]*tally

func (b ballot) add(s slot, text string, weight int) {
	t := b[s]
	if t == nil {
		t = new(tally)
		b[s] = t
	}
	t.add(text, weight)
}
