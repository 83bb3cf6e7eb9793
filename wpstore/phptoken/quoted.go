package phptoken

import (
	"strconv"
	"strings"
)

var singleEscapes = strings.NewReplacer(`\\`, `\`, `\'`, `'`)

// Quoted returns the value of a token in quotes. ok is false for other tokens, and for
// texts with variables in them.
func (t Token) Quoted() (text string, ok bool) {
	switch t.Kind {
	case SingleQuoted:
		return singleEscapes.Replace(t.Text), true
	case DoubleQuoted:
		return doubleQuoted(t.Text)
	}
	return "", false
}

func doubleQuoted(text string) (string, bool) {
	var b strings.Builder
	for {
		i := strings.IndexAny(text, `\$`)
		if i < 0 || i == len(text)-1 {
			b.WriteString(text)
			return b.String(), true
		}
		b.WriteString(text[:i])
		next := text[i+1]
		switch {
		case text[i] == '\\':
			n, ok := escape(&b, text[i+1:])
			if !ok {
				return "", false
			}
			text = text[i+1+n:]
			continue
		case next == '{', startsName(next), i > 0 && text[i-1] == '{':
			return "", false
		}
		b.WriteByte('$')
		text = text[i+1:]
	}
}

// escape writes the character of an escape sequence, given without its backslash, and
// returns the length of the sequence.
func escape(b *strings.Builder, text string) (n int, ok bool) {
	const signs, bytes = `ntrvef\$"`, "\n\t\r\v\x1b\f\\$\""
	if i := strings.IndexByte(signs, text[0]); i >= 0 {
		b.WriteByte(bytes[i])
		return 1, true
	}
	if digits := prefixOf(text, "01234567", 3); digits != "" {
		v, _ := strconv.ParseUint(digits, 8, 16)
		b.WriteByte(byte(v)) // PHP drops the ninth bit too
		return len(digits), true
	}
	const hex = "0123456789abcdefABCDEF"
	if digits := prefixOf(text[1:], hex, 2); text[0] == 'x' && digits != "" {
		v, _ := strconv.ParseUint(digits, 16, 8)
		b.WriteByte(byte(v))
		return 1 + len(digits), true
	}
	if strings.HasPrefix(text, "u{") {
		digits := prefixOf(text[2:], hex, 8)
		v, err := strconv.ParseUint(digits, 16, 21)
		b.WriteRune(rune(v))
		return len("u{}") + len(digits), err == nil && v <= 0x10ffff && strings.HasPrefix(text[2+len(digits):], "}")
	}
	b.WriteByte('\\')
	return 0, true
}

// prefixOf returns the longest prefix of a text, of at most limit bytes, that consists of
// the given bytes.
func prefixOf(text, bytes string, limit int) string {
	text = text[:min(len(text), limit)]
	return text[:len(text)-len(strings.TrimLeft(text, bytes))]
}
