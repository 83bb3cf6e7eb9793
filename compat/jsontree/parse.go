package jsontree

import (
	"encoding/json"
	"errors"
	"strings"
)

// maxDepth bounds the nesting of documents; PHP writes at most 512 levels.
const maxDepth = 1024

// Parse parses one JSON document. It preserves the order of members and duplicates.
func Parse(src string) (*Node, error) {
	var valid json.RawMessage
	if err := json.Unmarshal([]byte(src), &valid); err != nil {
		return nil, err
	}
	p := parser{src: src}
	root := p.value(0)
	if p.tooDeep {
		return nil, errors.New("nested too deeply")
	}
	return root, nil
}

// UnwrapJSONP splits "/**/name(JSON)" into the part before the JSON, the JSON and the
// part after it. Any other text is returned whole as the middle part.
func UnwrapJSONP(body string) (before, middle, after string) {
	if strings.HasPrefix(body, "/**/") && strings.HasSuffix(body, ")") {
		if open := strings.IndexByte(body, '('); open > 0 {
			return body[:open+1], body[open+1 : len(body)-1], ")"
		}
	}
	return "", body, ""
}

// parser finds the values in a document that encoding/json accepted as valid.
type parser struct {
	src     string
	at      int
	tooDeep bool
}

// skip advances to the next byte that is not white space or a separator.
func (p *parser) skip() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n,:", p.src[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) value(depth int) *Node {
	p.skip()
	node := &Node{src: p.src, start: p.at, Kind: Kind(p.src[p.at])}
	p.at++
	switch node.Kind {
	case Object, Array:
		p.items(node, depth+1)
	case String:
		for ; p.src[p.at] != '"'; p.at++ {
			if p.src[p.at] == '\\' {
				p.at++
			}
		}
		p.at++
	default:
		for p.at < len(p.src) && strings.IndexByte(" \t\r\n,]}", p.src[p.at]) < 0 {
			p.at++
		}
	}
	switch c := p.src[node.start]; {
	case c == 'f':
		node.Kind = Bool
	case c == '-' || '0' <= c && c <= '9':
		node.Kind = Number
	}
	node.end = p.at
	return node
}

// items parses the items of an object or a list up to its closing bracket.
func (p *parser) items(node *Node, depth int) {
	p.tooDeep = p.tooDeep || depth > maxDepth
	for p.skip(); p.src[p.at] != '}' && p.src[p.at] != ']'; p.skip() {
		if node.Kind == Object {
			node.Names = append(node.Names, p.value(depth).Text())
		}
		node.Items = append(node.Items, p.value(depth))
	}
	p.at++
}
