package wptext

import "strings"

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
	var closings [len(names)]finder
	for n, name := range names {
		closings[n] = newFinder(s, "</"+name+">")
	}
	p := patch{src: s}
	for i := indexFrom(s, '<', 0); i >= 0; {
		from := i + 1
		for n, name := range names {
			if !strings.HasPrefix(s[from:], name) {
				continue
			}
			end := closings[n].next(from)
			if end < 0 {
				break
			}
			for nl := indexFrom(s[:end], '\n', from); nl >= 0; nl = indexFrom(s[:end], '\n', nl+1) {
				p.replace(nl, nl+1, breakMark)
			}
			from = end + len(closings[n].what)
			break
		}
		i = indexFrom(s, '<', from)
	}
	return p.String()
}

// breakLines replaces white space up to a line feed by <br /> and the line
// feed, unless a <br /> stands in front of it already.
func breakLines(s string) string {
	p := patch{src: s}
	for pos := 0; ; {
		nl := indexFrom(s, '\n', pos)
		if nl < 0 {
			return p.String()
		}
		start := whiteBefore(s, nl, pos)
		run := skipWhite(s, nl)
		last := start + strings.LastIndexByte(s[start:run], '\n')
		if strings.HasSuffix(s[:start], "<br />") {
			start++
		}
		if start <= last {
			p.replace(start, last+1, "<br />\n")
		}
		pos = run
	}
}

// dropBeforeTags removes each <br /> in front of a tag of some block elements.
func dropBeforeTags(s string) string {
	p := patch{src: s}
	gt := newFinder(s, ">")
	for pos := 0; ; {
		n := strings.Index(s[pos:], "<br />")
		if n < 0 {
			return p.String()
		}
		start := pos + n
		pos = start + len("<br />")
		tag := skipWhite(s, pos)
		if tag == len(s) || s[tag] != '<' {
			continue
		}
		name := strings.TrimPrefix(s[tag+1:], "/")
		if !startsWithAny(name, "p", "li", "div", "dl", "dd", "dt", "th", "td", "ul", "ol") {
			continue
		}
		if end := gt.next(tag); end >= 0 {
			p.replace(start, pos)
			pos = end + 1
		}
	}
}
