package paragraph

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// breakTag returns the end of the <br>, <br/> or <br /> that starts at i, or 0.
func breakTag(s string, i int) int {
	if !strings.HasPrefix(s[i:], "<br") {
		return 0
	}
	i = scan.SkipWhite(s, i+3)
	if i < len(s) && s[i] == '/' {
		i++
	}
	if i < len(s) && s[i] == '>' {
		return i + 1
	}
	return 0
}

// doubleBreaks turns two <br> in a row into a blank line.
func doubleBreaks(s string) string {
	p := scan.Patch{Src: s}
	for pos := 0; ; {
		n := strings.Index(s[pos:], "<br")
		if n < 0 {
			return p.String()
		}
		start := pos + n
		pos = start + 1
		first := breakTag(s, start)
		if first == 0 {
			continue
		}
		if second := breakTag(s, scan.SkipWhite(s, first)); second > 0 {
			p.Replace(start, second, "\n\n")
			pos = second
		}
	}
}

// spaceBlocks puts a blank line in front of the opening tag of each block
// element and behind its closing tag, and behind a bare <hr>.
func spaceBlocks(s string) string {
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '<', 0); i >= 0; i = scan.IndexFrom(s, '<', i+1) {
		name := i + 1
		closing := name < len(s) && s[name] == '/'
		if closing {
			name++
		}
		end := name
		for end < len(s) && (s[end] >= 'a' && s[end] <= 'z' || scan.IsDigit(s[end])) {
			end++
		}
		if end == name || end == len(s) || !isBlockName(s[name:end]) {
			continue
		}
		switch after := s[end]; {
		case closing:
			if after == '>' {
				p.Replace(end+1, end+1, "\n\n")
			}
		case after == '>' || after == '/' || scan.IsSpace(after):
			p.Replace(i, i, "\n\n")
			if s[name:end] == "hr" {
				if rule := bareRule(s, end); rule > 0 {
					p.Replace(rule, rule, "\n\n")
				}
			}
		}
	}
	return p.String()
}

// bareRule returns the end of a tag without attributes of which s[i:] is the
// rest behind the name, or 0.
func bareRule(s string, i int) int {
	i = scan.SkipWhite(s, i)
	if i < len(s) && s[i] == '/' {
		i++
	}
	if i < len(s) && s[i] == '>' {
		return i + 1
	}
	return 0
}

// unwrapBlocks takes the paragraphs away that came to stand around block
// elements or parts of them.
func unwrapBlocks(s string) string {
	s = removeEmptyParagraphs(s)
	s = closeParagraphs(s)
	s = unwrapLoneTags(s)
	s = unwrapListItems(s)
	s = moveIntoBlockquotes(s)
	s = dropParagraphStarts(s)
	return dropBehindTags(s, "</p>")
}

func removeEmptyParagraphs(s string) string {
	return eachParagraph(s, func(p *scan.Patch, i int) int {
		end := scan.SkipWhite(s, i+len("<p>"))
		if !strings.HasPrefix(s[end:], "</p>") {
			return 0
		}
		end += len("</p>")
		p.Replace(i, end)
		return end
	})
}

// eachParagraph calls f for each <p>, which starts at i. F makes its
// replacement and returns its end, or 0 if it made none.
func eachParagraph(s string, f func(p *scan.Patch, i int) int) string {
	p := scan.Patch{Src: s}
	for pos := 0; ; {
		n := strings.Index(s[pos:], "<p>")
		if n < 0 {
			return p.String()
		}
		i := pos + n
		pos = f(&p, i)
		if pos == 0 {
			pos = i + 1
		}
	}
}

// closeParagraphs closes a paragraph of mere text in front of the end of a
// div, an address or a form.
func closeParagraphs(s string) string {
	lt := scan.NewFinder(s, "<")
	return eachParagraph(s, func(p *scan.Patch, i int) int {
		text := i + len("<p>")
		end := lt.Next(text)
		if end <= text {
			return 0
		}
		for _, tag := range [...]string{"</div>", "</address>", "</form>"} {
			if strings.HasPrefix(s[end:], tag) {
				p.Replace(end, end, "</p>")
				return end + len(tag)
			}
		}
		return 0
	})
}

// unwrapLoneTags removes a paragraph around a single tag of a block element.
func unwrapLoneTags(s string) string {
	gt := scan.NewFinder(s, ">")
	return eachParagraph(s, func(p *scan.Patch, i int) int {
		tag := scan.SkipWhite(s, i+len("<p>"))
		if tag == len(s) || s[tag] != '<' {
			return 0
		}
		end := blockTag(s, tag, &gt)
		if end == 0 {
			return 0
		}
		closing := scan.SkipWhite(s, end)
		if !strings.HasPrefix(s[closing:], "</p>") {
			return 0
		}
		closing += len("</p>")
		p.Replace(i, closing, s[tag:end])
		return closing
	})
}

// unwrapListItems removes a paragraph, on one line, that begins with <li.
func unwrapListItems(s string) string {
	closing, newline := scan.NewFinder(s, "</p>"), scan.NewFinder(s, "\n")
	return eachParagraph(s, func(p *scan.Patch, i int) int {
		item := i + len("<p>")
		if !strings.HasPrefix(s[item:], "<li") {
			return 0
		}
		content := item + len("<li")
		line := newline.Next(content)
		if line == content {
			return 0
		}
		end := closing.Next(content + 1)
		if end < 0 || line >= 0 && line < end {
			return 0
		}
		p.Replace(i, end+len("</p>"), s[item:end])
		return end + len("</p>")
	})
}

// moveIntoBlockquotes moves the paragraph around a blockquote inside.
func moveIntoBlockquotes(s string) string {
	const opening = "<p><blockquote"
	p := scan.Patch{Src: s}
	for i := scan.IndexFrom(s, '<', 0); i >= 0; {
		from := i + 1
		if len(s)-i >= len(opening) && strings.EqualFold(s[i:i+len(opening)], opening) {
			rest := i + len(opening)
			if n := strings.IndexByte(s[rest:], '>'); n >= 0 {
				from = rest + n + 1
				p.Replace(i, from, "<blockquote", s[rest:from], "<p>")
			}
		}
		i = scan.IndexFrom(s, '<', from)
	}
	return strings.ReplaceAll(p.String(), "</blockquote></p>", "</p></blockquote>")
}

// dropParagraphStarts removes each <p> in front of a tag of a block element.
func dropParagraphStarts(s string) string {
	gt := scan.NewFinder(s, ">")
	return eachParagraph(s, func(p *scan.Patch, i int) int {
		tag := scan.SkipWhite(s, i+len("<p>"))
		if tag == len(s) || s[tag] != '<' {
			return 0
		}
		end := blockTag(s, tag, &gt)
		if end > 0 {
			p.Replace(i, tag)
		}
		return end
	})
}

// dropBehindTags removes each tail, and the white space in front of it, that
// follows a tag of a block element.
func dropBehindTags(s, tail string) string {
	p := scan.Patch{Src: s}
	done := 0 // behind the last tail removed
	for pos := 0; ; {
		n := strings.Index(s[pos:], tail)
		if n < 0 {
			return p.String()
		}
		at := pos + n
		pos = at + 1
		if end := scan.WhiteBefore(s, at, done); endsInBlockTag(s[done:end]) {
			done = at + len(tail)
			pos = done
			p.Replace(end, done)
		}
	}
}

// endsInBlockTag reports whether s ends with a tag of a block element. A tag
// reaches back over further "<" up to the ">" of the tag before.
func endsInBlockTag(s string) bool {
	if s == "" || s[len(s)-1] != '>' {
		return false
	}
	s = s[strings.LastIndexByte(s[:len(s)-1], '>')+1:]
	for i := scan.IndexFrom(s, '<', 0); i >= 0; i = scan.IndexFrom(s, '<', i+1) {
		name := s[i+1:]
		if name[0] == '/' {
			name = name[1:]
		}
		if blockStart(name) {
			return true
		}
	}
	return false
}
