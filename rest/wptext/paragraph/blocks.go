package paragraph

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// breakTag returns the end of the <br>, <br/> or <br /> at i, or 0.
func breakTag(s string, i int) int {
	if !strings.HasPrefix(s[i:], "<br") {
		return 0
	}
	return bareTagEnd(s, i+len("<br"))
}

// bareTagEnd returns the end of a tag without attributes of which s[i:] is what
// follows the name, or 0.
func bareTagEnd(s string, i int) int {
	i = markup.SkipWhite(s, i)
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
	p := markup.Patch{Src: s}
	for i := range p.Each("<br") {
		if first := breakTag(s, i); first > 0 {
			if second := breakTag(s, markup.SkipWhite(s, first)); second > 0 {
				p.Replace(i, second, "\n\n")
			}
		}
	}
	return p.String()
}

// spaceBlocks puts a blank line in front of the opening tag of each block
// element and behind its closing tag, and behind a bare <hr>.
func spaceBlocks(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("<") {
		name := i + 1
		closing := name < len(s) && s[name] == '/'
		if closing {
			name++
		}
		end := name
		for end < len(s) && (s[end] >= 'a' && s[end] <= 'z' || markup.IsDigit(s[end])) {
			end++
		}
		if end == len(s) || !blockNames[s[name:end]] {
			continue
		}
		switch after := s[end]; {
		case closing:
			if after == '>' {
				p.Replace(end+1, end+1, "\n\n")
			}
		case after == '>' || after == '/' || markup.IsSpace(after):
			p.Replace(i, i, "\n\n")
			if s[name:end] == "hr" {
				if rule := bareTagEnd(s, end); rule > 0 {
					p.Replace(rule, rule, "\n\n")
				}
			}
		}
	}
	return p.String()
}

// unwrapBlocks removes the paragraphs around block elements and parts of them.
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
	p := markup.Patch{Src: s}
	for i := range p.Each("<p>") {
		if end := paragraphEnd(s, markup.SkipWhite(s, i+len("<p>"))); end > 0 {
			p.Replace(i, end)
		}
	}
	return p.String()
}

// paragraphEnd returns the end of the </p> at i, or 0.
func paragraphEnd(s string, i int) int {
	if strings.HasPrefix(s[i:], "</p>") {
		return i + len("</p>")
	}
	return 0
}

// closeParagraphs closes a paragraph of mere text in front of the end of a
// div, an address or a form.
func closeParagraphs(s string) string {
	p, lt := markup.Patch{Src: s}, markup.NewFinder(s, "<")
	for i := range p.Each("<p>") {
		text := i + len("<p>")
		if end := lt.Next(text); end > text && startsWithAny(s[end:], "</div>", "</address>", "</form>") {
			p.Replace(end, end, "</p>")
		}
	}
	return p.String()
}

// unwrapLoneTags removes a paragraph around a single tag of a block element.
func unwrapLoneTags(s string) string {
	p, gt := markup.Patch{Src: s}, markup.NewFinder(s, ">")
	for i := range p.Each("<p>") {
		tag := markup.SkipWhite(s, i+len("<p>"))
		if end := blockTag(s, tag, &gt); end > 0 {
			if closing := paragraphEnd(s, markup.SkipWhite(s, end)); closing > 0 {
				p.Replace(i, closing, s[tag:end])
			}
		}
	}
	return p.String()
}

// unwrapListItems removes a paragraph, on one line, that begins with <li.
func unwrapListItems(s string) string {
	const opening = "<p><li"
	p, closing, newline := markup.Patch{Src: s}, markup.NewFinder(s, "</p>"), markup.NewFinder(s, "\n")
	for i := range p.Each(opening) {
		content := i + len(opening)
		line, end := newline.Next(content), closing.Next(content+1)
		if line == content || end < 0 || line >= 0 && line < end {
			continue
		}
		p.Replace(i, end+len("</p>"), s[i+len("<p>"):end])
	}
	return p.String()
}

// moveIntoBlockquotes moves the paragraph around a blockquote inside.
func moveIntoBlockquotes(s string) string {
	const opening = "<p><blockquote"
	p := markup.Patch{Src: s}
	for i := range p.Each("<") {
		if markup.HasPrefixFold(s[i:], opening) {
			rest := i + len(opening)
			if end := markup.IndexFrom(s, '>', rest) + 1; end > 0 {
				p.Replace(i, end, "<blockquote", s[rest:end], "<p>")
			}
		}
	}
	return strings.ReplaceAll(p.String(), "</blockquote></p>", "</p></blockquote>")
}

// dropParagraphStarts removes each <p> in front of a tag of a block element.
func dropParagraphStarts(s string) string {
	p, gt := markup.Patch{Src: s}, markup.NewFinder(s, ">")
	for i := range p.Each("<p>") {
		tag := markup.SkipWhite(s, i+len("<p>"))
		if end := blockTag(s, tag, &gt); end > 0 {
			p.Replace(i, tag)
			p.Skip(end)
		}
	}
	return p.String()
}

// dropBehindTags removes each tail, and the white space in front of it, that
// follows a tag of a block element.
func dropBehindTags(s, tail string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each(tail) {
		if end := markup.WhiteBefore(s, i, p.Done); endsInBlockTag(s[p.Done:end]) {
			p.Replace(end, i+len(tail))
		}
	}
	return p.String()
}

// endsInBlockTag reports whether s ends with a tag of a block element. A tag
// reaches back over further "<" up to the ">" of the tag before.
func endsInBlockTag(s string) bool {
	s, ok := strings.CutSuffix(s, ">")
	s = s[strings.LastIndexByte(s, '>')+1:]
	for ok {
		if _, s, ok = strings.Cut(s, "<"); ok && blockStart(strings.TrimPrefix(s, "/")) {
			return true
		}
	}
	return false
}
