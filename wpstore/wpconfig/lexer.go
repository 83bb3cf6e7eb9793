package wpconfig

import (
	"regexp"
	"strings"
)

// kind is the form of a token; from closeTag on, the number of its group in grammar.
type kind int

const (
	endOfFile kind = iota
	closeTag
	space
	variable // without its $
	word     // identifier, keyword or qualified name
	number
	singleQuoted // without the quotes
	doubleQuoted
	heredoc    // the label only
	unreadable // a shell command, or a text without an end
	compound   // an assignment that computes, such as .=
	operator
)

// token is one token of PHP.
type token struct {
	kind kind
	text string
	line int
}

// is compares words and operators; PHP ignores the case of keywords.
func (t token) is(texts ...string) bool {
	if t.kind != operator && t.kind != word {
		return false
	}
	for _, text := range texts {
		if strings.EqualFold(t.text, text) {
			return true
		}
	}
	return false
}

const name = `[A-Za-z_[:^ascii:]][\w[:^ascii:]]*`

// grammar matches the token at the start of a text; there always is one. A closing tag
// includes the HTML up to the next opening tag and a comment in front of it.
var grammar = regexp.MustCompile(`(?s)^(?:` + strings.Join([]string{
	`((?:(?:#|//)[^\n]*?)?\?>.*?(?:<\?(?:(?i:php)|=)?|\z))`,
	`([\x00-\x20]+|(?:#|//)[^\n]*|/\*.*?(?:\*/|\z))`,
	`\$(` + name + `)`,
	`(\\?` + name + `(?:\\` + name + `)*)`,
	`(\.?\d[\w.]*)`,
	`'((?:[^'\\]|\\.)*)'`,
	`"((?:[^"\\]|\\.)*)"`,
	`<<<[ \t]*["']?(` + name + `)["']?\r?\n`,
	`(\x60(?:[^\x60\\]|\\.)*\x60|['"\x60].*)`,
	`((?:\*\*|<<|>>|\?\?|[-+*/.%&|^])=)`,
	`(===|!==|<=>|[=!<>]=|<>|&&|\|\||\?\?|=>|\?->|->|::|\+\+|--|<<|>>|\*\*|.)`,
}, "|") + `)`)

var continuesName = regexp.MustCompile(`^[\w[:^ascii:]]`)

// tokenize splits PHP source into tokens, the last of which is endOfFile. Bytes that
// PHP doesn't have become operators, which no rule expects.
func tokenize(src string) []token {
	var tokens []token
	line := 1
	for rest := "?>" + src; rest != ""; { // a file begins as HTML
		m := grammar.FindStringSubmatchIndex(rest)
		length := m[1]
		t := token{kind: closeTag, line: line}
		for m[2*t.kind] < 0 {
			t.kind++
		}
		t.text = rest[m[2*t.kind]:m[2*t.kind+1]]
		switch t.kind {
		case closeTag:
			t.kind, t.text = operator, ";"
		case word:
			t.text = strings.TrimPrefix(t.text, `\`)
		case heredoc:
			length += heredocLength(rest[length:], t.text)
		}
		if t.kind != space {
			tokens = append(tokens, t)
		}
		line += strings.Count(rest[:length], "\n")
		rest = rest[length:]
	}
	return append(tokens, token{line: line})
}

// heredocLength is the length of a heredoc's lines with the label that ends them.
func heredocLength(text, label string) int {
	n := 0
	for line := range strings.Lines(text) {
		after, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), label)
		if ok && !continuesName.MatchString(after) {
			return n + len(line) - len(after)
		}
		n += len(line)
	}
	return n
}
