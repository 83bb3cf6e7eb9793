package wpconfig

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoted reads a text in quotes. Backticks run a shell command in PHP.
func (l *lexer) quoted(rest string) {
	quote := rest[0]
	n := 1
	for n < len(rest) && rest[n] != quote {
		if rest[n] == '\\' {
			n++
		}
		n++
	}
	if n >= len(rest) { // unterminated: PHP refuses the whole file
		l.add(template, "")
		l.advance(len(rest))
		return
	}
	inner := rest[1:n]
	switch {
	case quote == '\'':
		l.addLiteral(unescapeSingle(inner))
	case quote == '`' || interpolates(inner):
		l.add(template, "")
	default:
		l.addLiteral(unescapeDouble(inner, '"'))
	}
	l.advance(n + 1)
}

// heredoc reads <<<LABEL … LABEL, and <<<'LABEL', whose text is taken as it is.
// The closing label may be indented; that much is then taken off every line.
func (l *lexer) heredoc(rest string) bool {
	head := strings.TrimLeft(rest[3:], " \t")
	start := len(rest) - len(head)
	quote := byte(0)
	if head != "" && (head[0] == '\'' || head[0] == '"') {
		quote = head[0]
		head, start = head[1:], start+1
	}
	n := nameLength(head)
	if n == 0 || !startsName(head[0]) {
		return false
	}
	label, after := head[:n], head[n:]
	start += n
	if quote != 0 {
		if after == "" || after[0] != quote {
			return false
		}
		after, start = after[1:], start+1
	}
	after, hadCR := strings.CutPrefix(after, "\r")
	if hadCR {
		start++
	}
	if after == "" || after[0] != '\n' {
		return false
	}
	start++
	lines, indent, end, ok := heredocLines(rest, start, label)
	if !ok {
		l.add(template, "")
		l.advance(len(rest))
		return true
	}
	for i := range lines {
		trimmed := min(indent, len(lines[i])-len(strings.TrimLeft(lines[i], " \t")))
		lines[i] = strings.TrimSuffix(lines[i][trimmed:], "\r")
	}
	text := strings.Join(lines, "\n")
	switch {
	case quote == '\'':
		l.addLiteral(text)
	case interpolates(text):
		l.add(template, "")
	default:
		l.addLiteral(unescapeDouble(text, 0))
	}
	l.advance(end)
	return true
}

// heredocLines returns the lines before the closing label, how far that is
// indented and where it ends.
func heredocLines(src string, pos int, label string) (lines []string, indent, end int, ok bool) {
	for pos < len(src) {
		line, _, more := strings.Cut(src[pos:], "\n")
		trimmed := strings.TrimLeft(line, " \t")
		if rest, found := strings.CutPrefix(trimmed, label); found && (rest == "" || !continuesName(rest[0])) {
			indent = len(line) - len(trimmed)
			return lines, indent, pos + indent + len(label), true
		}
		lines = append(lines, line)
		if !more {
			break
		}
		pos += len(line) + 1
	}
	return nil, 0, 0, false
}

func unescapeSingle(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\'`, `'`).Replace(s)
}

// interpolates says whether PHP would put the value of a variable into a text.
func interpolates(s string) bool {
	for i := 0; i+1 < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '$':
			if startsName(s[i+1]) || s[i+1] == '{' {
				return true
			}
		case '{':
			if s[i+1] == '$' {
				return true
			}
		}
	}
	return false
}

var simpleEscapes = map[byte]byte{'n': '\n', 't': '\t', 'r': '\r', 'v': '\v', 'e': 0x1b, 'f': '\f', '\\': '\\', '$': '$'}

// unescapeDouble decodes the escapes of a text in double quotes or, with quote 0,
// of a heredoc. Unknown escapes stay as they are.
func unescapeDouble(s string, quote byte) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		next := s[i+1]
		if plain, ok := simpleEscapes[next]; ok {
			b.WriteByte(plain)
			i++
			continue
		}
		if quote != 0 && next == quote {
			b.WriteByte(quote)
			i++
			continue
		}
		decoded, used := numericEscape(s[i+1:])
		if used == 0 {
			b.WriteByte('\\')
			continue
		}
		b.WriteString(decoded)
		i += used
	}
	return b.String()
}

// numericEscape decodes \101, \x41 and \u{41}, without their backslash.
func numericEscape(s string) (decoded string, used int) {
	digits := func(from string, base, most int) string {
		n := 0
		for n < len(from) && n < most {
			if _, err := strconv.ParseUint(from[n:n+1], base, 8); err != nil {
				break
			}
			n++
		}
		return from[:n]
	}
	switch {
	case s[0] == 'x':
		if d := digits(s[1:], 16, 2); d != "" {
			n, _ := strconv.ParseUint(d, 16, 16)
			return string([]byte{byte(n)}), 1 + len(d)
		}
	case strings.HasPrefix(s, "u{"):
		d := digits(s[2:], 16, 8)
		if n, err := strconv.ParseUint(d, 16, 32); err == nil && n <= utf8.MaxRune && strings.HasPrefix(s[2+len(d):], "}") {
			return string(rune(n)), 3 + len(d)
		}
	default:
		if d := digits(s, 8, 3); d != "" {
			n, _ := strconv.ParseUint(d, 8, 16)
			return string([]byte{byte(n)}), len(d)
		}
	}
	return "", 0
}
