package embed

import (
	"regexp"
	"strings"

	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/scan"
)

// lineBreakMark stands for a line break inside an HTML tag.
const lineBreakMark = "<!-- wp-line-break -->"

var loneURL = regexp.MustCompile(`(?i)(?:^|[\t\n\v\f\r >])https?://`)

// replaceLoneURLs replaces URLs alone on a line or in a paragraph. Line breaks inside
// tags don't count.
func replaceLoneURLs(s string, replace func(u string) string) string {
	if !loneURL.MatchString(s) {
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
	case scan.HasPrefixFold(rest, "https://"):
		q += len("https://")
	case scan.HasPrefixFold(rest, "http://"):
		q += len("http://")
	default:
		return 0
	}
	start := q
	for q < len(s) && !scan.IsSpace(s[q]) && s[q] != '<' && s[q] != '>' && s[q] != '"' {
		q++
	}
	if q == start {
		return 0
	}
	return q
}

func replaceURLLines(s string, replace func(u string) string) string {
	out := scan.Patch{Src: s}
	end := 0
	for line := range strings.Lines(s) {
		start := scan.SkipWhite(s[:end+len(line)], end)
		end += len(line)
		if stop := urlAt(s[:end], start); stop > 0 && scan.SkipWhite(s[:end], stop) == end {
			out.Replace(start, stop, replace(s[start:stop]))
		}
	}
	return out.String()
}

// replaceURLParagraphs replaces the URL in <p>URL</p>.
func replaceURLParagraphs(s string, replace func(u string) string) string {
	gt := scan.NewFinder(s, ">")
	out := scan.Patch{Src: s}
	for tag := range out.Each("<") {
		if !scan.HasPrefixFold(s[tag:], "<p>") && !scan.HasPrefixFold(s[tag:], "<p ") {
			continue
		}
		last := gt.Next(tag + 2)
		if last < 0 {
			break
		}
		start := scan.SkipWhite(s, last+1)
		if stop := urlAt(s, start); stop > 0 && scan.HasPrefixFold(s[scan.SkipWhite(s, stop):], "</p>") {
			out.Replace(start, stop, replace(s[start:stop]))
		}
	}
	return out.String()
}
