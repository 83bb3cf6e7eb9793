package paragraph

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

const breakMark = "<WPPreserveNewline />"

// lineBreaks turns the line feeds that are left within paragraphs into <br />,
// save inside of scripts, styles, drawings and formulas, and removes the
// breaks that came to stand next to block elements.
func lineBreaks(s string) string {
	s = preserveNewlines(s)
	s = strings.ReplaceAll(s, "<br>", "<br />")
	s = strings.ReplaceAll(s, "<br/>", "<br />")
	s = breakLines(s)
	s = strings.ReplaceAll(s, breakMark, "\n")
	if !strings.Contains(s, "<br />") {
		return s
	}
	return dropBeforeTags(dropBehindTags(s, "<br />"))
}

// preserveNewlines marks the line feeds of elements whose text is no prose.
func preserveNewlines(s string) string {
	names := [...]string{"script", "style", "svg", "math"}
	var closings [len(names)]scan.Finder
	for n, name := range names {
		closings[n] = scan.NewFinder(s, "</"+name+">")
	}
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '<', 0); i >= 0; {
		from := i + 1
		for n, name := range names {
			if !strings.HasPrefix(s[from:], name) {
				continue
			}
			end := closings[n].Next(from)
			if end < 0 {
				break
			}
			for nl := scan.IndexFrom(s[:end], '\n', from); nl >= 0; nl = scan.IndexFrom(s[:end], '\n', nl+1) {
				p.Replace(nl, nl+1, breakMark)
			}
			from = end + len(closings[n].What)
			break
		}
		i = scan.IndexFrom(s, '<', from)
	}
	return p.String()
}

// breakLines replaces white space up to a line feed by <br /> and the line
// feed, unless a <br /> stands in front of it already.
func breakLines(s string) string {
	p := scan.Patch{Src: s}
	for pos := 0; ; {
		nl := scan.IndexFrom(s, '\n', pos)
		if nl < 0 {
			return p.String()
		}
		start := scan.WhiteBefore(s, nl, pos)
		run := scan.SkipWhite(s, nl)
		last := start + strings.LastIndexByte(s[start:run], '\n')
		if strings.HasSuffix(s[:start], "<br />") {
			start++
		}
		if start <= last {
			p.Replace(start, last+1, "<br />\n")
		}
		pos = run
	}
}

// dropBeforeTags removes each <br /> in front of a tag of some block elements.
func dropBeforeTags(s string) string {
	p := scan.Patch{Src: s}
	gt := scan.NewFinder(s, ">")
	for pos := 0; ; {
		n := strings.Index(s[pos:], "<br />")
		if n < 0 {
			return p.String()
		}
		start := pos + n
		pos = start + len("<br />")
		tag := scan.SkipWhite(s, pos)
		if tag == len(s) || s[tag] != '<' {
			continue
		}
		name := strings.TrimPrefix(s[tag+1:], "/")
		if !startsWithAny(name, "p", "li", "div", "dl", "dd", "dt", "th", "td", "ul", "ol") {
			continue
		}
		if end := gt.Next(tag); end >= 0 {
			p.Replace(start, pos)
			pos = end + 1
		}
	}
}
