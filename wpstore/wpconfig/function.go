package wpconfig

import (
	"crypto/md5"
	"encoding/hex"
	"strings"

	"calbridge/wpstore/php"
)

// name evaluates what starts with a word: a constant, a call, a language
// construct.
func (e *evaluator) name() result {
	t := e.peek()
	e.pos++
	lower := strings.ToLower(t.text)
	switch lower {
	case "true", "false":
		return result{value: lower == "true"}
	case "null":
		return result{}
	case "include", "include_once", "require", "require_once":
		return e.include(t)
	case "array":
		if e.peek().is("(") {
			return e.array(")")
		}
	case "function", "fn", "static", "new", "match", "print", "echo", "clone":
		for next := e.peek(); next.kind != endOfFile && !next.is(";") && !next.is(",") && !next.is(")") && !next.is("]") && !next.is("}"); next = e.peek() {
			e.skipOne()
		}
		return unknown("comes from code that is not run here")
	case "isset", "empty":
		return e.isset(lower)
	case "exit", "die":
		if e.peek().is("(") {
			e.jump()
		}
		return unknown("ends the program")
	}
	if e.peek().is("::") && e.peekAt(1).kind == word && strings.EqualFold(e.peekAt(1).text, "define") && e.peekAt(2).is("(") {
		e.pos += 2
		lower = "define" // a class that collects constants, such as Config::define
	}
	if e.peek().is("(") {
		return e.call(t, lower)
	}
	if e.peek().is("::") {
		return e.suffixes(unknown(""))
	}
	r, ok := e.found.constants[t.text]
	if !ok {
		r = unknown("uses " + t.text + ", which is not defined in this file")
	}
	return e.suffixes(r)
}

// include notes that another file is pulled in. WordPress's own wp-settings.php,
// with which every wp-config.php ends, sets nothing that matters here.
func (e *evaluator) include(t token) result {
	start := e.pos
	e.expression(4)
	for _, used := range e.tokens[start:e.pos] {
		if text, ok := used.value.(string); ok && strings.HasSuffix(text, "wp-settings.php") {
			return result{value: true}
		}
	}
	e.found.include(t.line)
	return unknown("comes from another file")
}

// arguments evaluates the arguments of a call, at most a handful; more reports
// whether there were more or strange ones.
func (e *evaluator) arguments() (args []result, more bool) {
	end := e.enter()
	for e.pos < end && len(args) < 4 {
		args = append(args, e.expression(0))
		if !e.accept(",") {
			break
		}
	}
	more = e.pos != end
	e.leave(end)
	return args, more
}

// call evaluates the few functions that such files use to set constants.
func (e *evaluator) call(t token, lower string) result {
	switch lower {
	case "define", "defined", "getenv", "env", "getenv_docker", "md5", "trim", "rtrim", "strtolower", "strval", "intval", "eval":
	default:
		e.jump()
		return e.suffixes(unknown("comes from the function " + t.text + ", which is not run here"))
	}
	args, more := e.arguments()
	if len(args) == 0 || more {
		return unknown("calls " + t.text + " in a way that is not followed here")
	}
	switch lower {
	case "define":
		if len(args) < 2 {
			return unknown("is a define without a value")
		}
		e.found.define(args[0], args[1], t.line)
		return result{value: true}
	case "defined":
		return e.found.defined(args[0])
	case "eval":
		e.found.include(t.line)
		return unknown("comes from text that is run as code")
	}
	if args[0].why != "" {
		return args[0]
	}
	text := php.ToString(args[0].value)
	switch lower {
	case "getenv":
		return e.getenv(text, result{value: false, unset: text})
	case "env", "getenv_docker":
		if file := e.options.Getenv(text + "_FILE"); file != "" && lower == "getenv_docker" {
			data, err := e.options.ReadFile(file)
			if err != nil {
				return unknown("comes from the file that " + text + "_FILE names, which cannot be read")
			}
			return result{value: strings.TrimRight(string(data), "\r\n")}
		}
		otherwise := result{unset: text}
		if len(args) > 1 {
			otherwise = args[1]
		}
		return e.getenv(text, otherwise)
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

func (e *evaluator) getenv(name string, otherwise result) result {
	if v := e.options.Getenv(name); v != "" {
		return result{value: v}
	}
	return otherwise
}

// isset evaluates isset() and empty() for the environment; for anything else the
// request decides.
func (e *evaluator) isset(which string) result {
	if !e.peek().is("(") {
		return unknown("is written in a way that is not followed here")
	}
	if e.peekAt(1).kind != variable || e.peekAt(1).text != "_ENV" {
		e.jump()
		return unknown("depends on what only PHP knows")
	}
	args, more := e.arguments()
	if len(args) != 1 || more || args[0].why != "" {
		return unknown("depends on what only PHP knows")
	}
	set := args[0].unset == ""
	if which == "empty" {
		set = !php.ToBool(args[0].value)
	}
	return result{value: set}
}
