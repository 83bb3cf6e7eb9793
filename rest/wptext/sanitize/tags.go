package sanitize

import (
	"strings"

	"calbridge/rest/wptext/scan"
)

// StripTags is PHP's strip_tags without a list of allowed tags. It is a state
// machine over bytes: a "<" in front of white space is text; quotes inside of
// a tag protect ">"; a further "<" inside of a tag needs a ">" of its own;
// comments, declarations and PHP code go too; what is not closed takes the
// rest of the text along. NUL bytes are dropped.
func StripTags(s string) string {
	if strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, 0) < 0 {
		return s
	}
	t := tagStripper{src: s, out: make([]byte, 0, len(s))}
	for i := 0; i < len(s); i++ {
		switch t.state {
		case inText:
			t.text(i)
		case inTag:
			t.tag(i)
		case inPHP:
			t.php(i)
		case inDeclaration:
			t.declaration(i)
		case inComment:
			t.comment(i)
		}
	}
	return string(t.out)
}

type stripState int

const (
	inText stripState = iota
	inTag
	inPHP         // <? … ?>
	inDeclaration // <! … >
	inComment     // <!-- … -->
)

type tagStripper struct {
	src   string
	out   []byte
	state stripState
	depth int  // further "<" inside of a tag
	quote byte // the open quote, or 0
	xml   bool // the tag began as <?xml

	// Inside of PHP code: the last quote or bracket, and the open brackets.
	last     byte
	brackets int
}

// before returns the byte n places in front of i, or 0.
func (t *tagStripper) before(i, n int) byte {
	if i < n {
		return 0
	}
	return t.src[i-n]
}

// opens reports whether the "<" at i begins a tag.
func (t *tagStripper) opens(i int) bool {
	return i+1 >= len(t.src) || !scan.IsSpace(t.src[i+1])
}

func (t *tagStripper) leave() {
	t.state, t.quote, t.xml, t.last = inText, 0, false, 0
}

func (t *tagStripper) toggleQuote(c byte) {
	switch t.quote {
	case 0:
		t.quote = c
	case c:
		t.quote = 0
	}
}

func (t *tagStripper) text(i int) {
	switch c := t.src[i]; {
	case c == 0:
	case c == '<' && t.opens(i):
		t.state = inTag
		t.last = c
	default:
		t.out = append(t.out, c)
	}
}

func (t *tagStripper) tag(i int) {
	switch c := t.src[i]; c {
	case '<':
		if t.quote == 0 && t.opens(i) {
			t.depth++
		}
	case '>':
		switch {
		case t.depth > 0:
			t.depth--
		case t.quote != 0 || t.xml && t.before(i, 1) == '-':
		default:
			t.leave()
		}
	case '"', '\'':
		t.toggleQuote(c)
	case '!':
		if t.before(i, 1) == '<' {
			t.state, t.last = inDeclaration, c
		}
	case '?':
		if t.before(i, 1) == '<' {
			t.state, t.brackets = inPHP, 0
		}
	}
}

func (t *tagStripper) php(i int) {
	quoted := t.last == '"' || t.last == '\''
	switch c := t.src[i]; c {
	case '(':
		if !quoted {
			t.last = c
			t.brackets++
		}
	case ')':
		if !quoted {
			t.last = c
			t.brackets--
		}
	case '>':
		switch {
		case t.depth > 0:
			t.depth--
		case t.quote != 0:
		case t.brackets == 0 && t.last != '"' && t.before(i, 1) == '?':
			t.leave()
		}
	case '"', '\'':
		if t.before(i, 1) == '\\' {
			return
		}
		if t.last == c {
			t.last = 0
		} else if t.last != '\\' {
			t.last = c
		}
		t.toggleQuote(c)
	case 'l', 'L':
		if i >= 4 && strings.EqualFold(t.src[i-4:i], "<?xm") {
			t.state, t.xml = inTag, true
		}
	}
}

func (t *tagStripper) declaration(i int) {
	switch c := t.src[i]; c {
	case '>':
		switch {
		case t.depth > 0:
			t.depth--
		case t.quote == 0:
			t.leave()
		}
	case '"', '\'':
		if t.before(i, 1) != '\\' {
			t.toggleQuote(c)
		}
	case '-':
		if t.before(i, 1) == '-' && t.before(i, 2) == '!' {
			t.state = inComment
		}
	case 'e', 'E':
		if i >= 6 && strings.EqualFold(t.src[i-6:i], "doctyp") {
			t.state = inTag
		}
	}
}

func (t *tagStripper) comment(i int) {
	if t.src[i] == '>' && t.quote == 0 && t.before(i, 1) == '-' && t.before(i, 2) == '-' {
		t.leave()
	}
}
