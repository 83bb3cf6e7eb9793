package sanitize

import (
	"strings"

	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// StripAllTags is WordPress's wp_strip_all_tags: it removes scripts and styles
// with their content, then all tags, and trims.
func StripAllTags(s string) string {
	return php.Trim(StripTags(removeScripts(s)))
}

// removeScripts removes script and style elements with their content. The
// beginning of the name is enough, and an element that is not closed stays.
func removeScripts(s string) string {
	names := [...]string{"script", "style"}
	lower := ""
	var closings [len(names)]scan.Finder
	ends := scan.NewFinder(s, ">")
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '<', 0); i >= 0; {
		from := i + 1
		for n, name := range names {
			if !scan.HasPrefixFold(s[from:], name) {
				continue
			}
			if lower == "" {
				lower = scan.LowerASCII(s)
				for n, name := range names {
					closings[n] = scan.NewFinder(lower, "</"+name+">")
				}
			}
			gt := ends.Next(from)
			if gt < 0 {
				return p.String()
			}
			if end := closings[n].Next(gt + 1); end >= 0 {
				from = end + len(closings[n].What)
				p.Replace(i, from)
			}
			break
		}
		i = scan.IndexFrom(s, '<', from)
	}
	return p.String()
}

// TrimWords is WordPress's wp_trim_words for languages that count words: it
// returns the first n words of the text without tags, joined by single spaces,
// and more behind them if there were further words.
func TrimWords(s string, n int, more string) string {
	words := strings.FieldsFunc(StripAllTags(s), func(r rune) bool {
		return r == '\n' || r == '\r' || r == '\t' || r == ' '
	})
	if len(words) > n {
		return strings.Join(words[:max(n, 0)], " ") + more
	}
	return strings.Join(words, " ")
}
