package wpconfig

import (
	"math"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

type kind byte

const (
	endOfFile kind = iota
	word           // identifier, keyword or qualified name
	variable       // text without $
	literal        // value is what it stands for
	template       // text with variables in it, which is not put together here
	operator
)

type token struct {
	kind  kind
	text  string
	value php.Value
	line  int
}

func (t token) is(op string) bool { return t.kind == operator && t.text == op }

// lexer splits PHP source into tokens. Anything it does not know becomes an
// operator of one byte, which no rule expects.
type lexer struct {
	src    string
	pos    int
	line   int
	tokens []token
}

func tokenize(src string) []token {
	l := &lexer{src: src, line: 1}
	for l.html() {
		l.php()
	}
	l.add(endOfFile, "")
	return l.tokens
}

func (l *lexer) add(k kind, text string) {
	l.tokens = append(l.tokens, token{kind: k, text: text, line: l.line})
}

func (l *lexer) addLiteral(v php.Value) {
	l.tokens = append(l.tokens, token{kind: literal, value: v, line: l.line})
}

// advance moves on by n bytes and counts the lines in them.
func (l *lexer) advance(n int) {
	n = min(n, len(l.src)-l.pos)
	l.line += strings.Count(l.src[l.pos:l.pos+n], "\n")
	l.pos += n
}

// html skips what stands outside of <?php … ?>. It says whether code follows.
func (l *lexer) html() bool {
	i := strings.Index(l.src[l.pos:], "<?")
	if i < 0 {
		l.advance(len(l.src))
		return false
	}
	l.advance(i + 2)
	if len(l.src)-l.pos >= 3 && strings.EqualFold(l.src[l.pos:l.pos+3], "php") {
		l.advance(3)
	} else if strings.HasPrefix(l.src[l.pos:], "=") {
		l.advance(1)
	}
	return true
}

// php reads code up to ?> or the end of the file.
func (l *lexer) php() {
	for l.pos < len(l.src) {
		rest := l.src[l.pos:]
		c := rest[0]
		switch {
		case c <= ' ':
			l.advance(1)
		case strings.HasPrefix(rest, "?>"):
			l.add(operator, ";")
			l.advance(2)
			return
		case strings.HasPrefix(rest, "#["):
			l.add(operator, "#[") // an attribute
			l.advance(2)
		case c == '#' || strings.HasPrefix(rest, "//"):
			l.advance(lineComment(rest))
		case strings.HasPrefix(rest, "/*"):
			n := strings.Index(rest[2:], "*/")
			if n < 0 {
				n = len(rest)
			}
			l.advance(n + 4)
		case c == '$' && len(rest) > 1 && startsName(rest[1]):
			n := 1 + nameLength(rest[1:])
			l.add(variable, rest[1:n])
			l.advance(n)
		case c == '\'' || c == '"' || c == '`':
			l.quoted(rest)
		case c >= '0' && c <= '9', c == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
			l.number(rest)
		case startsName(c) || c == '\\':
			n := 0
			for n < len(rest) && (continuesName(rest[n]) || rest[n] == '\\') {
				n++
			}
			l.add(word, strings.TrimPrefix(rest[:n], `\`))
			l.advance(n)
		case strings.HasPrefix(rest, "<<<") && l.heredoc(rest):
		default:
			op := longestOperator(rest)
			l.add(operator, op)
			l.advance(len(op))
		}
	}
}

// lineComment is the length of a comment that ends with the line, or where the
// code does.
func lineComment(rest string) int {
	n := strings.IndexByte(rest, '\n')
	if n < 0 {
		n = len(rest)
	}
	if end := strings.Index(rest[:n], "?>"); end >= 0 {
		return end
	}
	return n
}

func startsName(c byte) bool {
	return c == '_' || c >= 0x80 || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func continuesName(c byte) bool { return startsName(c) || c >= '0' && c <= '9' }

func nameLength(s string) int {
	n := 0
	for n < len(s) && continuesName(s[n]) {
		n++
	}
	return n
}

var operators = []string{
	"<=>", "===", "!==", "**=", "...", "<<=", ">>=", "??=", "?->",
	"==", "!=", "<>", "<=", ">=", "&&", "||", "??", "=>", "->", "::", "++", "--",
	"+=", "-=", "*=", "/=", ".=", "%=", "&=", "|=", "^=", "<<", ">>", "**",
}

func longestOperator(rest string) string {
	for _, op := range operators {
		if strings.HasPrefix(rest, op) {
			return op
		}
	}
	return rest[:1]
}

// number reads an integer in any of PHP's bases, or a float.
func (l *lexer) number(rest string) {
	n := 0
	isFloat := false
	hex := len(rest) > 1 && rest[0] == '0' && (rest[1]|0x20 == 'x')
	for n < len(rest) {
		c := rest[n]
		switch {
		case c == '.' && !isFloat && !hex:
			isFloat = true
		case !hex && c|0x20 == 'e' && n+1 < len(rest) && (rest[n+1] >= '0' && rest[n+1] <= '9' || rest[n+1] == '-' || rest[n+1] == '+'):
			isFloat = true
			n++
		case continuesName(c) && c < 0x80:
		default:
			l.addNumber(rest[:n], isFloat)
			l.advance(n)
			return
		}
		n++
	}
	l.addNumber(rest, isFloat)
	l.advance(n)
}

func (l *lexer) addNumber(text string, isFloat bool) {
	if len(text) > 64 {
		l.add(operator, text[:1]) // nothing that a configuration needs
		return
	}
	plain := strings.ReplaceAll(text, "_", "")
	if !isFloat {
		// Base 0 knows 0x, 0b, 0o and a leading 0, as PHP does.
		if n, err := strconv.ParseInt(plain, 0, 64); err == nil {
			l.addLiteral(n)
			return
		}
	}
	f, err := strconv.ParseFloat(plain, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		l.add(operator, text[:1])
		return
	}
	l.addLiteral(f)
}
