package ddl

import (
	"fmt"
	"strings"
)

// token is one word, name, text, number or sign of a statement.
type token struct {
	kind tokenKind
	text string // names without their quotes; texts as written, quotes included
}

type tokenKind uint8

const (
	end tokenKind = iota
	word
	name // quoted
	literal
	number
	sign
)

// tokenize splits a statement, leaving out comments.
func tokenize(s string) ([]token, error) {
	var out []token
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			i++
		case c == '`' || c == '"':
			n := quotedLength(s[i:], false)
			if n == 0 {
				return nil, fmt.Errorf("name without an end: %.40q", s[i:])
			}
			quote := string(c)
			out = append(out, token{name, strings.ReplaceAll(s[i+1:i+n-1], quote+quote, quote)})
			i += n
		case c == '\'':
			n := quotedLength(s[i:], true)
			if n == 0 {
				return nil, fmt.Errorf("text without an end: %.40q", s[i:])
			}
			out = append(out, token{literal, s[i : i+n]})
			i += n
		case c == '#' || strings.HasPrefix(s[i:], "-- "):
			line := strings.IndexByte(s[i:], '\n')
			if line < 0 {
				line = len(s) - i
			}
			i += line
		case strings.HasPrefix(s[i:], "/*"):
			n := strings.Index(s[i:], "*/")
			if n < 0 {
				return nil, fmt.Errorf("comment without an end: %.40q", s[i:])
			}
			i += n + 2
		case isWordByte(c):
			n := 1
			for i+n < len(s) && isWordByte(s[i+n]) {
				n++
			}
			kind := word
			if c >= '0' && c <= '9' {
				kind = number
			}
			out = append(out, token{kind, s[i : i+n]})
			i += n
		default:
			out = append(out, token{sign, string(c)})
			i++
		}
	}
	return out, nil
}

// quotedLength is the length of a quoted piece with its quotes, 0 if it does not
// end. A doubled quote stands for itself, as does anything after a backslash
// where those escape.
func quotedLength(s string, backslash bool) int {
	quote := s[0]
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && backslash:
			i++
		case s[i] == quote:
			if i+1 < len(s) && s[i+1] == quote {
				i++
				continue
			}
			return i + 1
		}
	}
	return 0
}

func isWordByte(c byte) bool {
	return c == '_' || c == '$' || c == '@' || c == '.' || c >= 0x80 || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}
