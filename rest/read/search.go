package read

import (
	"strings"
	"unicode/utf8"

	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
)

// searchTerms splits a search text as WordPress's post search does: quoted
// phrases and words, single ASCII letters and the stop words dropped; when
// nothing or more than nine terms are left, the whole text is the one term. A
// leading minus excludes. Text that is nothing but a backslash searches for
// nothing: nil.
func searchTerms(search string) []wpstore.SearchTerm {
	search = escape.StripSlashes(search)
	search = strings.NewReplacer("\r", "", "\n", "").Replace(search)
	if search == "" {
		return nil
	}
	words := searchWords(search)
	var kept []string
	for _, w := range words {
		w = searchWord(w)
		if w != "" {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 || len(kept) > 9 {
		kept = []string{search}
	}
	out := make([]wpstore.SearchTerm, len(kept))
	for i, w := range kept {
		out[i] = wpstore.SearchTerm{Text: w}
		if rest, ok := strings.CutPrefix(w, "-"); ok {
			out[i] = wpstore.SearchTerm{Text: rest, Exclude: true}
		}
	}
	return out
}

// searchWords cuts the text into quoted phrases (the quote may stay open to the
// end) and runs without tabs, quotes, commas, plus signs and spaces.
func searchWords(s string) []string {
	const breaks = "\t \",+"
	var out []string
	for i := 0; i < len(s); {
		switch {
		case s[i] == '"':
			end := strings.IndexByte(s[i+1:], '"')
			if end < 0 {
				out = append(out, s[i:])
				return out
			}
			out = append(out, s[i:i+end+2])
			i += end + 2
		case strings.IndexByte(breaks, s[i]) >= 0:
			i++
		default:
			end := strings.IndexAny(s[i:], breaks)
			if end < 0 {
				end = len(s) - i
			}
			out = append(out, s[i:i+end])
			i += end
		}
	}
	return out
}

// searchWord cleans one word; "" means that it does not count.
func searchWord(w string) string {
	if strings.HasPrefix(w, `"`) {
		w = strings.Trim(w, "\"'")
	} else {
		w = strings.Trim(w, "\"' ")
	}
	if w == "" || utf8.RuneCountInString(w) == 1 && (w == "-" || isASCIILetter(w[0])) {
		return ""
	}
	if stopWords[strings.ToLower(w)] {
		return ""
	}
	return w
}

func isASCIILetter(c byte) bool { c |= 0x20; return c >= 'a' && c <= 'z' }

// stopWords are WordPress's for English, which it uses on every site whose
// translation has none of its own.
var stopWords = wordSet("about an are as at be by com for from how in is it of on or that the this to was what when where who will with www")

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
