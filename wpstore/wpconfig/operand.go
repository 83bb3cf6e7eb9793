package wpconfig

import (
	"strconv"
	"strings"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phptoken"
)

// operand evaluates one operand with its prefixes and suffixes.
func (p *parser) operand() result {
	unary := len(levels) + 1
	switch t := p.peek(); {
	case t.Kind == phptoken.Variable:
		p.pos++
		return p.variable(t)
	case t.Kind == phptoken.Word:
		p.pos++
		return p.name(t)
	case t.Kind != phptoken.Operator && t.Kind != phptoken.EndOfFile:
		p.pos++
		return literal(t)
	case t.Is("("):
		if convert, ok := casts[strings.ToLower(p.peekAt(1).Text)]; ok && p.peekAt(2).Is(")") {
			p.pos += 3
			return convert.apply(p.expression(unary))
		}
		end := p.enter()
		r := p.argument(end)
		p.leave(end)
		return p.suffixes(r)
	case p.accept("!"):
		return conversion(func(v php.Value) php.Value { return !php.ToBool(v) }).apply(p.expression(unary))
	case p.accept("-"):
		r := p.expression(unary)
		if n, ok := r.value.(int64); ok && r.why == "" {
			return result{value: -n}
		}
		return unknown(computed)
	case p.accept("@"):
		return p.expression(unary)
	case t.Is("["):
		p.skip()
	}
	return unknown("is written in a way that is not followed")
}

// literal returns the value of a number or a text.
func literal(t phptoken.Token) result {
	if t.Kind == phptoken.Number {
		// Base 0 parses 0x, 0b, 0o, a leading 0 and underscores like PHP.
		if n, err := strconv.ParseInt(t.Text, 0, 64); err == nil {
			return result{value: n}
		}
		return unknown("is a number other than a plain integer")
	}
	if text, ok := t.Quoted(); ok {
		return result{value: text}
	}
	return unknown("is a text with variables in it, a heredoc or a shell command")
}

// argument evaluates an expression that ends before a comma or at the token end.
func (p *parser) argument(end int) result {
	r := p.expression(0)
	if p.pos < end && !p.peek().Is(",") {
		for p.pos < end && !p.peek().Is(",") {
			p.skip()
		}
		return unknown(computed)
	}
	return r
}

// suffixes skips elements, calls and members, and makes the result unknown.
func (p *parser) suffixes(r result) result {
	for {
		switch {
		case p.peek().Is("[", "("):
			p.skip()
			if r.why == "" {
				r = unknown("comes from a list or a function, which is not followed")
			}
		case p.accept("->", "?->", "::"):
			p.skip()
			r = unknown("comes from an object or a class")
		default:
			return r
		}
	}
}

// variable evaluates a variable, or assigns to it.
func (p *parser) variable(t phptoken.Token) result {
	if p.accept("=") {
		r := p.expression(level(assignment))
		p.set("$"+t.Text, r, t.Line)
		return r
	}
	if t.Text == "_ENV" && p.peek().Is("[") {
		end := p.enter()
		key := p.argument(end)
		p.leave(end)
		if name, ok := key.value.(string); ok && key.why == "" {
			return p.getenv(name, result{unset: name})
		}
		return unknown("comes from the environment under a computed name")
	}
	r, ok := p.values["$"+t.Text]
	if !ok {
		r = unknown("uses $" + t.Text + ", which is not set in this file")
	}
	r = p.suffixes(r)
	if p.peek().Kind == phptoken.Compound || p.peek().Is("=") { // .= or $a['b'] = …
		p.pos++
		p.expression(level(assignment))
		r = unknown("is changed step by step")
		p.set("$"+t.Text, r, t.Line)
	}
	return r
}
