package jsontree

import (
	"encoding/json"
	"slices"
	"strings"
)

// Kind is the kind of a JSON value.
type Kind byte

const (
	Object Kind = '{'
	Array  Kind = '['
	String Kind = '"'
	Number Kind = '0'
	Bool   Kind = 't'
	Null   Kind = 'n'
)

func (k Kind) String() string {
	return map[Kind]string{Object: "object", Array: "list", String: "text", Number: "number", Bool: "boolean", Null: "null"}[k]
}

// Node is a JSON value with its position in the text it was parsed from, so that the
// untouched parts of a document can be compared byte for byte.
type Node struct {
	Kind Kind
	// start and end delimit the value, src is the whole document.
	src        string
	start, end int
	// Names are the decoded member names of an object, one for each item.
	Names []string
	Items []*Node
}

// Raw returns the value as spelt in the document.
func (n *Node) Raw() string { return n.src[n.start:n.end] }

// Text returns the decoded value of a string, and "" for any other value or nil.
func (n *Node) Text() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return unquote(n.Raw())
}

// Plain returns the decoded value of a string, and any other value as it is spelt.
func (n *Node) Plain() string {
	if n.Kind == String {
		return n.Text()
	}
	return n.Raw()
}

// Member returns an object's member of that name, or nil. It may be called on nil and
// on other values, so that chains of look-ups need no checks.
func (n *Node) Member(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	if i := slices.Index(n.Names, name); i >= 0 {
		return n.Items[i]
	}
	return nil
}

// Is reports whether there is a value of that kind.
func (n *Node) Is(kind Kind) bool { return n != nil && n.Kind == kind }

// Walk calls visit with the node and everything below it, parents first.
func (n *Node) Walk(visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, item := range n.Items {
		item.Walk(visit)
	}
}

// Around returns the parts of the document before and after the value.
func (n *Node) Around() (before, after string) { return n.src[:n.start], n.src[n.end:] }

// Replaced returns the document with the value replaced by a text.
func (n *Node) Replaced(text string) (*Node, error) {
	return Parse(n.src[:n.start] + text + n.src[n.end:])
}

// With returns an object or a list with other texts for its items, without the dropped
// ones. The text between items stays. A nil drop drops none.
func (n *Node) With(texts []string, drop []bool) string {
	var b strings.Builder
	at, written := n.start, 0
	for i, item := range n.Items {
		gap := n.src[at:item.start]
		at = item.end
		if drop != nil && drop[i] {
			continue
		}
		if written == 0 && i > 0 { // the first remaining item has a comma before it
			gap = n.src[n.start:n.start+1] + strings.TrimPrefix(strings.TrimLeft(gap, " \t\r\n"), ",")
		}
		b.WriteString(gap)
		b.WriteString(texts[i])
		written++
	}
	if written == 0 {
		return n.src[n.start:n.start+1] + n.src[n.end-1:n.end]
	}
	b.WriteString(n.src[at:n.end])
	return b.String()
}

// Step returns the path of the i-th item of the node at path.
func (n *Node) Step(path Path, i int) Path {
	step := Step{index: i, IsIndex: true}
	if n.Kind == Object {
		step = Step{Name: n.Names[i]}
	}
	return append(path[:len(path):len(path)], step)
}

// Texts returns the items of a list: texts decoded, others as spelt.
func Texts(list *Node) []string {
	if !list.Is(Array) {
		return nil
	}
	texts := make([]string, len(list.Items))
	for i, item := range list.Items {
		texts[i] = item.Plain()
	}
	return texts
}

func unquote(raw string) string {
	if len(raw) >= 2 && strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	var s string
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		return raw
	}
	return s
}
