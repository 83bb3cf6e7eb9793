package ical

import (
	"strings"
	"unicode/utf8"

	"calbridge/rest/wptext/sanitize"
)

// Form is the degree to which an export follows RFC 5545.
type Form int

const (
	// AsReference is what The Events Calendar writes, byte for byte.
	AsReference Form = iota
	// Contained is the same, except that no value can end its line and begin another one.
	Contained
	// Standard follows RFC 5545: lines are folded, texts are escaped, and zones have their onsets
	// in local time and all their rules.
	Standard
)

// writer appends lines to an export.
type writer struct {
	b    []byte
	form Form
}

const lineEnd = "\r\n"

// line appends a content line.
func (w *writer) line(parts ...string) {
	begin := len(w.b)
	for _, part := range parts {
		switch w.form {
		case AsReference:
			w.b = append(w.b, part...)
		case Contained:
			w.b = append(w.b, withoutLineEnds(part)...)
		case Standard:
			w.b = append(w.b, printable(part)...)
		}
	}
	if w.form == Standard {
		w.fold(begin)
	}
	w.b = append(w.b, lineEnd...)
}

// longestLine is in octets, line ends aside.
const longestLine = 75

// fold breaks the last line, which begins at an offset, between characters.
func (w *writer) fold(begin int) {
	if len(w.b)-begin <= longestLine {
		return
	}
	rest := append([]byte(nil), w.b[begin:]...)
	w.b = w.b[:begin]
	for room := longestLine; len(rest) > room; room = longestLine - 1 { // a blank begins the others
		end := room
		for end > 0 && !utf8.RuneStart(rest[end]) {
			end--
		}
		w.b = append(append(w.b, rest[:end]...), lineEnd+" "...)
		rest = rest[end:]
	}
	w.b = append(w.b, rest...)
}

// withoutLineEnds replaces line ends by blanks.
func withoutLineEnds(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ").Replace(s)
}

// printable removes what no line may contain: control characters except tabs, and invalid UTF-8.
func printable(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' && c != '\t' || c == 0x7F || c == utf8.RuneError {
			return -1
		}
		return c
	}, s)
}

// text returns a value of type TEXT: entities are decoded, commas and newlines escaped. The
// reference leaves backslashes and semicolons as they are.
func (w *writer) text(s string) string {
	if w.form == Standard {
		return escapeText.Replace(decodeEntities(s))
	}
	return strings.NewReplacer(",", `\,`, "\n", `\n`, "\r", "").Replace(decodeEntities(s))
}

var escapeText = strings.NewReplacer(`\`, `\\`, ",", `\,`, ";", `\;`, "\r\n", `\n`, "\n", `\n`, "\r", "")

// name returns the name of the site. The reference writes its entities and signs as they are
// stored.
func (w *writer) name(stored string) string {
	name := sanitize.TextField(stored)
	if w.form == Standard {
		return w.text(name)
	}
	return name
}

// categories joins their names. The reference escapes none of them.
func (w *writer) categories(names []string) string {
	if w.form != Standard {
		return decodeEntities(strings.Join(names, ","))
	}
	escaped := make([]string, len(names))
	for i, name := range names {
		escaped[i] = w.text(name)
	}
	return strings.Join(escaped, ",")
}

// organizer appends the organizer of an event.
func (w *writer) organizer(o *Organizer) {
	if w.form != Standard {
		w.line("ORGANIZER;CN=\"", organizerName(o.Name), "\":MAILTO:", o.email())
		return
	}
	address := strings.TrimSpace(o.Email)
	if !isAddress(address) {
		return
	}
	w.line(`ORGANIZER;CN="`, strings.ReplaceAll(decodeEntities(sanitize.StripAllTags(o.Name)), `"`, "'"), `":mailto:`, address)
}

// isAddress reports whether an e-mail address is also a valid URI behind "mailto:".
func isAddress(s string) bool {
	name, host, ok := strings.Cut(s, "@")
	const signs = ".!#$'*+-/=^_{|}~" // of names in addresses but "&", "?", "%" and "`"
	return ok && name != "" && host != "" && !strings.ContainsFunc(name, func(c rune) bool { return !isLetterOrDigit(c) && !strings.ContainsRune(signs, c) }) &&
		!strings.ContainsFunc(host, func(c rune) bool { return !isLetterOrDigit(c) && c != '.' && c != '-' })
}

func isLetterOrDigit(c rune) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}
