package embed

import (
	"regexp"
	"strings"

	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/scan"
)

// lineBreakMark stands for a line break inside an HTML tag while lines are
// looked at.
const lineBreakMark = "<!-- wp-line-break -->"

var loneURL = regexp.MustCompile(`(?i)(?:^|[\t\n\v\f\r >])https?://`)

// replaceLoneURLs replaces the URLs in s that stand alone on a line or in a
// paragraph. Line breaks inside tags do not count.
func replaceLoneURLs(s string, replace func(u string) string) string {
	if !loneURL.MatchString(s) {
		return s
	}
	s = hideLineBreaks(s)
	s = replaceURLLines(s, replace)
	s = replaceURLParagraphs(s, replace)
	return strings.ReplaceAll(s, lineBreakMark, "\n")
}

func hideLineBreaks(s string) string {
	out := scan.Patch{Src: s}
	pos := 0
	for piece, isTag := range markup.Tokens(s, true) {
		if isTag && strings.Contains(piece, "\n") {
			out.Replace(pos, pos+len(piece), strings.ReplaceAll(piece, "\n", lineBreakMark))
		}
		pos += len(piece)
	}
	return out.String()
}

// urlAt returns the end of the URL at p, or 0.
func urlAt(s string, p int) int {
	q := p
	switch {
	case len(s)-p > 8 && strings.EqualFold(s[p:p+8], "https://"):
		q += 8
	case len(s)-p > 7 && strings.EqualFold(s[p:p+7], "http://"):
		q += 7
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
	for line := 0; line < len(s); {
		end := len(s)
		if i := strings.IndexByte(s[line:], '\n'); i >= 0 {
			end = line + i
		}
		start := scan.SkipWhite(s[:end], line)
		if stop := urlAt(s[:end], start); stop > 0 && scan.SkipWhite(s[:end], stop) == end {
			out.Replace(start, stop, replace(s[start:stop]))
		}
		line = end + 1
	}
	return out.String()
}

// replaceURLParagraphs replaces the URL in <p>URL</p>.
func replaceURLParagraphs(s string, replace func(u string) string) string {
	gt := scan.NewFinder(s, ">")
	out := scan.Patch{Src: s}
	for pos := 0; ; {
		i := strings.IndexByte(s[pos:], '<')
		if i < 0 {
			return out.String()
		}
		tag := pos + i
		pos = tag + 1
		if len(s)-tag < 3 || s[tag+1]|0x20 != 'p' || s[tag+2] != '>' && s[tag+2] != ' ' {
			continue
		}
		last := gt.Next(tag + 2)
		if last < 0 {
			return out.String()
		}
		start := scan.SkipWhite(s, last+1)
		stop := urlAt(s, start)
		if stop == 0 {
			continue
		}
		end := scan.SkipWhite(s, stop)
		if len(s)-end >= 4 && strings.EqualFold(s[end:end+4], "</p>") {
			out.Replace(start, stop, replace(s[start:stop]))
			pos = end + 4
		}
	}
}
