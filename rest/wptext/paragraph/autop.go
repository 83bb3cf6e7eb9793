package paragraph

import (
	"strconv"
	"strings"

	"calbridge/rest/wptext/markup"

	"calbridge/wpstore/php"
)

// Autop reproduces WordPress's wpautop: it makes paragraphs of text
// that blank lines separate and turns the remaining line feeds into <br />. Block
// elements stay outside paragraphs. The result ends with a line feed; mere white
// space gives "".
//
// As in WordPress most steps look at the beginning of an element's name only, and
// blank lines inside a script separate paragraphs too.
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
	s = markup.ReplaceInTokens(s, "\n", " "+newlineMark+" ")
	s = tightenMedia(s)
	if strings.Contains(s, "\n\n\n") {
		s = markup.ReplaceRuns(s, 3, "\n\n", func(c byte) bool { return c == '\n' })
	}
	s = wrapParagraphs(s)
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
	for _, closing := range [...]string{"</p>", "</p>\n"} {
		if rest, ok := strings.CutSuffix(s, "\n"+closing); ok {
			return rest + closing
		}
	}
	return s
}

// newlineMark stands for a line feed inside a tag.
const newlineMark = "<!-- wpnl -->"

// A number between these stands for a pre element.
const preMark, preMarkEnd = "<pre ", "></pre>"

// setAsidePre replaces each pre element by a numbered empty one and returns the
// originals. As in WordPress a stray </pre> is lost.
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

// restorePre puts the pre elements back. Unlike WordPress it doesn't look for marks
// inside them, which would let forged marks grow the text quadratically.
func restorePre(s string, pres []string) string {
	if len(pres) == 0 {
		return s
	}
	p := markup.Patch{Src: s}
	for i := range p.Each(preMark) {
		digits := i + len(preMark)
		end := digits
		for markup.DigitAt(s, end) {
			end++
		}
		k, err := strconv.Atoi(s[digits:end])
		if err == nil && k < len(pres) && strconv.Itoa(k) == s[digits:end] && strings.HasPrefix(s[end:], preMarkEnd) {
			p.Replace(i, end+len(preMarkEnd), pres[k])
		}
	}
	return p.String()
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
	for i := markup.IndexFrom(s, '\n', 0); i >= 0; {
		run := markup.SkipWhite(s, i)
		if last := strings.LastIndexByte(s[i:run], '\n'); last > 0 {
			wrap(s[start:i])
			start = i + last + 1
		}
		i = markup.IndexFrom(s, '\n', run)
	}
	wrap(s[start:])
	return b.String()
}
