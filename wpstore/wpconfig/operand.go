package wpconfig

import (
	"regexp"
	"strconv"
	"strings"

	"calbridge/wpstore/php"
)

// operand evaluates one operand with its prefixes and suffixes.
func (p *parser) operand() result {
	unary := len(levels) + 1
	switch t := p.peek(); {
	case t.kind == variable:
		p.pos++
		return p.variable(t)
	case t.kind == word:
		p.pos++
		return p.name(t)
	case t.kind != operator && t.kind != endOfFile:
		p.pos++
		return literal(t)
	case t.is("("):
		if convert, ok := casts[strings.ToLower(p.peekAt(1).text)]; ok && p.peekAt(2).is(")") {
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
	case t.is("["):
		p.skip()
	}
	return unknown("is written in a way that is not followed")
}

var (
	// undecoded finds variables, and escapes by number, in a text in double quotes.
	undecoded = regexp.MustCompile(`(?:^|[^\\])(?:\\\\)*(?:\$(?:\{|[A-Za-z_[:^ascii:]])|\{\$|\\[0-7xu])`)

	singleEscapes = strings.NewReplacer(`\\`, `\`, `\'`, `'`)
	doubleEscapes = strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t", `\v`, "\v", `\e`, "\x1b", `\f`, "\f",
		`\\`, `\`, `\$`, `$`, `\"`, `"`)
)

// literal is the value of a number or a text.
func literal(t token) result {
	switch t.kind {
	case number:
		// Base 0 reads 0x, 0b, 0o, a leading 0 and underscores as PHP does.
		if n, err := strconv.ParseInt(t.text, 0, 64); err == nil {
			return result{value: n}
		}
		return unknown("is a number other than a plain integer")
	case singleQuoted:
		return result{value: singleEscapes.Replace(t.text)}
	case doubleQuoted:
		if !undecoded.MatchString(t.text) {
			return result{value: doubleEscapes.Replace(t.text)}
		}
	}
	return unknown("is a text with variables in it, a heredoc or a shell command")
}

// argument evaluates an expression that ends before a comma or at the token end.
func (p *parser) argument(end int) result {
	r := p.expression(0)
	if p.pos < end && !p.peek().is(",") {
		for p.pos < end && !p.peek().is(",") {
			p.skip()
		}
		return unknown(computed)
	}
	return r
}

// suffixes gives up on elements, calls and members.
func (p *parser) suffixes(r result) result {
	for {
		switch {
		case p.peek().is("[", "("):
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
func (p *parser) variable(t token) result {
	if p.accept("=") {
		r := p.expression(level(assignment))
		p.set("$"+t.text, r, t.line)
		return r
	}
	if t.text == "_ENV" && p.peek().is("[") {
		end := p.enter()
		key := p.argument(end)
		p.leave(end)
		if name, ok := key.value.(string); ok && key.why == "" {
			return p.getenv(name, result{unset: name})
		}
		return unknown("comes from the environment under a computed name")
	}
	r, ok := p.values["$"+t.text]
	if !ok {
		r = unknown("uses $" + t.text + ", which is not set in this file")
	}
	r = p.suffixes(r)
	if p.peek().kind == compound || p.peek().is("=") { // .= or $a['b'] = …
		p.pos++
		p.expression(level(assignment))
		r = unknown("is changed step by step")
		p.set("$"+t.text, r, t.line)
	}
	return r
}
