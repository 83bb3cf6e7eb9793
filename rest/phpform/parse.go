package phpform

import (
	"cmp"
	"strings"

	"calbridge/wpstore/php"
)

// Limits are PHP's settings that bound a form; zero values stand for PHP's defaults.
// What exceeds them is dropped silently.
type Limits struct {
	MaxVars  int // max_input_vars: number of variables, default 1000
	MaxDepth int // max_input_nesting_level: brackets behind one name, default 64
}

const (
	defaultVars  = 1000
	defaultDepth = 64
)

// Completed returns the limits with PHP's defaults for zero values.
func (l Limits) Completed() Limits {
	return Limits{cmp.Or(max(l.MaxVars, 0), defaultVars), cmp.Or(max(l.MaxDepth, 0), defaultDepth)}
}

// Parse reads a query string (without the question mark) or an urlencoded body. All
// values are strings or arrays of them; the result is never nil.
func Parse(raw string, limits Limits) *php.Array {
	vars := &php.Array{}
	limits = limits.Completed()
	left := limits.MaxVars
	for raw != "" {
		var piece string
		piece, raw, _ = strings.Cut(raw, "&")
		if piece == "" {
			continue
		}
		if left == 0 {
			break
		}
		left--
		name, value, _ := strings.Cut(piece, "=")
		register(vars, URLDecode(name), URLDecode(value), limits.MaxDepth)
	}
	return vars
}

// register stores value under the decoded name.
func register(vars *php.Array, name, value string, maxDepth int) {
	name, _, _ = strings.Cut(name, "\x00")
	name = strings.TrimLeft(name, " ")
	open := strings.IndexByte(name, '[')
	if open < 0 {
		open = len(name)
	}
	first := mangle(name[:open])
	if first == "" {
		return
	}
	path, ok := brackets(name[open:], maxDepth)
	if !ok {
		// PHP drops the whole variable, with its earlier value.
		vars.Delete(php.KeyOf(first))
		return
	}
	if len(path) == 0 {
		first = mangle(name) // no bracket, or one that is not closed
	}
	table, at := vars, step{key: first}
	for _, next := range path {
		if forbidden(at, name) {
			return
		}
		table = at.child(table)
		if table == nil {
			return
		}
		at = next
	}
	if !forbidden(at, name) {
		at.set(table, value)
	}
}

// step is one place within nested arrays: a key, or the next free one.
type step struct {
	key  string
	next bool
}

// child returns the array at the place, which replaces a string there; nil if there
// is no free key.
func (s step) child(table *php.Array) *php.Array {
	if !s.next {
		if v, ok := table.Lookup(s.key); ok {
			if inner, ok := v.(*php.Array); ok {
				return inner
			}
		}
	}
	inner := &php.Array{}
	if !s.set(table, inner) {
		return nil
	}
	return inner
}

func (s step) set(table *php.Array, v php.Value) bool {
	if s.next {
		return table.Append(v)
	}
	table.SetString(s.key, v)
	return true
}

// brackets splits "[a][][b]" into its keys. A bracket that is not closed ends it, as
// does text between brackets. It is not ok if there are more than maxDepth.
func brackets(s string, maxDepth int) (path []step, ok bool) {
	for strings.HasPrefix(s, "[") {
		if len(path) == maxDepth {
			return nil, false
		}
		inner := s[1:]
		blank := 0
		if inner != "" && isSpace(inner[0]) {
			blank = 1
		}
		if strings.HasPrefix(inner[blank:], "]") {
			path = append(path, step{next: true})
			s = inner[blank+1:]
			continue
		}
		end := strings.IndexByte(inner, ']')
		if end < 0 {
			break
		}
		path = append(path, step{key: inner[:end]})
		s = inner[end+1:]
	}
	return path, true
}

func isSpace(c byte) bool {
	return c == ' ' || c >= '\t' && c <= '\r'
}

// mangle replaces what cannot be part of a PHP variable's name.
func mangle(name string) string {
	if !strings.ContainsAny(name, " .[") {
		return name
	}
	b := []byte(name)
	for i, c := range b {
		if c == ' ' || c == '.' || c == '[' {
			b[i] = '_'
		}
	}
	return string(b)
}

// forbidden reports whether mangling has made a cookie prefix that browsers guard.
func forbidden(at step, name string) bool {
	if at.next || !strings.HasPrefix(at.key, "__") {
		return false
	}
	made := func(prefix string) bool { return strings.HasPrefix(at.key, prefix) && !strings.HasPrefix(name, prefix) }
	return made("__Host-") || made("__Secure-")
}
