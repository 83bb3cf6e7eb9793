package compat

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// maxDepth bounds the nesting of JSON that is looked at; PHP writes at most 512
// levels.
const maxDepth = 1024

// parseJSON reads one JSON document with the order of its members, duplicates
// included.
func parseJSON(src string) (*jsonNode, error) {
	p := jsonParser{src: src}
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

// unwrapJSONP splits "/**/name(JSON)" into what is before, the JSON and what is
// after. Other text comes back whole as the middle part.
func unwrapJSONP(body string) (before, middle, after string) {
	if strings.HasPrefix(body, "/**/") && strings.HasSuffix(body, ")") {
		if open := strings.IndexByte(body, '('); open > 0 {
			return body[:open+1], body[open+1 : len(body)-1], ")"
		}
	}
	return "", body, ""
}

type jsonParser struct {
	src string
	at  int
}

func (p *jsonParser) space() {
	for p.at < len(p.src) && strings.IndexByte(" \t\r\n", p.src[p.at]) >= 0 {
		p.at++
	}
}

func (p *jsonParser) value(depth int) (*jsonNode, error) {
	if depth > maxDepth {
		return nil, errors.New("nested too deeply")
	}
	if p.at >= len(p.src) {
		return nil, errors.New("the text ends where a value is expected")
	}
	node := &jsonNode{src: p.src, start: p.at}
	var err error
	switch c := p.src[p.at]; {
	case c == '{':
		node.kind, err = jsonObject, p.container(node, '}', depth)
	case c == '[':
		node.kind, err = jsonArray, p.container(node, ']', depth)
	case c == '"':
		node.kind, err = jsonString, p.quoted()
	case c == '-' || (c >= '0' && c <= '9'):
		node.kind, err = jsonNumber, p.number()
	default:
		node.kind, err = p.word()
	}
	node.end = p.at
	return node, err
}

func (p *jsonParser) container(node *jsonNode, closing byte, depth int) error {
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
			node.names = append(node.names, name)
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		node.items = append(node.items, item)
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

func (p *jsonParser) memberName() (string, error) {
	if p.at >= len(p.src) || p.src[p.at] != '"' {
		return "", errors.New("a member name is expected")
	}
	start := p.at
	if err := p.quoted(); err != nil {
		return "", err
	}
	name := unquoteJSON(p.src[start:p.at])
	p.space()
	if p.at >= len(p.src) || p.src[p.at] != ':' {
		return "", errors.New("a colon is expected")
	}
	p.at++
	p.space()
	return name, nil
}

func (p *jsonParser) quoted() error {
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

func (p *jsonParser) number() error {
	start := p.at
	for p.at < len(p.src) && strings.IndexByte("+-.0123456789eE", p.src[p.at]) >= 0 {
		p.at++
	}
	if !json.Valid([]byte(p.src[start:p.at])) {
		return fmt.Errorf("bad number %q", cut(p.src[start:p.at], 30))
	}
	return nil
}

func (p *jsonParser) word() (jsonKind, error) {
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(p.src[p.at:], word) {
			p.at += len(word)
			if word == "null" {
				return jsonNull, nil
			}
			return jsonBool, nil
		}
	}
	return jsonNull, errors.New("no JSON value")
}
