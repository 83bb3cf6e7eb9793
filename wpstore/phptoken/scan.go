package phptoken

import (
	"iter"
	"strings"
)

// All yields the tokens of PHP source. The last one is EndOfFile. Bytes that don't occur in
// PHP become operators that no rule expects.
func All(src string) iter.Seq[Token] {
	return func(yield func(Token) bool) {
		s := scanner{src: "?>" + src} // a file begins as HTML
		for line := 1; s.pos < len(s.src); {
			start := s.pos
			kind, text := s.next()
			if kind != space && !yield(Token{kind, text, line}) {
				return
			}
			line += strings.Count(s.src[start:s.pos], "\n")
			if s.pos == len(s.src) {
				yield(Token{Line: line})
			}
		}
	}
}

// scanner reads tokens from pos on.
type scanner struct {
	src string
	pos int
}

// operators are the signs of more than one character. A sign precedes its own prefixes.
var operators = []string{
	"**=", "<<=", ">>=", "??=", "-=", "+=", "*=", "/=", ".=", "%=", "&=", "|=", "^=",
	"===", "!==", "<=>", "==", "!=", "<=", ">=", "<>", "&&", "||", "??", "=>", "?->", "->", "::", "++", "--", "<<", ">>", "**",
}

const compounds = 13 // compound operators, at the start of the list

// next reads the token at pos. There always is one.
func (s *scanner) next() (Kind, string) {
	rest := s.src[s.pos:]
	c := rest[0]
	switch {
	case strings.HasPrefix(rest, "?>"):
		return s.html(2)
	case c <= ' ':
		return s.take(space, len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return r <= ' ' })))
	case c == '#', strings.HasPrefix(rest, "//"):
		line, _, _ := strings.Cut(rest, "\n")
		if end := strings.Index(line, "?>"); end >= 0 {
			return s.html(end + 2)
		}
		return s.take(space, len(line))
	case strings.HasPrefix(rest, "/*"):
		return s.take(space, through(rest, 2, "*/"))
	case c == '\'', c == '"', c == '`':
		return s.quoted(c)
	case c == '$' && nameLength(rest[1:]) > 0:
		_, text := s.take(Variable, 1+nameLength(rest[1:]))
		return Variable, text[1:]
	case c == '\\', startsName(c):
		if n := qualifiedLength(rest); n > 0 {
			_, text := s.take(Word, n)
			return Word, strings.TrimPrefix(text, `\`)
		}
	case isDigit(c), c == '.' && len(rest) > 1 && isDigit(rest[1]):
		n := 1
		for n < len(rest) && (rest[n] == '.' || continuesName(rest[n]) && rest[n] < 0x80) {
			n++
		}
		return s.take(Number, n)
	case strings.HasPrefix(rest, "<<<"):
		if n, label := heredocStart(rest); n > 0 {
			s.pos += n + heredocLength(rest[n:], label)
			return Heredoc, label
		}
	}
	for i, op := range operators {
		if strings.HasPrefix(rest, op) {
			if i < compounds {
				return s.take(Compound, len(op))
			}
			return s.take(Operator, len(op))
		}
	}
	return s.take(Operator, 1)
}

// take moves past n bytes.
func (s *scanner) take(kind Kind, n int) (Kind, string) {
	s.pos += n
	return kind, s.src[s.pos-n : s.pos]
}

// through returns the length of a text with the first occurrence of end from offset on; all
// of it where there is none.
func through(text string, offset int, end string) int {
	if i := strings.Index(text[offset:], end); i >= 0 {
		return offset + i + len(end)
	}
	return len(text)
}

// html moves past n bytes, and past the HTML that follows with the next opening tag.
func (s *scanner) html(n int) (Kind, string) {
	s.pos += n
	s.pos += through(s.src[s.pos:], 0, "<?")
	if rest := s.src[s.pos:]; strings.HasSuffix(s.src[:s.pos], "<?") {
		if strings.HasPrefix(rest, "=") {
			s.pos++
		} else if len(rest) >= 3 && strings.EqualFold(rest[:3], "php") {
			s.pos += 3
		}
	}
	return Operator, ";"
}

// quoted reads a text in quotes or a shell command.
func (s *scanner) quoted(quote byte) (Kind, string) {
	rest := s.src[s.pos:]
	stops := string([]byte{quote, '\\'})
	for n := 1; n < len(rest); {
		i := strings.IndexAny(rest[n:], stops)
		if i < 0 {
			break
		}
		n += i + 1
		if rest[n-1] == '\\' {
			n++
			continue
		}
		_, text := s.take(Unreadable, n)
		switch quote {
		case '\'':
			return SingleQuoted, text[1 : n-1]
		case '"':
			return DoubleQuoted, text[1 : n-1]
		}
		return Unreadable, text
	}
	return s.take(Unreadable, len(rest))
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func startsName(c byte) bool {
	return c == '_' || c >= 0x80 || 'a' <= c|0x20 && c|0x20 <= 'z'
}

func continuesName(c byte) bool { return startsName(c) || isDigit(c) }

// nameLength returns the length of the name at the start of a text; 0 for none.
func nameLength(text string) int {
	n := 0
	for n < len(text) && (startsName(text[n]) || n > 0 && isDigit(text[n])) {
		n++
	}
	return n
}

// qualifiedLength returns the length of the name with namespaces at the start of a text.
func qualifiedLength(text string) int {
	n := 0
	if text[0] != '\\' {
		n = nameLength(text)
	}
	for n < len(text) && text[n] == '\\' {
		part := nameLength(text[n+1:])
		if part == 0 {
			break
		}
		n += 1 + part
	}
	return n
}

// heredocStart returns the length of <<<LABEL with the line break, and the label; 0 for none.
func heredocStart(text string) (n int, label string) {
	rest := strings.TrimLeft(text[len("<<<"):], " \t")
	rest = trimQuote(rest)
	label = rest[:nameLength(rest)]
	rest = strings.TrimPrefix(trimQuote(rest[len(label):]), "\r")
	after, ended := strings.CutPrefix(rest, "\n")
	if label == "" || !ended {
		return 0, ""
	}
	return len(text) - len(after), label
}

// trimQuote removes a quote at the start of a text.
func trimQuote(text string) string {
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		return text[1:]
	}
	return text
}

// heredocLength returns the length of a heredoc's lines with the label that ends them.
func heredocLength(text, label string) int {
	n := 0
	for line := range strings.Lines(text) {
		after, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), label)
		if ok && (after == "" || !continuesName(after[0])) {
			return n + len(line) - len(after)
		}
		n += len(line)
	}
	return n
}
