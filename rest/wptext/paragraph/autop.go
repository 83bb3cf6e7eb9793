package paragraph

import (
	"strconv"
	"strings"

	"calbridge/rest/wptext/markup"
	"calbridge/rest/wptext/scan"
	"calbridge/wpstore/php"
)

// Autop is WordPress's wpautop: it makes paragraphs of text that blank lines
// separate and turns the remaining line breaks into <br />. Elements that are
// paragraphs of their own stay outside. The result ends with a line feed; text
// of white space alone gives "".
//
// As in WordPress the name of an element is in most places recognised by its
// beginning, and blank lines in the body of a script separate paragraphs too.
func Autop(s string) string {
	if php.Trim(s) == "" {
		return ""
	}
	s, pres := setAsidePre(s + "\n")
	s = doubleBreaks(s)
	s = spaceBlocks(s)
	if strings.IndexByte(s, '\r') >= 0 {
		s = strings.ReplaceAll(s, "\r\n", "\n")
		s = strings.ReplaceAll(s, "\r", "\n")
	}
	s = hideNewlinesInTags(s)
	s = tightenMedia(s)
	s = wrapParagraphs(collapseNewlines(s))
	s = unwrapBlocks(s)
	s = lineBreaks(s)
	s = restorePre(closeLastParagraph(s), pres)
	if strings.Contains(s, newlineMark) {
		s = strings.ReplaceAll(s, " "+newlineMark+" ", "\n")
		s = strings.ReplaceAll(s, newlineMark, "\n")
	}
	return s
}

// closeLastParagraph removes a line feed in front of a </p> at the end.
func closeLastParagraph(s string) string {
	const closing = "\n</p>"
	if strings.HasSuffix(s, closing) {
		return s[:len(s)-len(closing)] + "</p>"
	}
	if strings.HasSuffix(s, closing+"\n") {
		return s[:len(s)-len(closing)-1] + "</p>\n"
	}
	return s
}

// newlineMark stands for a line feed inside of a tag.
const newlineMark = "<!-- wpnl -->"

const preMark, preMarkEnd = "<pre wp-pre-tag-", "></pre>"

// setAsidePre replaces each pre element by a numbered empty one and returns
// the originals. A stray </pre> is lost, as in WordPress.
func setAsidePre(s string) (string, []string) {
	if !strings.Contains(s, "<pre") {
		return s, nil
	}
	var pres []string
	var b strings.Builder
	b.Grow(len(s))
	for {
		piece, rest, more := strings.Cut(s, "</pre>")
		if !more {
			b.WriteString(s)
			return b.String(), pres
		}
		if i := strings.Index(piece, "<pre"); i >= 0 {
			b.WriteString(piece[:i])
			b.WriteString(preMark)
			b.WriteString(strconv.Itoa(len(pres)))
			b.WriteString(preMarkEnd)
			pres = append(pres, s[i:len(piece)+len("</pre>")])
		} else {
			b.WriteString(piece)
		}
		s = rest
	}
}

// restorePre puts the pre elements back. WordPress would also look for numbers
// inside of what it just put back; text that forges such marks is not worth
// the quadratic size that this can take.
func restorePre(s string, pres []string) string {
	if len(pres) == 0 {
		return s
	}
	p := scan.Patch{Src: s}
	for pos := 0; ; {
		n := strings.Index(s[pos:], preMark)
		if n < 0 {
			return p.String()
		}
		start := pos + n
		pos = start + len(preMark)
		digits := pos
		for scan.DigitAt(s, pos) {
			pos++
		}
		k, err := strconv.Atoi(s[digits:pos])
		if err != nil || k >= len(pres) || strconv.Itoa(k) != s[digits:pos] ||
			!strings.HasPrefix(s[pos:], preMarkEnd) {
			continue
		}
		pos += len(preMarkEnd)
		p.Replace(start, pos, pres[k])
	}
}

// hideNewlinesInTags writes a mark for each line feed inside of a tag or a
// comment, so that no paragraph ends there.
func hideNewlinesInTags(s string) string {
	if strings.IndexByte(s, '<') < 0 {
		return s
	}
	p := scan.Patch{Src: s}
	for pos := 0; pos < len(s); {
		start, end := markup.NextToken(s, pos, true)
		for i := scan.IndexFrom(s[:end], '\n', start); i >= 0; i = scan.IndexFrom(s[:end], '\n', i+1) {
			p.Replace(i, i+1, " "+newlineMark+" ")
		}
		pos = end
	}
	return p.String()
}

// collapseNewlines leaves two of more than two line feeds in a row.
func collapseNewlines(s string) string {
	p := scan.Patch{Src: s}
	for pos := 0; ; {
		n := strings.Index(s[pos:], "\n\n\n")
		if n < 0 {
			return p.String()
		}
		start := pos + n
		pos = start + 3
		for pos < len(s) && s[pos] == '\n' {
			pos++
		}
		p.Replace(start, pos, "\n\n")
	}
}

// wrapParagraphs cuts s at blank lines and puts each piece into a paragraph.
func wrapParagraphs(s string) string {
	var b strings.Builder
	b.Grow(len(s) + len(s)/4 + 16)
	wrap := func(piece string) {
		if piece != "" {
			b.WriteString("<p>")
			b.WriteString(strings.Trim(piece, "\n"))
			b.WriteString("</p>\n")
		}
	}
	start := 0
	for i := scan.IndexFrom(s, '\n', 0); i >= 0; {
		run := scan.SkipWhite(s, i)
		if last := strings.LastIndexByte(s[i:run], '\n'); last > 0 {
			wrap(s[start:i])
			start = i + last + 1
		}
		i = scan.IndexFrom(s, '\n', run)
	}
	wrap(s[start:])
	return b.String()
}
