package phpserial

import (
	"fmt"
	"strings"

	"calbridge/wpstore/php"
)

func (p *parser) array() (php.Value, int, error) {
	a := &php.Array{}
	size, err := p.elements(func(key php.Value, v php.Value) {
		switch key := key.(type) {
		case int64:
			a.Set(php.IntKey(key), v)
		case string:
			a.SetString(key, v)
		}
	})
	return a, size, err
}

func (p *parser) object() (php.Value, int, error) {
	class, err := p.class()
	if err != nil {
		return nil, 0, err
	}
	o := &php.Object{Class: class, Props: &php.Array{}}
	size, err := p.elements(func(key php.Value, v php.Value) {
		o.Props.Set(php.Key{Str: php.ToString(key)}, v)
	})
	return o, size, err
}

// elements reads a count, and that many pairs of key and value in braces.
func (p *parser) elements(add func(key, v php.Value)) (size int, err error) {
	if p.depth++; p.depth > MaxDepth {
		return 0, fmt.Errorf("%w: nested deeper than %d", ErrTooLarge, MaxDepth)
	}
	n, err := p.count((len(p.s) - p.pos) / shortestElement)
	if err != nil {
		return 0, err
	}
	if err := p.expect("{"); err != nil {
		return 0, err
	}
	size = 1
	for range n {
		key, err := p.key()
		if err != nil {
			return 0, err
		}
		v, inner, err := p.value()
		if err != nil {
			return 0, err
		}
		add(key, v)
		size += inner
	}
	p.depth--
	return size, p.expect("}")
}

func (p *parser) key() (php.Value, error) {
	switch {
	case strings.HasPrefix(p.s[p.pos:], "i:"):
		p.pos += 2
		return p.integer()
	case strings.HasPrefix(p.s[p.pos:], "s:"):
		p.pos += 2
		return p.quoted(";")
	}
	return nil, p.fail("not an array key")
}

func (p *parser) class() (string, error) {
	start := p.pos
	class, err := p.quoted(":")
	if err == nil && !validClass(class) {
		p.pos = start
		err = p.fail("not a class name")
	}
	return class, err
}

func validClass(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x7f
		if !letter && (i == 0 || c != '\\' && (c < '0' || c > '9')) {
			return false
		}
	}
	return name != ""
}

// custom reads an object of a class that has its own format as raw text.
func (p *parser) custom(start int) (php.Value, error) {
	class, err := p.class()
	if err != nil {
		return nil, err
	}
	n, err := p.count(len(p.s) - p.pos)
	if err != nil {
		return nil, err
	}
	if err := p.expect("{"); err != nil {
		return nil, err
	}
	if n > len(p.s)-p.pos {
		return nil, p.fail("content beyond the end of the text")
	}
	p.pos += n
	if err := p.expect("}"); err != nil {
		return nil, err
	}
	return &php.Object{Class: class, Raw: p.s[start:p.pos]}, nil
}

func (p *parser) enum(start int) (php.Value, error) {
	name, err := p.quoted(";")
	if err != nil {
		return nil, err
	}
	class, value, found := strings.Cut(name, ":")
	if !found || !validClass(class) || value == "" {
		return nil, p.fail("not an enum case")
	}
	return &php.Object{Class: class, Raw: p.s[start:p.pos]}, nil
}

// reference reads r:N; or R:N;, where N counts from one. Only r itself counts as a numbered
// value.
func (p *parser) reference(kind byte) (php.Value, int, error) {
	start := p.pos
	p.pos += 2
	if p.s[start+1] != ':' {
		return nil, 0, p.fail(`expected ":"`)
	}
	text, err := p.until(';', longestNumber)
	if err != nil {
		return nil, 0, err
	}
	n := php.ToInt(text)
	if !allDigits(text) || n < 1 || n > int64(len(p.slots)) {
		p.pos = start
		return nil, 0, p.fail("reference to nothing")
	}
	target := p.slots[n-1]
	if target.size == 0 {
		p.pos = start
		return nil, 0, p.fail("reference to a value that contains it")
	}
	p.referenced += target.size
	if p.referenced > maxReferenced {
		return nil, 0, fmt.Errorf("%w: references stand for too many values", ErrTooLarge)
	}
	if a, ok := target.value.(*php.Array); ok {
		target.value = a.Clone()
	}
	if kind == 'r' {
		p.slots = append(p.slots, target)
	}
	return target.value, target.size, nil
}
