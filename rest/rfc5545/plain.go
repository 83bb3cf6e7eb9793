package rfc5545

import (
	"html"
	"regexp"
	"strings"

	"calbridge/rest/wptext/sanitize"
)

// lineBreaks are the tags that end a line of text, paragraphEnds those that end a paragraph.
var (
	lineBreaks    = regexp.MustCompile(`(?i)<br\b[^<>]*>|</(?:li|tr|div|dd|dt|figcaption)\s*>`)
	paragraphEnds = regexp.MustCompile(`(?i)</(?:p|h[1-6]|ul|ol|dl|table|blockquote|pre|figure)\s*>`)
	blanks        = regexp.MustCompile(`[ \t\n]+`)
	spaceAround   = regexp.MustCompile(` *([\x01\x02]) *`)
	breaks        = regexp.MustCompile(`[\x01\x02]*\x02[\x01\x02]*`)
)

// Plain returns the text of HTML: paragraphs are separated by an empty line, tags are gone, and
// entities are characters.
func Plain(markup string) string {
	if !strings.ContainsAny(markup, "<&\n\t\r") {
		return strings.TrimSpace(markup)
	}
	// \x01 and \x02 stand for the ends of lines and paragraphs; stored texts don't have any
	// control characters behind clean.
	s := clean(markup)
	s = lineBreaks.ReplaceAllString(s, "\x01")
	s = paragraphEnds.ReplaceAllString(s, "\x02")
	s = sanitize.StripAllTags(s)
	s = blanks.ReplaceAllString(s, " ")
	s = spaceAround.ReplaceAllString(s, "$1")
	s = breaks.ReplaceAllString(s, "\n\n")
	s = strings.ReplaceAll(s, "\x01", "\n")
	return strings.TrimSpace(html.UnescapeString(s))
}

// PlainLine returns the text of HTML in one line.
func PlainLine(markup string) string { return oneLine(Plain(markup)) }
