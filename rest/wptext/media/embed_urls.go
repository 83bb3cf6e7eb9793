package media

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// lineBreakMark stands for a line break inside an HTML tag.
const lineBreakMark = "<!-- wp-line-break -->"

// mayHaveLoneURL reports whether a URL stands at the beginning, or behind white space or a tag.
func mayHaveLoneURL(s string) bool {
	for i := 0; ; i += len("://") {
		next := strings.Index(s[i:], "://")
		if next < 0 {
			return false
		}
		i += next
		for _, scheme := range [...]string{"http", "https"} {
			start := i - len(scheme)
			if start >= 0 && markup.HasPrefixFold(s[start:], scheme) && (start == 0 || s[start-1] == '>' || markup.IsSpace(s[start-1])) {
				return true
			}
		}
	}
}

// replaceLoneURLs replaces URLs alone on a line or in a paragraph. Line breaks inside
// tags don't count.
func replaceLoneURLs(s string, replace func(u string) string) string {
	if !mayHaveLoneURL(s) {
		return s
	}
	s = markup.ReplaceInTokens(s, "\n", lineBreakMark)
	s = replaceURLLines(s, replace)
	s = replaceURLParagraphs(s, replace)
	return strings.ReplaceAll(s, lineBreakMark, "\n")
}

// urlAt returns the end of the URL at p, or 0.
func urlAt(s string, p int) int {
	q := p
	switch rest := s[p:]; {
	case markup.HasPrefixFold(rest, "https://"):
		q += len("https://")
	case markup.HasPrefixFold(rest, "http://"):
		q += len("http://")
	default:
		return 0
	}
	start := q
	for q < len(s) && !markup.IsSpace(s[q]) && s[q] != '<' && s[q] != '>' && s[q] != '"' {
		q++
	}
	if q == start {
		return 0
	}
	return q
}

func replaceURLLines(s string, replace func(u string) string) string {
	out := markup.Patch{Src: s}
	end := 0
	for line := range strings.Lines(s) {
		start := markup.SkipWhite(s[:end+len(line)], end)
		end += len(line)
		if stop := urlAt(s[:end], start); stop > 0 && markup.SkipWhite(s[:end], stop) == end {
			out.Replace(start, stop, replace(s[start:stop]))
		}
	}
	return out.String()
}

// replaceURLParagraphs replaces the URL in <p>URL</p>.
func replaceURLParagraphs(s string, replace func(u string) string) string {
	gt := markup.NewFinder(s, ">")
	out := markup.Patch{Src: s}
	for tag := range out.Each("<") {
		if !markup.HasPrefixFold(s[tag:], "<p>") && !markup.HasPrefixFold(s[tag:], "<p ") {
			continue
		}
		last := gt.Next(tag + 2)
		if last < 0 {
			break
		}
		start := markup.SkipWhite(s, last+1)
		if stop := urlAt(s, start); stop > 0 && markup.HasPrefixFold(s[markup.SkipWhite(s, stop):], "</p>") {
			out.Replace(start, stop, replace(s[start:stop]))
		}
	}
	return out.String()
}
