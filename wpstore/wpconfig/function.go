package wpconfig

import (
	"crypto/md5"
	"encoding/hex"
	"strings"

	"calbridge/wpstore/php"
)

// name evaluates what starts with a word: a constant, a call, a language
// construct.
func (p *parser) name() result {
	t := p.peek()
	p.pos++
	lower := strings.ToLower(t.text)
	switch lower {
	case "true", "false":
		return result{value: lower == "true"}
	case "null":
		return result{}
	case "include", "include_once", "require", "require_once":
		return p.include(t)
	case "array":
		if p.peek().is("(") {
			return p.array(")")
		}
	case "function", "fn", "static", "new", "match", "print", "echo", "clone":
		for next := p.peek(); next.kind != endOfFile && !next.is(";") && !next.is(",") && !next.is(")") && !next.is("]") && !next.is("}"); next = p.peek() {
			p.skipOne()
		}
		return unknown("comes from code that is not run here")
	case "isset", "empty":
		return p.isset(lower)
	case "exit", "die":
		if p.peek().is("(") {
			p.jump()
		}
		return unknown("ends the program")
	}
	if p.peek().is("::") && p.peekAt(1).kind == word && strings.EqualFold(p.peekAt(1).text, "define") && p.peekAt(2).is("(") {
		p.pos += 2
		lower = "define" // a class that collects constants, such as Config::define
	}
	if p.peek().is("(") {
		return p.call(t, lower)
	}
	if p.peek().is("::") {
		return p.suffixes(unknown(""))
	}
	r, ok := p.constants[t.text]
	if !ok {
		r = unknown("uses " + t.text + ", which is not defined in this file")
	}
	return p.suffixes(r)
}

// include notes that another file is pulled in. WordPress's own wp-settings.php,
// with which every wp-config.php ends, sets nothing that matters here.
func (p *parser) include(t token) result {
	start := p.pos
	p.expression(4)
	for _, used := range p.tokens[start:p.pos] {
		if text, ok := used.value.(string); ok && strings.HasSuffix(text, "wp-settings.php") {
			return result{value: true}
		}
	}
	if p.mode != never {
		p.includes = append(p.includes, t.line)
	}
	return unknown("comes from another file")
}

// arguments evaluates the arguments of a call, at most a handful; more reports
// whether there were more or strange ones.
func (p *parser) arguments() (args []result, more bool) {
	end := p.match[p.pos]
	p.pos++
	for p.pos < end && len(args) < 4 {
		args = append(args, p.expression(0))
		if !p.accept(",") {
			break
		}
	}
	more = p.pos != end
	p.pos = min(end+1, len(p.tokens)-1)
	return args, more
}

// call evaluates the few functions that such files use to set constants.
func (p *parser) call(t token, lower string) result {
	switch lower {
	case "define", "defined", "getenv", "env", "getenv_docker", "md5", "trim", "rtrim", "strtolower", "strval", "intval", "eval":
	default:
		p.jump()
		return p.suffixes(unknown("comes from the function " + t.text + ", which is not run here"))
	}
	args, more := p.arguments()
	if len(args) == 0 || more {
		return unknown("calls " + t.text + " in a way that is not followed here")
	}
	switch lower {
	case "define":
		if len(args) < 2 {
			return unknown("is a define without a value")
		}
		p.define(args[0], args[1], t.line)
		return result{value: true}
	case "defined":
		return p.defined(args[0])
	case "eval":
		if p.mode != never {
			p.includes = append(p.includes, t.line)
		}
		return unknown("comes from text that is run as code")
	}
	if args[0].why != "" {
		return args[0]
	}
	text := php.ToString(args[0].value)
	switch lower {
	case "getenv":
		return p.getenv(text, result{value: false, unset: text})
	case "env":
		if len(args) > 1 {
			return p.getenv(text, args[1])
		}
		return p.getenv(text, result{unset: text})
	case "getenv_docker":
		if file := p.options.Getenv(text + "_FILE"); file != "" {
			data, err := p.options.ReadFile(file)
			if err != nil {
				return unknown("comes from the file that " + text + "_FILE names, which cannot be read")
			}
			return result{value: strings.TrimRight(string(data), "\r\n")}
		}
		if len(args) > 1 {
			return p.getenv(text, args[1])
		}
		return p.getenv(text, result{unset: text})
	}
	if len(args) > 1 {
		return unknown("calls " + t.text + " in a way that is not followed here")
	}
	r := args[0]
	switch lower {
	case "md5":
		sum := md5.Sum([]byte(text))
		r.value = hex.EncodeToString(sum[:])
	case "trim":
		r.value = php.Trim(text)
	case "rtrim":
		r.value = strings.TrimRight(text, " \t\n\r\x00\x0b")
	case "strtolower":
		r.value = strings.ToLower(text)
	case "strval":
		r.value = text
	case "intval":
		r.value = php.ToInt(args[0].value)
	}
	return r
}

func (p *parser) getenv(name string, otherwise result) result {
	if v := p.options.Getenv(name); v != "" {
		return result{value: v}
	}
	return otherwise
}

// defined says whether a constant is defined so far. Those that an included file
// or a computed name may have defined are in doubt, and so are WordPress's own.
func (p *parser) defined(name result) result {
	constant, ok := name.value.(string)
	if !ok || name.why != "" {
		return unknown("asks for a constant whose name is computed")
	}
	r, ok := p.constants[strings.TrimPrefix(constant, `\`)]
	switch {
	case ok && r.unknown() == "":
		return result{value: true}
	case ok || len(p.includes) > 0 || len(p.nameless) > 0 || constant == "ABSPATH" || constant == "WPINC":
		return unknown("depends on whether " + constant + " is defined, which only PHP can tell")
	}
	return result{value: false}
}

// isset evaluates isset() and empty() for the environment; for anything else the
// request decides.
func (p *parser) isset(which string) result {
	if !p.peek().is("(") {
		return unknown("is written in a way that is not followed here")
	}
	if p.peekAt(1).kind != variable || p.peekAt(1).text != "_ENV" {
		p.jump()
		return unknown("depends on what only PHP knows")
	}
	args, more := p.arguments()
	if len(args) != 1 || more || args[0].why != "" {
		return unknown("depends on what only PHP knows")
	}
	set := args[0].unset == ""
	if which == "empty" {
		set = !php.ToBool(args[0].value)
	}
	return result{value: set}
}
