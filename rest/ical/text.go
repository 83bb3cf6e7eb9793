package ical

import (
	"html"
	"net/url"
	"strconv"
	"strings"

	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/markup"
)

// location joins the parts of an address that aren't empty for PHP.
func (w *writer) location(parts []string) string {
	var some []string
	for _, part := range parts {
		if part != "" && part != "0" {
			some = append(some, part)
		}
	}
	return w.text(strings.Join(some, ", "))
}

// organizerName percent-encodes a name by RFC 3986, and then decodes the signs of a list again, one
// after the other.
func organizerName(name string) string {
	s := strings.ReplaceAll(url.QueryEscape(name), "+", "%20")
	for _, sign := range [...]string{" ", "&", "!", "?", "'", "*", "(", ")", "@", "#", "$", "%", "^", "+", "=", "{", "}", "[", "]", "|", `\`, "/", "<", ">", "`", "~"} {
		s = strings.ReplaceAll(s, escaped(sign), sign)
	}
	return strings.ReplaceAll(s, "%22", "'")
}

// escaped returns the percent-encoded form of one byte.
func escaped(sign string) string { return "%" + strings.ToUpper(strconv.FormatInt(int64(sign[0]), 16)) }

// email returns the address escaped for HTML, but not trimmed.
func (o *Organizer) email() string { return escape.HTML(o.Email) }

// decodeEntities reproduces PHP's html_entity_decode for HTML 4.01 with both kinds of quotes:
// references end in a semicolon, and one to a character that HTML 4.01 doesn't allow
// stays.
func decodeEntities(s string) string {
	p := markup.Patch{Src: s}
	for i := range p.Each("&") {
		if decoded, end := decodeEntity(s, i); end > 0 {
			p.Replace(i, end, decoded)
		}
	}
	return p.String()
}

// decodeEntity decodes the reference at i. Its end is 0 if there is none.
func decodeEntity(s string, i int) (decoded string, end int) {
	const longest = 12 // of "&#x10FFFF;" and of all names
	length := strings.IndexByte(s[i:min(len(s), i+longest)], ';')
	if length < 0 {
		return "", 0
	}
	reference := s[i : i+length+1]
	if name := reference[1:length]; !strings.HasPrefix(name, "#") {
		if name == "apos" || !escape.IsEntityName(name) {
			return "", 0
		}
		switch name { // other characters in HTML 5
		case "lang":
			return "\u2329", i + len(reference)
		case "rang":
			return "\u232a", i + len(reference)
		}
		return html.UnescapeString(reference), i + len(reference)
	}
	digits, base := reference[2:length], 10
	if digits != "" && digits[0]|0x20 == 'x' {
		digits, base = digits[1:], 16
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || !allowedCharacter(rune(code)) {
		return "", 0
	}
	return string(rune(code)), i + len(reference)
}

// allowedCharacter reports whether HTML 4.01 allows a numeric reference to a character.
func allowedCharacter(c rune) bool {
	switch {
	case c == '\t' || c == '\n' || c == '\r', c >= ' ' && c <= '~', c >= 0xA0 && c < 0xD800, c >= 0xE000 && c <= 0x10FFFF:
		return true
	}
	return false
}

// WithoutCalendarBlocks removes the comments of The Events Calendar's own blocks from a
// stored content: in each line all from the first one that opens such a block to the end
// of the last comment.
func WithoutCalendarBlocks(content string) string {
	const opening, closing = "<!-- wp:tribe/", "-->"
	if !strings.Contains(content, opening) {
		return content
	}
	lines := strings.Split(content, "\n")
	for i, line := range lines {
		start := strings.Index(line, opening)
		if start < 0 {
			continue
		}
		if end := strings.LastIndex(line, closing); end > start {
			lines[i] = line[:start] + line[end+len(closing):]
		}
	}
	return strings.Join(lines, "\n")
}
