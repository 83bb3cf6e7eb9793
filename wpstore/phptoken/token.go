package phptoken

import "strings"

// Kind is the form of a token.
type Kind int

const (
	EndOfFile Kind = iota
	Variable       // without its $
	Word           // identifier, keyword or qualified name, without a \ in front
	Number
	SingleQuoted // without the quotes
	DoubleQuoted // without the quotes
	Heredoc      // the label only
	Unreadable   // a shell command, or an unterminated text
	Compound     // an assignment that computes, such as .=
	Operator     // any other sign; a closing tag is a semicolon

	space // white space and comments, which All leaves out
)

// Token is one token of PHP.
type Token struct {
	Kind Kind
	Text string
	Line int
}

// Is compares words and operators. PHP ignores the case of keywords.
func (t Token) Is(texts ...string) bool {
	if t.Kind != Operator && t.Kind != Word {
		return false
	}
	for _, text := range texts {
		if strings.EqualFold(t.Text, text) {
			return true
		}
	}
	return false
}
