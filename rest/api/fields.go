package api

import (
	"strings"

	"calbridge/wpstore/php"
)

// Set is a set of field names; a nested field is named with dots ("venue.id"). The zero Set
// contains all fields.
type Set struct {
	names tree
}

// tree holds the names below one place. A name that is requested as a whole has a nil tree.
type tree map[php.Key]tree

// Parse reads the value of _fields: an array of names, or a text with names
// separated by commas and white space. A value without any name gives the zero Set;
// an array with an empty name asks for a field of that name.
func ParseFields(v php.Value) Set {
	var names []string
	switch v := v.(type) {
	case *php.Array:
		for _, item := range v.All() {
			switch item.(type) {
			case nil, *php.Array, *php.Object:
			default:
				names = append(names, php.Trim(php.ToString(item)))
			}
		}
	case *php.Object:
	default:
		names = strings.FieldsFunc(php.ToString(v), func(r rune) bool {
			return r == ',' || r == ' ' || r >= '\t' && r <= '\r'
		})
	}
	if len(names) == 0 {
		return Set{}
	}
	s := Set{names: tree{}}
	for _, name := range names {
		s.names.add(name)
	}
	return s
}

// maxNesting bounds the dots in a name; nothing is nested that deep.
const maxNesting = 64

// add adds a name. A field requested as a whole covers those below it.
func (t tree) add(name string) {
	parts := strings.SplitN(name, ".", maxNesting)
	for _, part := range parts[:len(parts)-1] {
		key := php.KeyOf(part)
		below, ok := t[key]
		if ok && below == nil {
			return
		}
		if !ok {
			below = tree{}
			t[key] = below
		}
		t = below
	}
	t[php.KeyOf(parts[len(parts)-1])] = nil
}

// All reports whether the set contains all fields.
func (s Set) All() bool { return s.names == nil }

// Has reports whether the set contains the field name of the top level, or anything below it. A
// handler need not compute other fields.
func (s Set) Has(name string) bool {
	if s.All() {
		return true
	}
	_, ok := s.names[php.KeyOf(name)]
	return ok
}

// Whole reports whether the set contains the field name of the top level as a whole.
func (s Set) Whole(name string) bool {
	if s.All() {
		return true
	}
	below, ok := s.names[php.KeyOf(name)]
	return ok && below == nil
}

// Apply returns what the set asks for: of a map its fields, of a list those of
// each element. The order stays; unknown names do nothing; what has none of the fields
// becomes an empty array. Names do not reach through nested lists, whose keys are
// numbers. v is not changed, and parts of it are shared with the result.
func ApplyFields(set Set, v php.Value) php.Value {
	a, ok := v.(*php.Array)
	if set.All() || !ok {
		return v
	}
	for k := range a.All() {
		if !k.IsInt {
			return pick(a, set.names)
		}
	}
	list := &php.Array{}
	for _, item := range a.All() {
		if element, ok := item.(*php.Array); ok {
			item = pick(element, set.names)
		}
		list.Append(item)
	}
	return list
}

// pick returns the elements of a that are in the set. A value other than an array is returned
// whole, even if something below it was requested.
func pick(a *php.Array, names tree) *php.Array {
	out := &php.Array{}
	for k, v := range a.All() {
		below, ok := names[k]
		if !ok {
			continue
		}
		if inner, isArray := v.(*php.Array); isArray && below != nil {
			v = pick(inner, below)
		}
		out.Set(k, v)
	}
	return out
}
