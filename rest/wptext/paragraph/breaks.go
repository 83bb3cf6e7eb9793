package paragraph

import (
	"slices"
	"strings"

	"calbridge/rest/wptext/markup"
)

const breakMark = "<WPPreserveNewline />"

// lineBreaks turns the remaining line feeds into <br />, except inside scripts,
// styles, drawings and formulas, and removes breaks next to block elements.
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

// preserveNewlines marks the line feeds of elements whose text isn't prose.
func preserveNewlines(s string) string {
	names := [...]string{"script", "style", "svg", "math"}
	var closings [len(names)]markup.Finder
	for n, name := range names {
		closings[n] = markup.NewFinder(s, "</"+name+">")
	}
	p := markup.Patch{Src: s}
	for i := range p.Each("<") {
		n := slices.IndexFunc(names[:], func(name string) bool { return strings.HasPrefix(s[i+1:], name) })
		if n < 0 {
			continue
		}
		if end := closings[n].Next(i + 1); end >= 0 {
			end += len(closings[n].What)
			p.Replace(i, end, strings.ReplaceAll(s[i:end], "\n", breakMark))
		}
	}
	return p.String()
}

// breakLines replaces white space up to a line feed by <br /> and the line feed,
// unless a <br /> is in front of it already.
func breakLines(s string) string {
	p := markup.Patch{Src: s}
	pos := 0
	for nl := range p.Each("\n") {
		start := markup.WhiteBefore(s, nl, pos)
		run := markup.SkipWhite(s, nl)
		last := start + strings.LastIndexByte(s[start:run], '\n')
		if strings.HasSuffix(s[:start], "<br />") {
			start++
		}
		if start <= last {
			p.Replace(start, last+1, "<br />\n")
		}
		pos = run
		p.Skip(run)
	}
	return p.String()
}

// dropBeforeTags removes each <br /> in front of a tag of some block elements.
func dropBeforeTags(s string) string {
	p, gt := markup.Patch{Src: s}, markup.NewFinder(s, ">")
	for i := range p.Each("<br />") {
		after := i + len("<br />")
		tag := markup.SkipWhite(s, after)
		if tag == len(s) || s[tag] != '<' {
			continue
		}
		name := strings.TrimPrefix(s[tag+1:], "/")
		if startsWithAny(name, "p", "li", "div", "dl", "dd", "dt", "th", "td", "ul", "ol") && gt.Next(tag) >= 0 {
			p.Replace(i, after)
		}
	}
	return p.String()
}
