package wpconfig

import (
	"strings"

	"calbridge/wpstore/php"
)

// operand evaluates one operand with its prefixes and suffixes.
func (p *parser) operand() result {
	t := p.peek()
	switch t.kind {
	case literal:
		p.pos++
		return result{value: t.value}
	case template:
		p.pos++
		return unknown("is a text with variables in it")
	case variable:
		return p.variable()
	case word:
		return p.name()
	case endOfFile:
		return unknown("ends in the middle")
	}
	switch t.text {
	case "(":
		return p.parenthesis()
	case "[":
		return p.array("]")
	case "!":
		p.pos++
		r := p.expression(bindUnary)
		if r.why != "" {
			return r
		}
		return result{value: !php.ToBool(r.value)}
	case "-", "+":
		p.pos++
		r := p.expression(bindUnary)
		if n, ok := r.value.(int64); ok && r.why == "" {
			if t.text == "-" {
				n = -n
			}
			return result{value: n}
		}
		return unknown("is computed in a way that is not followed here")
	case "@", "&":
		p.pos++
		return p.expression(bindUnary)
	}
	return unknown("is written in a way that is not followed here")
}

// parenthesis is a cast or an expression in brackets.
func (p *parser) parenthesis() result {
	if p.peekAt(1).kind == word && p.peekAt(2).is(")") {
		if convert, ok := casts[strings.ToLower(p.peekAt(1).text)]; ok {
			p.pos += 3
			r := p.expression(bindUnary)
			if r.why == "" {
				r.value = convert(r.value)
			}
			return r
		}
	}
	end := p.match[p.pos]
	p.pos++
	r := p.expression(0)
	if p.pos != end && r.why == "" {
		r = unknown("is written in a way that is not followed here")
	}
	p.pos = min(end+1, len(p.tokens)-1)
	return p.suffixes(r)
}

var casts = map[string]func(php.Value) php.Value{
	"string": func(v php.Value) php.Value { return php.ToString(v) },
	"int":    func(v php.Value) php.Value { return php.ToInt(v) }, "integer": func(v php.Value) php.Value { return php.ToInt(v) },
	"bool": func(v php.Value) php.Value { return php.ToBool(v) }, "boolean": func(v php.Value) php.Value { return php.ToBool(v) },
}

// suffixes evaluates [key] and gives up on calls and members.
func (p *parser) suffixes(r result) result {
	for {
		t := p.peek()
		switch {
		case t.is("["):
			end := p.match[p.pos]
			p.pos++
			key := p.expression(0)
			p.pos = min(end+1, len(p.tokens)-1)
			r = element(r, key)
		case t.is("("):
			p.jump()
			r = unknown("comes from a function that is not run here")
		case t.is("->"), t.is("?->"), t.is("::"):
			p.pos++
			p.skipOne()
			r = unknown("comes from an object or a class")
		case t.is("++"), t.is("--"):
			p.pos++
			r = unknown("is computed in a way that is not followed here")
		default:
			return r
		}
	}
}

func element(list, key result) result {
	if list.why != "" {
		return list
	}
	if key.why != "" {
		return key
	}
	array, ok := list.value.(*php.Array)
	if !ok {
		return unknown("is an element of something that is no list")
	}
	if v, ok := array.Lookup(php.ToString(key.value)); ok {
		return result{value: v}
	}
	return result{value: nil}
}

// array reads the elements of [ … ] or array( … ).
func (p *parser) array(closing string) result {
	end := p.match[p.pos]
	p.pos++
	out, why := &php.Array{}, ""
	for p.pos < end && why == "" {
		r := p.expression(0)
		if p.accept("=>") {
			key := r
			if r = p.expression(0); key.why != "" {
				r = key
			}
			out.SetString(php.ToString(key.value), r.value)
		} else {
			out.Append(r.value)
		}
		why = r.unknown()
		if !p.accept(",") && p.pos < end {
			why = "is a list written in a way that is not followed here"
		}
	}
	if why == "" && !p.tokens[end].is(closing) {
		why = "is a list without an end"
	}
	p.pos = min(end+1, len(p.tokens)-1)
	if why != "" {
		return unknown(why)
	}
	return p.suffixes(result{value: out})
}

// variable evaluates a variable, or assigns to it.
func (p *parser) variable() result {
	t := p.peek()
	p.pos++
	switch op := p.peek(); {
	case op.is("="):
		p.pos++
		r := p.expression(4)
		p.assign(t, r)
		return r
	case op.is(".=") || op.is("+=") || op.is("-=") || op.is("*=") || op.is("/=") || op.is("??=") || op.is("|=") || op.is("&="):
		p.pos++
		p.expression(4)
		p.assign(t, unknown("is changed step by step"))
		return unknown("is changed step by step")
	}
	if t.text == "_ENV" && p.peek().is("[") {
		return p.environment()
	}
	r, known := p.variables[t.text]
	if !known {
		r = unknown("uses $" + t.text + ", which is not set in this file")
	}
	r = p.suffixes(r)
	if p.accept("=") { // $a['b'] = …
		p.expression(4)
		if known {
			p.assign(t, unknown("is changed step by step"))
		}
		return unknown("is changed step by step")
	}
	return r
}

// environment evaluates $_ENV['NAME'].
func (p *parser) environment() result {
	end := p.match[p.pos]
	p.pos++
	key := p.expression(0)
	p.pos = min(end+1, len(p.tokens)-1)
	name, ok := key.value.(string)
	if !ok || key.why != "" {
		return unknown("comes from the environment under a computed name")
	}
	if v := p.options.Getenv(name); v != "" {
		return result{value: v}
	}
	return result{unset: name}
}

func (p *parser) assign(t token, r result) {
	switch p.mode {
	case never:
		return
	case maybe:
		r = unknown(p.doubt)
	}
	p.variables[t.text] = r
	p.lines["$"+t.text] = t.line
}

// define does what define() and const do. The first definition of a name counts.
func (p *parser) define(name, value result, line int) {
	if p.mode == never {
		return
	}
	constant, ok := name.value.(string)
	if !ok || name.why != "" {
		p.nameless = append(p.nameless, Unreadable{"", line, "defines a constant whose name is computed"})
		return
	}
	constant = strings.TrimPrefix(constant, `\`)
	if _, defined := p.constants[constant]; defined {
		return
	}
	if p.mode == maybe {
		value = unknown(p.doubt)
	}
	p.constants[constant] = value
	p.lines[constant] = line
}
