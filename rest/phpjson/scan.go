package phpjson

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"calbridge/wpstore/php"
)

// token is a bracket, colon or comma, or one of the constants.
type token byte

const (
	tokenEnd    token = 0
	tokenError  token = 'e' // the reason is in scanner.code
	tokenScalar token = 'v' // the value is in scanner.scalar
	tokenString token = 's' // the value is in scanner.str
)

type scanner struct {
	text   string
	pos    int
	scalar php.Value
	str    string
	code   int    // PHP's number of the error met
	buf    []byte // for strings with escapes
	// faithful keeps what json_decode to arrays loses; see Reparse.
	faithful bool
}

func (s *scanner) fail(code int) token {
	s.code = code
	return tokenError
}

func (s *scanner) next() token {
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch c {
		case ' ', '\t', '\r', '\n':
			s.pos++
			continue
		case '{', '}', '[', ']', ':', ',':
			s.pos++
			return token(c)
		case '"':
			s.pos++
			return s.string()
		case 't':
			return s.literal("true", true)
		case 'f':
			return s.literal("false", false)
		case 'n':
			return s.literal("null", nil)
		}
		switch {
		case c == '-' || isDigit(c):
			return s.number()
		case c < ' ':
			return s.fail(errControl)
		case c >= utf8.RuneSelf && !s.validRune():
			return s.fail(errUTF8)
		}
		return s.fail(errSyntax)
	}
	return tokenEnd
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// validRune reports whether valid UTF-8 follows.
func (s *scanner) validRune() bool {
	r, size := utf8.DecodeRuneInString(s.text[s.pos:])
	return r != utf8.RuneError || size > 1
}

func (s *scanner) literal(name string, v php.Value) token {
	if !strings.HasPrefix(s.text[s.pos:], name) {
		return s.fail(errSyntax)
	}
	s.pos += len(name)
	s.scalar = v
	return tokenScalar
}

// digits returns the position after the digits at i.
func (s *scanner) digits(i int) int {
	for i < len(s.text) && isDigit(s.text[i]) {
		i++
	}
	return i
}

func (s *scanner) number() token {
	start, i := s.pos, s.pos
	if s.text[i] == '-' {
		i++
	}
	whole := s.digits(i)
	if whole == i {
		return s.fail(errSyntax)
	}
	if s.text[i] == '0' {
		whole = i + 1 // what follows a leading zero is not part of the number
	}
	end := whole
	if end < len(s.text) && s.text[end] == '.' {
		if after := s.digits(end + 1); after > end+1 {
			end = after
		}
	}
	if end < len(s.text) && s.text[end]|0x20 == 'e' {
		exponent := end + 1
		if exponent < len(s.text) && (s.text[exponent] == '+' || s.text[exponent] == '-') {
			exponent++
		}
		if after := s.digits(exponent); after > exponent {
			end = after
		}
	}
	s.pos = end
	if end == whole && !(s.faithful && s.text[start:end] == "-0") {
		if n, err := strconv.ParseInt(s.text[start:end], 10, 64); err == nil {
			s.scalar = n
			return tokenScalar
		}
	}
	// Out of range is infinity, as in PHP.
	s.scalar, _ = strconv.ParseFloat(s.text[start:end], 64)
	return tokenScalar
}

// string reads a string after its opening quote.
func (s *scanner) string() token {
	start := s.pos
	s.buf = s.buf[:0]
	for s.pos < len(s.text) {
		c := s.text[s.pos]
		switch {
		case c == '"':
			s.str = s.text[start:s.pos]
			if len(s.buf) > 0 {
				s.str = string(append(s.buf, s.str...))
			}
			s.pos++
			return tokenString
		case c == '\\':
			s.buf = append(s.buf, s.text[start:s.pos]...)
			s.pos++
			if code := s.escape(); code != 0 {
				return s.fail(code)
			}
			start = s.pos
		case c < ' ':
			return s.fail(errControl)
		case c < utf8.RuneSelf:
			s.pos++
		default:
			r, size := utf8.DecodeRuneInString(s.text[s.pos:])
			if r == utf8.RuneError && size == 1 {
				return s.fail(errUTF8)
			}
			s.pos += size
		}
	}
	// PHP reads the NUL byte after the text.
	return s.fail(errControl)
}

// escape reads what follows a backslash into buf.
func (s *scanner) escape() (code int) {
	if s.pos >= len(s.text) {
		return errSyntax
	}
	c := s.text[s.pos]
	s.pos++
	switch c {
	case '"', '\\', '/':
	case 'b':
		c = '\b'
	case 'f':
		c = '\f'
	case 'n':
		c = '\n'
	case 'r':
		c = '\r'
	case 't':
		c = '\t'
	case 'u':
		return s.unicode()
	default:
		return errSyntax
	}
	s.buf = append(s.buf, c)
	return 0
}

func (s *scanner) unicode() (code int) {
	r, ok := s.unit()
	if !ok {
		return errSyntax
	}
	if r >= 0xd800 && r <= 0xdfff {
		low := rune(-1)
		if r < 0xdc00 && strings.HasPrefix(s.text[s.pos:], `\u`) {
			s.pos += 2
			low, ok = s.unit()
		}
		if !ok || low < 0xdc00 || low > 0xdfff {
			return errUTF16
		}
		r = 0x10000 + (r-0xd800)<<10 + low - 0xdc00
	}
	s.buf = utf8.AppendRune(s.buf, r)
	return 0
}

// unit reads four hexadecimal digits.
func (s *scanner) unit() (rune, bool) {
	if s.pos+4 > len(s.text) {
		return 0, false
	}
	var r rune
	for _, c := range []byte(s.text[s.pos : s.pos+4]) {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	s.pos += 4
	return r, true
}
