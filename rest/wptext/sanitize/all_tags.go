package sanitize

import (
	"strings"

	"calbridge/rest/wptext/markup"
	"calbridge/wpstore/php"
)

// StripAllTags reproduces WordPress's wp_strip_all_tags: it removes scripts and styles
// with their content, then all tags, and trims.
func StripAllTags(s string) string {
	return php.Trim(StripTags(removeScripts(s)))
}

// removeScripts removes script and style elements with their content. As in
// WordPress the beginning of the name is enough, and an unclosed element stays.
func removeScripts(s string) string {
	names := [...]string{"script", "style"}
	lower := ""
	var closings [len(names)]markup.Finder
	ends := markup.NewFinder(s, ">")
	p := markup.Patch{Src: s}
	for i := range p.Each("<") {
		for n, name := range names {
			if !markup.HasPrefixFold(s[i+1:], name) {
				continue
			}
			if lower == "" {
				lower = markup.LowerASCII(s)
				for n, name := range names {
					closings[n] = markup.NewFinder(lower, "</"+name+">")
				}
			}
			gt := ends.Next(i + 1)
			if gt < 0 {
				return p.String()
			}
			if end := closings[n].Next(gt + 1); end >= 0 {
				p.Replace(i, end+len(closings[n].What))
			}
			break
		}
	}
	return p.String()
}

// TrimWords reproduces WordPress's wp_trim_words for languages that count words: the
// first n words of the text without tags, joined by single spaces, followed by
// more if there are further words.
func TrimWords(s string, n int, more string) string {
	words := plainWords(s)
	if len(words) > n {
		return strings.Join(words[:n], " ") + more
	}
	return strings.Join(words, " ")
}

// TrimCharacters returns the same for languages that count characters, single spaces between
// words included.
func TrimCharacters(s string, n int, more string) string {
	text := strings.Join(plainWords(s), " ")
	for i := range text {
		if n == 0 {
			return text[:i] + more
		}
		n--
	}
	return text
}

// plainWords returns the words of the text without tags.
func plainWords(s string) []string {
	return strings.FieldsFunc(StripAllTags(s), func(r rune) bool { return r < 0x80 && markup.IsPlainSpace(byte(r)) })
}
