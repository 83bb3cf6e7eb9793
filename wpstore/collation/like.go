package collation

import "unicode/utf8"

// Pattern is a compiled LIKE pattern: % matches any text, _ matches one character, and a
// backslash escapes the next character. Unlike equality, LIKE compares characters: ß is not
// like ss, and trailing spaces count.
type Pattern struct {
	steps []step
}

type step struct {
	kind  stepKind
	class class
}

type stepKind uint8

const (
	oneOfClass stepKind = iota
	anyOne
	anyText
)

// Compile prepares a pattern. Every text is a valid pattern.
func Compile(pattern string) Pattern {
	t := weightTable()
	var p Pattern
	for i := 0; i < len(pattern); {
		r, size := utf8.DecodeRuneInString(pattern[i:])
		i += size
		switch {
		case r == '%':
			if n := len(p.steps); n == 0 || p.steps[n-1].kind != anyText {
				p.steps = append(p.steps, step{kind: anyText})
			}
			continue
		case r == '_':
			p.steps = append(p.steps, step{kind: anyOne})
			continue
		case r == '\\' && i < len(pattern):
			r, size = utf8.DecodeRuneInString(pattern[i:])
			i += size
		}
		p.steps = append(p.steps, step{kind: oneOfClass, class: t.classOf(r)})
	}
	return p
}

// Match reports whether the whole text matches the pattern. The time is proportional to the
// length of the text in common searches, and to the product of both lengths in the worst
// case.
func (p Pattern) Match(text string) bool {
	t := weightTable()
	at := 0                    // index into the steps
	retryStep, retry := -1, "" // the step after the last %, and the rest of the text at that point
	for {
		if at < len(p.steps) && p.steps[at].kind == anyText {
			at++
			if at == len(p.steps) {
				return true
			}
			retryStep, retry = at, text
			continue
		}
		if text == "" {
			return at == len(p.steps)
		}
		if at < len(p.steps) {
			c, size := t.first(text)
			if p.steps[at].kind == anyOne || p.steps[at].class == c {
				at++
				text = text[size:]
				continue
			}
		}
		if retryStep < 0 || retry == "" {
			return false
		}
		_, size := t.first(retry)
		retry = t.skipTo(p.steps[retryStep], retry[size:])
		at, text = retryStep, retry
	}
}

// first returns the class and the length of the text's first character.
func (t *table) first(text string) (class, int) {
	if b := text[0]; b < utf8.RuneSelf {
		return t.ascii[b], 1
	}
	r, size := utf8.DecodeRuneInString(text)
	return t.classOf(r), size
}

// skipTo drops characters that the step cannot match.
func (t *table) skipTo(s step, text string) string {
	if s.kind != oneOfClass {
		return text
	}
	for text != "" {
		c, size := t.first(text)
		if c == s.class {
			return text
		}
		text = text[size:]
	}
	return text
}
