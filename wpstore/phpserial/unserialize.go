package phpserial

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

const (
	// MaxDepth is the deepest nesting of arrays and objects that is read.
	MaxDepth = 64
	// MaxLength is the longest text that is read, in bytes.
	MaxLength = 64 << 20

	// maxReferenced limits the number of values that references stand for: references to
	// references multiply.
	maxReferenced = 1 << 20
	// shortestElement is the length of the shortest array element, "i:0;N;".
	shortestElement = 6
)

// ErrTooLarge is returned for a text that is longer or nested deeper, or has more
// references, than this package reads.
var ErrTooLarge = errors.New("serialized data too large")

// Unserialize returns the value of one serialized text; only white space may follow it.
//
// A reference to an object returns the same *php.Object, a reference to anything else a
// copy. A reference by which a value would contain itself is an error, as is a wrong
// length.
func Unserialize(s string) (php.Value, error) {
	if len(s) > MaxLength {
		return nil, ErrTooLarge
	}
	p := parser{s: s}
	v, _, err := p.value()
	if err != nil {
		return nil, err
	}
	if strings.Trim(p.s[p.pos:], " \t\n\r\v\f\x00") != "" {
		return nil, p.fail("unexpected text after the value")
	}
	return v, nil
}

type parser struct {
	s     string
	pos   int
	depth int
	// slots holds the values in order of appearance, for references; array keys
	// and property names do not count.
	slots      []slot
	referenced int
}

type slot struct {
	value php.Value
	size  int // number of values in it, with all references followed; 0 while incomplete
}

func (p *parser) fail(what string) error {
	return fmt.Errorf("serialized data: %s at byte %d", what, p.pos)
}

// value reads a value and returns the number of values that it consists of.
func (p *parser) value() (php.Value, int, error) {
	if p.pos+2 > len(p.s) {
		return nil, 0, p.fail("unexpected end")
	}
	kind := p.s[p.pos]
	if kind == 'R' || kind == 'r' {
		return p.reference(kind)
	}
	number := len(p.slots)
	p.slots = append(p.slots, slot{})
	v, size, err := p.plain(kind)
	if err != nil {
		return nil, 0, err
	}
	p.slots[number] = slot{v, size}
	return v, size, nil
}

func (p *parser) plain(kind byte) (php.Value, int, error) {
	start := p.pos
	p.pos++
	if kind == 'N' {
		return nil, 1, p.expect(";")
	}
	if err := p.expect(":"); err != nil {
		return nil, 0, err
	}
	var v php.Value
	var err error
	switch kind {
	case 'b':
		v, err = p.boolean()
	case 'i':
		v, err = p.integer()
	case 'd':
		v, err = p.float()
	case 's':
		v, err = p.quoted(";")
	case 'a':
		return p.array()
	case 'O':
		return p.object()
	case 'C':
		v, err = p.custom(start)
	case 'E':
		v, err = p.enum(start)
	default:
		p.pos = start
		err = p.fail("unknown type")
	}
	return v, 1, err
}

func (p *parser) expect(text string) error {
	if !strings.HasPrefix(p.s[p.pos:], text) {
		return p.fail("expected " + strconv.Quote(text))
	}
	p.pos += len(text)
	return nil
}

// until returns the text up to the byte end, of at most limit bytes, and skips end.
func (p *parser) until(end byte, limit int) (string, error) {
	window := p.s[p.pos:min(p.pos+limit+1, len(p.s))]
	i := strings.IndexByte(window, end)
	if i < 0 {
		return "", p.fail("expected " + strconv.Quote(string(end)))
	}
	p.pos += i + 1
	return window[:i], nil
}

func (p *parser) boolean() (php.Value, error) {
	value := p.s[p.pos:min(p.pos+2, len(p.s))]
	if value != "0;" && value != "1;" {
		return nil, p.fail("not a boolean")
	}
	p.pos += 2
	return value == "1;", nil
}

// longestNumber is longer than any number that PHP writes.
const longestNumber = 2048

func (p *parser) integer() (php.Value, error) {
	start := p.pos
	text, err := p.until(';', longestNumber)
	if err != nil {
		return nil, err
	}
	digits := strings.TrimLeft(text, "+-")
	if len(text)-len(digits) > 1 || !allDigits(digits) {
		p.pos = start
		return nil, p.fail("not an integer")
	}
	// Out of range stops at the ends of the range, as in PHP.
	return php.ToInt(text), nil
}

func (p *parser) float() (php.Value, error) {
	start := p.pos
	text, err := p.until(';', longestNumber)
	if err != nil {
		return nil, err
	}
	switch text {
	case "NAN":
		return math.NaN(), nil
	case "INF":
		return math.Inf(1), nil
	case "-INF":
		return math.Inf(-1), nil
	}
	if text == "" || strings.Trim(text, "0123456789.eE+-") != "" || !php.IsNumericString(text) {
		p.pos = start
		return nil, p.fail("not a number")
	}
	return php.ToFloat(text), nil
}

// count reads a decimal number that ends in a colon and is at most limit.
func (p *parser) count(limit int) (int, error) {
	start := p.pos
	text, err := p.until(':', longestNumber)
	if err != nil {
		return 0, err
	}
	if !allDigits(text) {
		p.pos = start
		return 0, p.fail("not a count")
	}
	n, err := strconv.Atoi(text)
	if err != nil || n > limit {
		p.pos = start
		return 0, p.fail("count or length beyond the end of the text")
	}
	return n, nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// quoted reads a length in bytes and a string of that length in quotes, followed
// by end.
func (p *parser) quoted(end string) (string, error) {
	n, err := p.count(len(p.s) - p.pos)
	if err != nil {
		return "", err
	}
	if err := p.expect(`"`); err != nil {
		return "", err
	}
	if n > len(p.s)-p.pos {
		return "", p.fail("string length beyond the end of the text")
	}
	text := p.s[p.pos : p.pos+n]
	p.pos += n
	return text, p.expect(`"` + end)
}
