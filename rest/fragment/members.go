package fragment

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
)

// member is a member of an object.
type member struct {
	name  string
	value []byte
}

// membersOf returns the members of an object of a Document.
func membersOf(object []byte) []member {
	if isEvent(object) {
		return propertiesOf(object)
	}
	var all []member
	p := parser{text: object}
	_ = p.object(0, func(name []byte) error {
		start := p.pos
		err := p.value(1)
		all = append(all, member{string(name), object[start:p.pos]})
		return err
	})
	return all
}

// Text returns the member of an object of a JSON document if it is a string.
func Text(object []byte, name string) (text string, ok bool) {
	for _, m := range membersOf(object) {
		if m.name == name && m.value[0] == '"' {
			err := json.Unmarshal(m.value, &text)
			return text, err == nil
		}
	}
	return "", false
}

// orderOf is the name under which differing reports that two objects have the same members in
// another order, or other white space.
const orderOf = "(order)"

// differing returns the names of the members in which two renderings of an object differ, sorted.
// markup reports that a differing member has markup, or has lost it: exports have descriptions without
// their tags.
func differing(a, b []byte) (names []string, markup bool) {
	if bytes.Equal(a, b) {
		return nil, false
	}
	first, second := membersOf(a), membersOf(b)
	values := map[string][]byte{}
	for _, m := range first {
		values[m.name] = m.value
	}
	note := func(name string, values ...[]byte) {
		names = append(names, name)
		markup = markup || name == descriptionName || slices.ContainsFunc(values, hasMarkup)
	}
	for _, m := range second {
		value, has := values[m.name]
		if !has || !bytes.Equal(value, m.value) {
			note(m.name, value, m.value)
		}
		delete(values, m.name)
	}
	for name, value := range values {
		note(name, value)
	}
	if names == nil {
		return []string{orderOf}, true
	}
	slices.Sort(names)
	return names, markup
}

// DifferBeyondContent returns the names of the members in which objects of two documents differ beyond
// their content, as in Result.Fields of package proof. Content is what is made of the text of a post or term: its
// description, its excerpt, the description in its linked data, and that in an export. The documents have the same objects.
func (d *Document) DifferBeyondContent(other *Document) []string {
	found := map[string]bool{}
	for i := range d.objects {
		names, _ := differing(withoutContent(d.at(i)), withoutContent(other.at(i)))
		for _, name := range names {
			found[name] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// withoutContent returns an object of a Document without content. In JSON, an empty object is the value of
// each of the members that are content.
func withoutContent(object []byte) []byte {
	if isEvent(object) {
		return withoutDescription(object)
	}
	return blanked(object, func(name string, value []byte) []byte {
		switch name {
		case "description", "excerpt":
			return []byte("{}")
		case "json_ld":
			return blanked(value, func(name string, value []byte) []byte {
				if name == "description" {
					return []byte("{}")
				}
				return value
			})
		}
		return value
	})
}

// blanked returns an object with replaced values. A value that is not an object is returned as it is.
func blanked(object []byte, replace func(name string, value []byte) []byte) []byte {
	p, out, pos := parser{text: object}, make([]byte, 0, len(object)), 0
	err := p.object(0, func(name []byte) error {
		start := p.pos
		err := p.value(1)
		out = append(append(out, object[pos:start]...), replace(string(name), object[start:p.pos])...)
		pos = p.pos
		return err
	})
	if err != nil {
		return object
	}
	return append(out, object[pos:]...)
}

// hasMarkup reports whether JSON contains markup, or text that may be markup. Any event of an export may
// have had some.
func hasMarkup(value []byte) bool {
	return isEvent(value) || bytes.IndexByte(value, '<') >= 0 || bytes.Contains(value, []byte(`\u003c`)) || bytes.Contains(value, []byte(`\u003C`))
}

// numbersIn returns the integers among the numbers and strings of an object. Ids of nested objects
// are among them.
func numbersIn(object []byte) map[int64]bool {
	found := map[int64]bool{}
	for i := 0; i < len(object); {
		if c := object[i]; c < '0' || c > '9' {
			i++
			continue
		}
		start := i
		for i < len(object) && object[i] >= '0' && object[i] <= '9' {
			i++
		}
		if before := object[start-1]; before != '"' && before != ':' && before != ',' && before != '[' && before != ' ' {
			continue
		}
		if id, err := strconv.ParseInt(string(object[start:i]), 10, 64); err == nil {
			found[id] = true
		}
	}
	return found
}
