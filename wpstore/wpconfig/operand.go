package wpconfig

import (
	"strings"

	"calbridge/wpstore/php"
)

// operand evaluates one operand with its prefixes and suffixes.
func (e *evaluator) operand() result {
	t := e.peek()
	switch t.kind {
	case literal:
		e.pos++
		return result{value: t.value}
	case template:
		e.pos++
		return unknown("is a text with variables in it")
	case variable:
		return e.variable()
	case word:
		return e.name()
	case endOfFile:
		return unknown("ends in the middle")
	}
	switch t.text {
	case "(":
		return e.parenthesis()
	case "[":
		return e.array("]")
	case "!":
		e.pos++
		r := e.expression(bindUnary)
		if r.why != "" {
			return r
		}
		return result{value: !php.ToBool(r.value)}
	case "-", "+":
		e.pos++
		r := e.expression(bindUnary)
		if n, ok := r.value.(int64); ok && r.why == "" {
			if t.text == "-" {
				n = -n
			}
			return result{value: n}
		}
		return unknown("is computed in a way that is not followed here")
	case "@", "&":
		e.pos++
		return e.expression(bindUnary)
	}
	return unknown("is written in a way that is not followed here")
}

// parenthesis is a cast or an expression in brackets.
func (e *evaluator) parenthesis() result {
	if e.peekAt(1).kind == word && e.peekAt(2).is(")") {
		if convert, ok := casts[strings.ToLower(e.peekAt(1).text)]; ok {
			e.pos += 3
			r := e.expression(bindUnary)
			if r.why == "" {
				r.value = convert(r.value)
			}
			return r
		}
	}
	end := e.enter()
	r := e.expression(0)
	if e.pos != end && r.why == "" {
		r = unknown("is written in a way that is not followed here")
	}
	e.leave(end)
	return e.suffixes(r)
}

var casts = map[string]func(php.Value) php.Value{
	"string": func(v php.Value) php.Value { return php.ToString(v) },
	"int":    func(v php.Value) php.Value { return php.ToInt(v) }, "integer": func(v php.Value) php.Value { return php.ToInt(v) },
	"bool": func(v php.Value) php.Value { return php.ToBool(v) }, "boolean": func(v php.Value) php.Value { return php.ToBool(v) },
}

// suffixes evaluates [key] and gives up on calls and members.
func (e *evaluator) suffixes(r result) result {
	for {
		t := e.peek()
		switch {
		case t.is("["):
			end := e.enter()
			key := e.expression(0)
			e.leave(end)
			r = element(r, key)
		case t.is("("):
			e.jump()
			r = unknown("comes from a function that is not run here")
		case t.is("->"), t.is("?->"), t.is("::"):
			e.pos++
			e.skipOne()
			r = unknown("comes from an object or a class")
		case t.is("++"), t.is("--"):
			e.pos++
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
func (e *evaluator) array(closing string) result {
	end := e.enter()
	out, why := &php.Array{}, ""
	for e.pos < end && why == "" {
		r := e.expression(0)
		if e.accept("=>") {
			key := r
			r = e.expression(0)
			if key.why != "" {
				r = key
			}
			out.SetString(php.ToString(key.value), r.value)
		} else {
			out.Append(r.value)
		}
		why = r.unknown()
		if !e.accept(",") && e.pos < end {
			why = "is a list written in a way that is not followed here"
		}
	}
	if why == "" && !e.tokens[end].is(closing) {
		why = "is a list without an end"
	}
	e.leave(end)
	if why != "" {
		return unknown(why)
	}
	return e.suffixes(result{value: out})
}

// variable evaluates a variable, or assigns to it.
func (e *evaluator) variable() result {
	t := e.peek()
	e.pos++
	switch op := e.peek(); {
	case op.is("="):
		e.pos++
		r := e.expression(4)
		e.found.assign(t, r)
		return r
	case op.is(".=") || op.is("+=") || op.is("-=") || op.is("*=") || op.is("/=") || op.is("??=") || op.is("|=") || op.is("&="):
		e.pos++
		e.expression(4)
		e.found.assign(t, unknown("is changed step by step"))
		return unknown("is changed step by step")
	}
	if t.text == "_ENV" && e.peek().is("[") {
		return e.environment()
	}
	r, known := e.found.variables[t.text]
	if !known {
		r = unknown("uses $" + t.text + ", which is not set in this file")
	}
	r = e.suffixes(r)
	if e.accept("=") { // $a['b'] = …
		e.expression(4)
		if known {
			e.found.assign(t, unknown("is changed step by step"))
		}
		return unknown("is changed step by step")
	}
	return r
}

// environment evaluates $_ENV['NAME'].
func (e *evaluator) environment() result {
	end := e.enter()
	key := e.expression(0)
	e.leave(end)
	name, ok := key.value.(string)
	if !ok || key.why != "" {
		return unknown("comes from the environment under a computed name")
	}
	return e.getenv(name, result{unset: name})
}
