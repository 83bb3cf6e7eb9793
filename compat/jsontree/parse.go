package jsontree

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"calbridge/compat/excerpt"
)

// maxDepth bounds the nesting of JSON that is looked at; PHP writes at most 512
// levels.
const maxDepth = 1024

// Parse reads one JSON document with the order of its members, duplicates
// included.
func Parse(src string) (*Node, error) {
	p := parser{src: src}
	p.space()
	node, err := p.value(0)
	if err != nil {
		return nil, fmt.Errorf("at byte %d: %w", p.at, err)
	}
	p.space()
	if p.at != len(src) {
		return nil, fmt.Errorf("at byte %d: text after the JSON value", p.at)
	}
	return node, nil
}

// UnwrapJSONP splits "/**/name(JSON)" into what is before, the JSON and what is
// after. Other text comes back whole as the middle part.
func UnwrapJSONP(body string) (before, middle, after string) {
	if strings.HasPrefix(body, "/**/") && strings.HasSuffix(body, ")") {
		if open := strings.IndexByte(body, '('); open > 0 {
			return body[:open+1], body[open+1 : len(body)-1], ")"
		}
	}
	return "", body, ""
}

type parser struct {
	src string
	at  int
}

func (p *parser) space() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.at]) >= 0 {
		p.at++
	}
}

func (p *parser) value(depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, errors.New("nested too deeply")
	}
	if p.at >= len(p.src) {
		return nil, errors.New("the text ends where a value is expected")
	}
	node := &Node{src: p.src, start: p.at}
	var err error
	switch c := p.src[p.at]; {
	case c == '{':
		node.Kind, err = Object, p.container(node, '}', depth)
	case c == '[':
		node.Kind, err = Array, p.container(node, ']', depth)
	case c == '"':
		node.Kind, err = String, p.quoted()
	case c == '-' || (c >= '0' && c <= '9'):
		node.Kind, err = Number, p.number()
	default:
		node.Kind, err = p.word()
	}
	node.end = p.at
	return node, err
}

func (p *parser) container(node *Node, closing byte, depth int) error {
	p.at++
	p.space()
	if p.at < len(p.src) && p.src[p.at] == closing {
		p.at++
		return nil
	}
	for {
		if closing == '}' {
			name, err := p.memberName()
			if err != nil {
				return err
			}
			node.Names = append(node.Names, name)
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		node.Items = append(node.Items, item)
		p.space()
		if p.at >= len(p.src) {
			return errors.New("the text ends inside an object or a list")
		}
		c := p.src[p.at]
		switch c {
		case closing:
			p.at++
			return nil
		case ',':
			p.at++
			p.space()
		default:
			return fmt.Errorf("unexpected %q", c)
		}
	}
}

func (p *parser) memberName() (string, error) {
	if p.at >= len(p.src) || p.src[p.at] != '"' {
		return "", errors.New("a member name is expected")
	}
	start := p.at
	if err := p.quoted(); err != nil {
		return "", err
	}
	name := unquote(p.src[start:p.at])
	p.space()
	if p.at >= len(p.src) || p.src[p.at] != ':' {
		return "", errors.New("a colon is expected")
	}
	p.at++
	p.space()
	return name, nil
}

func (p *parser) quoted() error {
	start := p.at
	for p.at++; p.at < len(p.src); p.at++ {
		switch p.src[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			if !json.Valid([]byte(p.src[start:p.at])) {
				return errors.New("bad text")
			}
			return nil
		}
	}
	p.at = len(p.src)
	return errors.New("the text ends inside quotes")
}

func (p *parser) number() error {
	start := p.at
	for p.at < len(p.src) && strings.IndexByte("+-.0123456789eE", p.src[p.at]) >= 0 {
		p.at++
	}
	if !json.Valid([]byte(p.src[start:p.at])) {
		return fmt.Errorf("bad number %q", excerpt.Head(p.src[start:p.at], 30))
	}
	return nil
}

func (p *parser) word() (Kind, error) {
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(p.src[p.at:], word) {
			p.at += len(word)
			if word == "null" {
				return Null, nil
			}
			return Bool, nil
		}
	}
	return Null, errors.New("no JSON value")
}
