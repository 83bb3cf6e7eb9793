package phpjson

import (
	"errors"
	"fmt"

	"calbridge/wpstore/php"
)

// SyntaxError explains why a text is not JSON, with PHP's number and text of the error
// (json_last_error and json_last_error_msg), which WordPress passes on.
type SyntaxError struct {
	Code    int
	Message string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("decode JSON: %s (%d)", e.Message, e.Code) }

// PHP's error numbers.
const (
	errDepth    = 1
	errMismatch = 2
	errControl  = 3
	errSyntax   = 4
	errUTF8     = 5
	errUTF16    = 10

	overCount = -1 // not PHP's: more values than Limits allow
)

var messages = map[int]string{
	errDepth:    "Maximum stack depth exceeded",
	errMismatch: "State mismatch (invalid or malformed JSON)",
	errControl:  "Control character error, possibly incorrectly encoded",
	errSyntax:   "Syntax error",
	errUTF8:     "Malformed UTF-8 characters, possibly incorrectly encoded",
	errUTF16:    "Single unpaired UTF-16 surrogate in unicode escape",
}

// Decode reads a JSON text as PHP's json_decode to arrays does, with its depth limit
// of 512. Objects become arrays (of duplicate members the last value wins, in the
// place of the first), so {} and [] are the same; integers outside of 64 bits
// become floats. The error is always a *SyntaxError.
func Decode(body []byte) (php.Value, error) {
	return decode(decoder{scanner: scanner{text: string(body)}})
}

// Limits bound what DecodeWithin reads; zero fields stand for no bound of ours.
type Limits struct {
	Values int // members and entries of all objects and lists together
	Depth  int // of objects and lists in each other
}

// ErrTooMany is DecodeWithin's error for more values than its limits allow, which PHP
// would read. Too deep a text is the *SyntaxError of PHP's own limit.
var ErrTooMany = errors.New("decode JSON: too many values")

// DecodeWithin decodes within limits: it stops at the first value beyond them, so that a small text
// can't take much memory. Strings share the memory of text.
func DecodeWithin(text string, limits Limits) (php.Value, error) {
	return decode(decoder{scanner: scanner{text: text}, limits: limits})
}

// Reparse reads JSON that Append or a Writer wrote such that Append gives the same
// bytes again: objects that an array could not stand for, {} and {"0":…}, become
// *php.Object, and -0 is a float. The error is always a *SyntaxError.
func Reparse(body []byte) (php.Value, error) {
	return decode(decoder{scanner: scanner{text: string(body), faithful: true}})
}

func decode(d decoder) (php.Value, error) {
	v, code := d.value(d.next())
	if code == 0 && d.next() != tokenEnd {
		code = errSyntax
	}
	switch {
	case d.code != 0:
		code = d.code // the scanner has the reason
	case code == overCount:
		return nil, ErrTooMany
	}
	if code != 0 {
		return nil, &SyntaxError{code, messages[code]}
	}
	return v, nil
}

type decoder struct {
	scanner
	depth  int
	values int
	limits Limits
}

// value reads the value that begins with the token t and returns PHP's error
// number, 0 if there is none.
func (d *decoder) value(t token) (php.Value, int) {
	switch t {
	case tokenScalar:
		return d.scalar, 0
	case tokenString:
		return d.str, 0
	case '[', '{':
		d.depth++
		if d.depth >= deepest || d.limits.Depth > 0 && d.depth > d.limits.Depth {
			return nil, errDepth
		}
		a := &php.Array{}
		code := d.members(a, t)
		d.depth--
		if code == 0 && t == '{' && d.faithful && a.IsList() {
			return &php.Object{Class: "stdClass", Props: a}, 0
		}
		return a, code
	}
	return nil, errSyntax
}

// members reads what follows the bracket that opens a list or an object.
func (d *decoder) members(a *php.Array, opening token) (code int) {
	closing, other := token(']'), token('}')
	if opening == '{' {
		closing, other = other, closing
	}
	t := d.next()
	switch t {
	case closing:
		return 0
	case other:
		return errMismatch
	}
	for {
		if d.values++; d.limits.Values > 0 && d.values > d.limits.Values {
			return overCount
		}
		name := d.str
		if opening == '{' {
			if t != tokenString || d.next() != ':' {
				return errSyntax
			}
			t = d.next()
		}
		v, code := d.value(t)
		if code != 0 {
			return code
		}
		if opening == '{' {
			a.SetString(name, v)
		} else {
			a.Append(v)
		}
		switch d.next() {
		case closing:
			return 0
		case other:
			return errMismatch
		case ',':
			t = d.next()
		default:
			return errSyntax
		}
	}
}
