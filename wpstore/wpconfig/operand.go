package wpconfig

import (
	"cmp"
	"regexp"
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
		return p.literal(t)
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
func (p *parser) literal(t phptoken.Token) result {
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
	if t.Kind == phptoken.DoubleQuoted {
		return p.interpolated(t)
	}
	return unknown(withVariables)
}

const withVariables = "is a text with variables in it, a heredoc or a shell command"

// embedded matches a variable, or a member of one, in a text in double quotes.
var embedded = regexp.MustCompile(`\{\$([a-zA-Z_]\w*)(?:->([a-zA-Z_]\w*))?\}`)

// interpolated returns a text with variables in braces.
func (p *parser) interpolated(t phptoken.Token) result {
	joined := result{value: ""}
	at := 0
	for _, m := range embedded.FindAllStringSubmatchIndex(t.Text, -1) {
		before, ok := phptoken.Token{Kind: t.Kind, Text: t.Text[at:m[0]]}.Quoted()
		if !ok || strings.HasSuffix(t.Text[:m[0]], `\`) {
			return unknown(withVariables)
		}
		r, known := p.values["$"+t.Text[m[2]:m[3]]]
		if m[4] >= 0 && known {
			r = member(r, t.Text[m[4]:m[5]])
		}
		_, isArray := r.value.(*php.Array)
		if !known || r.why != "" || isArray {
			return unknown(withVariables)
		}
		joined = result{value: php.ToString(joined.value) + before + php.ToString(r.value), unset: cmp.Or(joined.unset, r.unset)}
		at = m[1]
	}
	after, ok := phptoken.Token{Kind: t.Kind, Text: t.Text[at:]}.Quoted()
	if !ok || at == 0 || len(php.ToString(joined.value))+len(after) > maxText {
		return unknown(withVariables)
	}
	joined.value = php.ToString(joined.value) + after
	return joined
}

// member returns a member of an object that was made from an array, nil if it lacks the name.
func member(r result, name string) result {
	parts, ok := r.value.(*php.Array)
	if !ok || r.why != "" {
		return unknown("comes from an object or a class")
	}
	r.value = parts.At(name)
	return r
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
		case p.peek().Is("->") && p.peekAt(1).Kind == phptoken.Word && !p.peekAt(2).Is("("):
			r = member(r, p.peekAt(1).Text)
			p.pos += 2
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
