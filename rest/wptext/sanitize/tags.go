package sanitize

import (
	"strings"

	"calbridge/rest/wptext/markup"
)

// StripTags reproduces PHP's strip_tags without a list of allowed tags, a state machine
// over bytes: a "<" before white space is text; quotes inside a tag protect ">";
// a further "<" inside a tag needs a ">" of its own; comments, declarations and
// PHP code are removed too; what isn't closed takes the rest of the text along.
// NUL bytes are dropped.
func StripTags(s string) string {
	if strings.IndexByte(s, '<') < 0 && strings.IndexByte(s, 0) < 0 {
		return s
	}
	t := tagStripper{src: s, out: make([]byte, 0, len(s))}
	for i := range len(s) {
		switch c := s[i]; t.state {
		case inText:
			t.text(i, c)
		case inComment:
			if c == '>' && t.quote == 0 && strings.HasSuffix(s[:i], "--") {
				t.leave()
			}
		default:
			t.tag(i, c, s[i-1])
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
	depth int  // further "<" inside a tag
	quote byte // the open quote, or 0
	xml   bool // the tag began as <?xml

	// Inside PHP code: the last quote or bracket, and the open brackets.
	last     byte
	brackets int
}

// opens reports whether the "<" at i begins a tag.
func (t *tagStripper) opens(i int) bool {
	return i+1 >= len(t.src) || !markup.IsSpace(t.src[i+1])
}

func (t *tagStripper) leave() {
	t.state, t.quote, t.xml, t.last = inText, 0, false, 0
}

func (t *tagStripper) text(i int, c byte) {
	switch {
	case c == '<' && t.opens(i):
		t.state, t.last = inTag, c
	case c == '>' && t.depth > 0:
		t.depth--
	case c != 0:
		t.out = append(t.out, c)
	}
}

// tag reads byte c at i, behind previous, of a tag, a declaration or PHP code.
func (t *tagStripper) tag(i int, c, previous byte) {
	before := t.src[:i]
	switch {
	case c == '>' && t.depth > 0:
		t.depth--
	case c == '>':
		if t.quote == 0 && t.closes(previous) {
			t.leave()
		}
	case c == '"' || c == '\'':
		t.quoteMark(c, previous)
	case t.state == inTag:
		switch {
		case c == '<' && t.quote == 0 && t.opens(i):
			t.depth++
		case c == '!' && previous == '<':
			t.state, t.last = inDeclaration, c
		case c == '?' && previous == '<':
			t.state, t.brackets = inPHP, 0
		}
	case t.state == inDeclaration:
		switch {
		case c == '-' && strings.HasSuffix(before, "!-"):
			t.state = inComment
		case c|0x20 == 'e' && i > 6 && strings.EqualFold(before[i-6:], "doctyp"):
			t.state = inTag
		}
	case c|0x20 == 'l' && i > 4 && strings.EqualFold(before[i-4:], "<?xm"):
		t.state, t.xml = inTag, true
	case t.last != '"' && t.last != '\'' && c == '(':
		t.last = c
		t.brackets++
	case t.last != '"' && t.last != '\'' && c == ')':
		t.last = c
		t.brackets--
	}
}

// closes reports whether a ">" behind previous ends what is open.
func (t *tagStripper) closes(previous byte) bool {
	switch t.state {
	case inTag:
		return !t.xml || previous != '-'
	case inPHP:
		return t.brackets == 0 && t.last != '"' && previous == '?'
	}
	return true
}

// quoteMark opens or closes a quotation. Outside plain tags a backslash escapes.
func (t *tagStripper) quoteMark(c, previous byte) {
	if t.state != inTag && previous == '\\' {
		return
	}
	if t.state == inPHP {
		if t.last == c {
			t.last = 0
		} else {
			t.last = c
		}
	}
	switch t.quote {
	case 0:
		t.quote = c
	case c:
		t.quote = 0
	}
}
