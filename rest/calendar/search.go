package calendar

import (
	"regexp"
	"slices"
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
)

// SearchTerms splits a search text as WordPress's post search does: into quoted phrases and words,
// without single ASCII letters and stop words. If none or more than nine remain, the whole text is
// the only term. A leading minus excludes. For a lone backslash it returns nil, which searches for
// nothing, as does a text above maxSearch.
func SearchTerms(search string) []wpstore.SearchTerm {
	if len(search) > maxSearch {
		return nil
	}
	search = escape.StripSlashes(search)
	search = strings.NewReplacer("\r", "", "\n", "").Replace(search)
	if search == "" {
		return nil
	}
	var words []string
	for _, w := range searchWord.FindAllString(search, -1) {
		if w = cleanWord(w); w != "" {
			words = append(words, w)
		}
	}
	if len(words) == 0 || len(words) > 9 {
		words = []string{search}
	}
	out := make([]wpstore.SearchTerm, len(words))
	for i, w := range words {
		out[i].Text, out[i].Exclude = strings.CutPrefix(w, "-")
	}
	return out
}

// maxSearch is the length in bytes above which WordPress drops a search text.
const maxSearch = 1600

// searchWord matches quoted phrases, whose last quote may be missing, and words.
var searchWord = regexp.MustCompile(`"[^"]*"?|[^\t ",+]+`)

// cleanWord returns "" for a word that does not count.
func cleanWord(w string) string {
	if strings.HasPrefix(w, `"`) {
		w = strings.Trim(w, "\"'")
	} else {
		w = strings.Trim(w, "\"' ")
	}
	if len(w) == 1 && (w == "-" || isASCIILetter(w[0])) || slices.Contains(stopWords, strings.ToLower(w)) {
		return ""
	}
	return w
}

func isASCIILetter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// stopWords are WordPress's for English, which it uses on every site whose
// translation has none of its own.
var stopWords = strings.Fields("about an are as at be by com for from how in is it of on or that the this to was what when where who will with www")
