package fragment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Document is the body of a response, with the places of its top-level objects. It is immutable.
type Document struct {
	text []byte
	// list is the member that holds the objects; "" if the whole document is one object.
	list    string
	objects []object
	// calendar reports an iCalendar export, whose objects are its events.
	calendar bool
}

// object is one top-level object and its range in the text.
type object struct {
	id         int64
	start, end int
	uid        string // of an event of an export
}

// The media types that have objects.
const (
	mediaJSON     = "application/json"
	mediaCalendar = "text/calendar"
)

// Splittable reports whether responses of a content type may have objects.
func Splittable(contentType string) bool {
	kind := mediaType(contentType)
	return kind == mediaJSON || kind == mediaCalendar
}

// mediaType returns a content type without its parameters.
func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return kind
}

// SplitBody splits a response of a content type.
func SplitBody(contentType string, text []byte) (*Document, error) {
	switch kind := mediaType(contentType); kind {
	case mediaJSON:
		return Split(text)
	case mediaCalendar:
		return SplitCalendar(text)
	default:
		return nil, fmt.Errorf("the content type %q has no objects", kind)
	}
}

// maxDepth limits how deep values may be nested; PHP's json_encode writes no deeper ones.
const maxDepth = 512

// errNoObjects is returned for JSON that is neither one object with an id nor a list of such
// objects.
var errNoObjects = errors.New("neither an object with an id nor a list of them")

// Split parses JSON and finds its top-level objects: the whole document if it has a member
// "id", otherwise the entries of its only array. It accepts exactly one JSON document (RFC 8259)
// without white space around it, in which no object has two members of the same name. Objects
// within objects are not found.
func Split(text []byte) (*Document, error) {
	p := parser{text: text}
	d := &Document{text: text}
	var arrays int
	var id int64
	var single bool
	err := p.object(0, func(name []byte) error {
		if string(name) == "id" {
			single = true
			var err error
			id, err = p.id()
			return err
		}
		if p.peek() != '[' {
			return p.value(1)
		}
		arrays++
		d.list = string(name)
		return p.entries(d)
	})
	switch {
	case err != nil:
		return nil, err
	case p.pos != len(text):
		return nil, p.fail("text after the document")
	case single && id == 0:
		return nil, errNoObjects
	case single:
		d.list, d.objects = "", []object{{id: id, start: 0, end: len(text)}}
		return d, nil
	case arrays != 1 || !d.distinct():
		return nil, errNoObjects
	}
	return d, nil
}

// distinct reports whether each entry of the list is an object with an id that no other entry has.
func (d *Document) distinct() bool {
	seen := make(map[int64]bool, len(d.objects))
	for _, o := range d.objects {
		if o.id == 0 || seen[o.id] {
			return false
		}
		seen[o.id] = true
	}
	return true
}

// Len returns the number of objects.
func (d *Document) Len() int { return len(d.objects) }

// IDs returns the ids of the objects, in their order.
func (d *Document) IDs() []int64 {
	ids := make([]int64, len(d.objects))
	for i, o := range d.objects {
		ids[i] = o.id
	}
	return ids
}

// at returns the text of an object.
func (d *Document) at(i int) []byte { return d.text[d.objects[i].start:d.objects[i].end] }

// SameObjects reports whether two documents have objects with the same ids, and UIDs, in the same order.
func (d *Document) SameObjects(other *Document) bool {
	if d.calendar != other.calendar || d.list != other.list || len(d.objects) != len(other.objects) {
		return false
	}
	for i := range d.objects {
		if d.objects[i].id != other.objects[i].id || d.objects[i].uid != other.objects[i].uid {
			return false
		}
	}
	return true
}

// with returns the text of the document with other objects instead of its own.
func (d *Document) with(objects [][]byte) []byte {
	size := len(d.text)
	for i, o := range objects {
		size += len(o) - (d.objects[i].end - d.objects[i].start)
	}
	out, pos := make([]byte, 0, size), 0
	for i, o := range objects {
		out = append(append(out, d.text[pos:d.objects[i].start]...), o...)
		pos = d.objects[i].end
	}
	return append(out, d.text[pos:]...)
}

// IsList reports whether the objects are the entries of a list.
func (d *Document) IsList() bool { return d.list != "" }

// Object returns the text of an object.
func (d *Document) Object(i int) []byte { return d.at(i) }

// Only returns the text of a list with these entries in place of all its own.
func (d *Document) Only(entries [][]byte) []byte {
	if len(d.objects) == 0 {
		return d.text
	}
	first, last := d.objects[0].start, d.objects[len(d.objects)-1].end
	return slices.Concat(d.text[:first], bytes.Join(entries, []byte(",")), d.text[last:])
}

// Splice returns our response with WordPress's objects. ok is false if the two have other objects,
// or the same in another order.
func Splice(ours, theirs *Document) (spliced []byte, ok bool) {
	if !ours.SameObjects(theirs) {
		return nil, false
	}
	objects := make([][]byte, len(theirs.objects))
	for i := range objects {
		objects[i] = theirs.at(i)
	}
	return ours.with(objects), true
}

// parser reads JSON strictly.
type parser struct {
	text []byte
	pos  int
	// names holds the names of the members read so far of all open objects, the innermost last.
	names [][]byte
}

func (p *parser) fail(what string) error { return fmt.Errorf("byte %d: %s", p.pos, what) }

func (p *parser) peek() byte {
	if p.pos < len(p.text) {
		return p.text[p.pos]
	}
	return 0
}

func (p *parser) space() {
	for p.pos < len(p.text) {
		switch p.text[p.pos] {
		case ' ', '\t', '\r', '\n':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) accept(c byte) bool {
	if p.peek() != c {
		return false
	}
	p.pos++
	return true
}

// value skips a value.
func (p *parser) value(depth int) error {
	switch c := p.peek(); {
	case depth > maxDepth:
		return p.fail("nested too deeply")
	case c == '{':
		return p.object(depth, nil)
	case c == '[':
		return p.array(func() error { return p.value(depth + 1) })
	case c == '"':
		_, err := p.str()
		return err
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if bytes.HasPrefix(p.text[p.pos:], []byte(word)) {
			p.pos += len(word)
			return nil
		}
	}
	return p.fail("not a value")
}

// object reads an object. It calls member at the value of each member; nil skips the value.
func (p *parser) object(depth int, member func(name []byte) error) error {
	if !p.accept('{') {
		return p.fail("not an object")
	}
	outer := len(p.names)
	defer func() { p.names = p.names[:outer] }()
	var many map[string]bool // the names of a large object
	for first := true; ; first = false {
		p.space()
		if first && p.accept('}') {
			return nil
		}
		if depth > maxDepth {
			return p.fail("nested too deeply")
		}
		name, err := p.name()
		if err != nil {
			return err
		}
		if p.repeats(outer, name, &many) {
			return p.fail("a second member of the same name")
		}
		if p.space(); !p.accept(':') {
			return p.fail("no colon")
		}
		p.space()
		if member == nil {
			err = p.value(depth + 1)
		} else {
			err = member(name)
		}
		if err != nil {
			return err
		}
		p.space()
		if p.accept('}') {
			return nil
		}
		if !p.accept(',') {
			return p.fail("no comma")
		}
	}
}

// maxCompared is the number of members above which their names are looked up rather than compared one
// by one.
const maxCompared = 64

// repeats reports whether the object whose names begin at outer has a member of a name already, and
// adds the name.
func (p *parser) repeats(outer int, name []byte, many *map[string]bool) bool {
	own := p.names[outer:]
	if len(own) >= maxCompared {
		if *many == nil {
			*many = make(map[string]bool, 2*len(own))
			for _, one := range own {
				(*many)[string(one)] = true
			}
		}
		if (*many)[string(name)] {
			return true
		}
		(*many)[string(name)] = true
		return false
	}
	for _, one := range own {
		if bytes.Equal(one, name) {
			return true
		}
	}
	p.names = append(p.names, name)
	return false
}

// array reads an array. It calls entry at each entry.
func (p *parser) array(entry func() error) error {
	p.pos++
	for first := true; ; first = false {
		p.space()
		if first && p.accept(']') {
			return nil
		}
		if err := entry(); err != nil {
			return err
		}
		p.space()
		if p.accept(']') {
			return nil
		}
		if !p.accept(',') {
			return p.fail("no comma")
		}
	}
}

// entries reads an array and adds each entry to the objects of d. An entry that isn't an object with
// an id gets the id 0.
func (p *parser) entries(d *Document) error {
	d.objects = nil
	return p.array(func() error {
		o := object{start: p.pos}
		var err error
		if p.peek() == '{' {
			err = p.object(2, func(name []byte) error {
				if string(name) != "id" {
					return p.value(3)
				}
				var err error
				o.id, err = p.id()
				return err
			})
		} else {
			err = p.value(2)
		}
		o.end = p.pos
		d.objects = append(d.objects, o)
		return err
	})
}

// id reads the value of a member "id". Anything but a positive integer is 0.
func (p *parser) id() (int64, error) {
	start := p.pos
	if err := p.value(3); err != nil {
		return 0, err
	}
	id, err := strconv.ParseInt(string(p.text[start:p.pos]), 10, 64)
	if err != nil || id < 0 {
		return 0, nil
	}
	return id, nil
}

// name reads the name of a member.
func (p *parser) name() ([]byte, error) {
	raw, err := p.str()
	if err != nil || bytes.IndexByte(raw, '\\') < 0 {
		return raw, err
	}
	var name string
	if err := json.Unmarshal(slices.Concat([]byte{'"'}, raw, []byte{'"'}), &name); err != nil {
		return nil, p.fail("not a string")
	}
	return []byte(name), nil
}

// validEscapes reports whether the escapes of a string are those of JSON.
func validEscapes(raw []byte) bool {
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			continue
		}
		if i++; i == len(raw) {
			return false
		}
		switch raw[i] {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		case 'u':
			if i+4 >= len(raw) {
				return false
			}
			for _, c := range raw[i+1 : i+5] {
				if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
					return false
				}
			}
			i += 4
		default:
			return false
		}
	}
	return true
}

// str reads a string and returns it without quotes, and with its escapes.
func (p *parser) str() ([]byte, error) {
	if !p.accept('"') {
		return nil, p.fail("not a string")
	}
	start, escaped := p.pos, false
	for p.pos < len(p.text) {
		switch c := p.text[p.pos]; {
		case c == '"':
			raw := p.text[start:p.pos]
			p.pos++
			if !utf8.Valid(raw) {
				return nil, p.fail("not UTF-8")
			}
			if !escaped {
				return raw, nil
			}
			if !validEscapes(raw) {
				return nil, p.fail("not a string")
			}
			return raw, nil
		case c < ' ':
			return nil, p.fail("a control character in a string")
		case c == '\\':
			escaped = true
			p.pos++
		}
		p.pos++
	}
	return nil, p.fail("a string without an end")
}

// number skips a number.
func (p *parser) number() error {
	p.accept('-')
	if !p.accept('0') && !p.digits() {
		return p.fail("not a number")
	}
	if p.accept('.') && !p.digits() {
		return p.fail("not a number")
	}
	if p.accept('e') || p.accept('E') {
		if !p.accept('+') {
			p.accept('-')
		}
		if !p.digits() {
			return p.fail("not a number")
		}
	}
	return nil
}

func (p *parser) digits() bool {
	start := p.pos
	for c := p.peek(); c >= '0' && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos > start
}
