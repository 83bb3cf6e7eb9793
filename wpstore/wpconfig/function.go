package wpconfig

import (
	"crypto/md5"
	"encoding/hex"
	"os"
	"regexp"
	"strings"

	"calbridge/wpstore/php"
	"calbridge/wpstore/phptoken"
)

// conversion is a PHP function of one value.
type conversion func(php.Value) php.Value

// apply converts a known value and keeps r.unset.
func (c conversion) apply(r result) result {
	if r.why == "" {
		r.value = c(r.value)
	}
	return r
}

var casts = map[string]conversion{
	"string": func(v php.Value) php.Value { return php.ToString(v) },
	"int":    func(v php.Value) php.Value { return php.ToInt(v) },
	"bool":   func(v php.Value) php.Value { return php.ToBool(v) },
}

var capitals = regexp.MustCompile(`[A-Z]+`)

var conversions = map[string]conversion{
	"strval":     casts["string"],
	"intval":     casts["int"],
	"trim":       func(v php.Value) php.Value { return php.Trim(php.ToString(v)) },
	"rtrim":      func(v php.Value) php.Value { return strings.TrimRight(php.ToString(v), " \t\n\r\x00\x0b") },
	"strtolower": func(v php.Value) php.Value { return capitals.ReplaceAllStringFunc(php.ToString(v), strings.ToLower) },
	"md5": func(v php.Value) php.Value {
		sum := md5.Sum([]byte(php.ToString(v)))
		return hex.EncodeToString(sum[:])
	},
}

// name evaluates an operand that starts with a word: a constant, a call, a language
// construct.
func (p *parser) name(t phptoken.Token) result {
	switch {
	case t.Is("true", "false"):
		return result{value: t.Is("true")}
	case t.Is("null"):
		return result{}
	case t.Is("include", "include_once", "require", "require_once"):
		return p.include(t)
	case t.Is("function", "fn", "static", "new", "match", "print", "echo", "clone"):
		p.skipTo(";", ",", ")", "]", "}")
		return unknown("comes from code that is not run")
	case p.peek().Is("::") && p.peekAt(1).Is("define") && p.peekAt(2).Is("("):
		// A class that collects constants, such as Config::define.
		t = p.peekAt(1)
		p.pos += 2
	}
	if p.peek().Is("(") {
		return p.suffixes(p.call(t))
	}
	r, ok := p.values[t.Text]
	if flag, isFlag := flagValues()[strings.TrimPrefix(t.Text, `\`)]; !ok && isFlag {
		r, ok = result{value: flag}, true
	}
	if !ok {
		r = unknown("uses " + t.Text + ", which is not defined in this file")
	}
	return p.suffixes(r)
}

// include records that another file is read. WordPress's own wp-settings.php, which every
// wp-config.php includes at its end, sets nothing that matters here.
func (p *parser) include(t phptoken.Token) result {
	start := p.pos
	p.expression(level(assignment))
	for _, used := range p.tokens[start:p.pos] {
		if strings.HasSuffix(used.Text, "wp-settings.php") {
			return result{value: true}
		}
	}
	p.note("reads another file, which is not followed", t.Line)
	return unknown("comes from another file")
}

// call evaluates the few functions that such files use to set constants.
func (p *parser) call(t phptoken.Token) result {
	end := p.enter()
	defer p.leave(end)
	function := strings.ToLower(t.Text)
	convert, converts := conversions[function]
	if !converts && !t.Is("define", "defined", "getenv", "env", "getenv_docker", "isset", "empty", "eval") {
		return unknown("comes from the function " + t.Text + ", which is not run")
	}
	var args []result
	for p.pos < end && len(args) < 4 {
		args = append(args, p.argument(end))
		p.accept(",")
	}
	if len(args) == 0 || len(args) > 3 || converts && len(args) > 1 || function == "define" && len(args) < 2 {
		return unknown("calls " + t.Text + " in a way that is not followed")
	}
	first := args[0]
	switch {
	case function == "define":
		p.define(first, args[1], t.Line)
		return result{value: true}
	case function == "defined":
		return p.defined(first)
	case function == "eval":
		p.note("runs text as code, which is not followed", t.Line)
		return unknown("comes from text that is run as code")
	case first.why != "":
		return first
	case function == "isset":
		return result{value: first.value != nil}
	case function == "empty":
		return result{value: !php.ToBool(first.value)}
	case converts:
		return convert.apply(first)
	}
	variable := php.ToString(first.value)
	switch {
	case function == "getenv":
		return p.getenv(variable, result{value: false, unset: variable})
	case function == "getenv_docker" && p.environment(variable+"_FILE") != "":
		data, err := os.ReadFile(p.environment(variable + "_FILE"))
		if err != nil {
			return unknown("comes from the file that " + variable + "_FILE names, which cannot be read")
		}
		return result{value: strings.TrimRight(string(data), "\r\n")}
	case len(args) > 1:
		return p.getenv(variable, args[1])
	}
	return p.getenv(variable, result{unset: variable})
}

func (p *parser) getenv(name string, otherwise result) result {
	if v := p.environment(name); v != "" {
		return result{value: v}
	}
	return otherwise
}
