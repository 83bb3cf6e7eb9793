package compat

import (
	"encoding/json"
	"strings"
)

type jsonKind byte

const (
	jsonObject jsonKind = '{'
	jsonArray  jsonKind = '['
	jsonString jsonKind = '"'
	jsonNumber jsonKind = '0'
	jsonBool   jsonKind = 't'
	jsonNull   jsonKind = 'n'
)

func (k jsonKind) String() string {
	switch k {
	case jsonObject:
		return "object"
	case jsonArray:
		return "list"
	case jsonString:
		return "text"
	case jsonNumber:
		return "number"
	case jsonBool:
		return "boolean"
	}
	return "null"
}

// jsonNode is a JSON value that remembers its place in the text it was read
// from, so that the untouched parts of a document can be compared byte for byte.
type jsonNode struct {
	kind jsonKind
	// start and end delimit the value, src is the whole document.
	src        string
	start, end int
	// names are the member names of an object, decoded, one for each item.
	names []string
	items []*jsonNode
}

func (n *jsonNode) raw() string { return n.src[n.start:n.end] }

// text is the decoded value of a string, and "" for any other value or nil.
func (n *jsonNode) text() string {
	if n == nil || n.kind != jsonString {
		return ""
	}
	return unquoteJSON(n.raw())
}

// member gives an object's member of that name, or nil. It may be called on nil
// and on other values, so that chains of look-ups need no checks.
func (n *jsonNode) member(name string) *jsonNode {
	if n == nil || n.kind != jsonObject {
		return nil
	}
	for i, have := range n.names {
		if have == name {
			return n.items[i]
		}
	}
	return nil
}

func (n *jsonNode) is(kind jsonKind) bool { return n != nil && n.kind == kind }

// walk calls visit with the node and everything below it, parents first.
func (n *jsonNode) walk(visit func(*jsonNode)) {
	if n == nil {
		return
	}
	visit(n)
	for _, item := range n.items {
		item.walk(visit)
	}
}

// around is what the document has before and after the value.
func (n *jsonNode) around() (before, after string) { return n.src[:n.start], n.src[n.end:] }

// writeItems writes an object or a list, its items by means of item; what stands
// between them stays. Other values are written as they are.
func (n *jsonNode) writeItems(b *strings.Builder, item func(i int, item *jsonNode)) {
	at := n.start
	for i, one := range n.items {
		b.WriteString(n.src[at:one.start])
		item(i, one)
		at = one.end
	}
	b.WriteString(n.src[at:n.end])
}

// with writes an object or a list with other texts for its items, and without
// those that are dropped; what stands between them stays.
func (n *jsonNode) with(texts []string, drop []bool) string {
	var b strings.Builder
	at, written := n.start, 0
	for i, item := range n.items {
		gap := n.src[at:item.start]
		at = item.end
		if drop != nil && drop[i] {
			continue
		}
		if written == 0 && i > 0 { // the first that is left has a comma before it
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

// step is the path of the i-th item of a node that is found at path.
func (n *jsonNode) step(path jsonPath, i int) jsonPath {
	step := pathStep{index: i, isIndex: true}
	if n.kind == jsonObject {
		step = pathStep{name: n.names[i]}
	}
	return append(path[:len(path):len(path)], step)
}

func scalarTexts(list *jsonNode) []string {
	if !list.is(jsonArray) {
		return nil
	}
	texts := make([]string, len(list.items))
	for i, item := range list.items {
		if texts[i] = item.raw(); item.kind == jsonString {
			texts[i] = item.text()
		}
	}
	return texts
}

func unquoteJSON(raw string) string {
	if len(raw) >= 2 && strings.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	var s string
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		return raw
	}
	return s
}
