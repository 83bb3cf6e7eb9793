package wpconfig

import (
	"crypto/md5"
	"encoding/hex"
	"net/url"
	"os"
	"path/filepath"
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
	"object": func(v php.Value) php.Value { return v },
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
	"parse_url": func(v php.Value) php.Value {
		if parts, ok := parseURL(php.ToString(v)); ok {
			return parts
		}
		return false
	},
	"urldecode":    func(v php.Value) php.Value { return unescape(strings.ReplaceAll(php.ToString(v), "+", " ")) },
	"rawurldecode": func(v php.Value) php.Value { return unescape(php.ToString(v)) },
	"md5": func(v php.Value) php.Value {
		sum := md5.Sum([]byte(php.ToString(v)))
		return hex.EncodeToString(sum[:])
	},
}

// unescape decodes percent-encoded bytes. As in PHP, other percent signs stay.
func unescape(text string) string {
	return percentEncoded.ReplaceAllStringFunc(text, func(code string) string {
		decoded, _ := url.PathUnescape(code)
		return decoded
	})
}

var percentEncoded = regexp.MustCompile(`%[0-9a-fA-F]{2}`)

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
	case t.Is("__DIR__", "__FILE__") && p.path != "":
		if t.Is("__FILE__") {
			return result{value: p.path}
		}
		return result{value: filepath.Dir(p.path)}
	case p.peek().Is("::") && p.peekAt(1).Is("define", "get") && p.peekAt(2).Is("("):
		// A class that collects constants, such as Config::define.
		t = p.peekAt(1)
		t.Text = "Config::" + strings.ToLower(t.Text)
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
	if !converts && !t.Is("define", "defined", "getenv", "env", "getenv_docker", "isset", "empty", "eval", "Config::define", "Config::get", "substr", "dirname", "in_array") {
		return unknown("comes from the function " + t.Text + ", which is not run")
	}
	if function == "in_array" {
		return p.inArray(end)
	}
	var args []result
	for p.pos < end && len(args) < 4 {
		args = append(args, p.argument(end))
		p.accept(",")
	}
	if len(args) == 0 || len(args) > 3 || converts && len(args) > 1 || t.Is("define", "Config::define", "substr") && len(args) < 2 {
		return unknown("calls " + t.Text + " in a way that is not followed")
	}
	first := args[0]
	switch {
	case function == "define":
		p.define(first, args[1], t.Line)
		return result{value: true}
	case t.Is("Config::define"):
		p.configure(first, args[1], t.Line)
		return result{value: true}
	case t.Is("Config::get"):
		return p.configured(first)
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
	case function == "substr":
		return substr(first, args[1:])
	case function == "dirname":
		return dirname(first, args[1:])
	case function == "getenv":
		return p.getenv(variable, result{value: false, unset: variable})
	case function == "getenv_docker" && p.isSet(variable+"_FILE"):
		file, _ := p.environment(variable + "_FILE")
		data, err := os.ReadFile(file)
		if err != nil {
			return unknown("comes from the file that " + variable + "_FILE names, which cannot be read")
		}
		return result{value: strings.TrimRight(string(data), "\r\n")}
	case function == "env" && p.isSet(variable):
		return envValue.apply(p.getenv(variable, result{}))
	case len(args) > 1:
		return p.getenv(variable, args[1])
	}
	return p.getenv(variable, result{unset: variable})
}

func (p *parser) getenv(name string, otherwise result) result {
	if v, ok := p.environment(name); ok {
		return result{value: v}
	}
	return otherwise
}

func (p *parser) isSet(name string) bool {
	_, ok := p.environment(name)
	return ok
}

// envValue reads the text of a variable as env() of oscarotero/env does, with all its
// options: booleans, null, numbers, and texts without quotes around them.
var envValue conversion = func(v php.Value) php.Value {
	text, ok := v.(string)
	if !ok || text == "" {
		return v
	}
	switch strings.ToLower(text) {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	}
	if strings.Trim(text, "0123456789") == "" {
		return php.ToInt(text)
	}
	if n := len(text) - 1; n > 0 && (text[0] == '"' || text[0] == '\'') && text[n] == text[0] {
		return text[1:n]
	}
	return text
}

// substr implements PHP's substr for an offset from the start.
func substr(text result, args []result) result {
	from, ok := args[0].value.(int64)
	if !ok || args[0].why != "" || from < 0 || len(args) > 1 {
		return unknown(computed)
	}
	s := php.ToString(text.value)
	text.value = s[min(int(min(from, maxText)), len(s)):]
	return text
}

// dirname implements PHP's dirname for absolute paths.
func dirname(path result, args []result) result {
	levels := int64(1)
	if len(args) > 0 {
		n, ok := args[0].value.(int64)
		if !ok || args[0].why != "" || n < 1 || n > maxDepth {
			return unknown(computed)
		}
		levels = n
	}
	s := php.ToString(path.value)
	if !filepath.IsAbs(s) {
		return unknown(computed)
	}
	for range levels {
		s = filepath.Dir(s)
	}
	path.value = s
	return path
}

// inArray evaluates in_array for a list of literals; the cursor is behind the bracket.
func (p *parser) inArray(end int) result {
	needle := p.argument(end)
	text, ok := needle.value.(string)
	if !p.accept(",") || needle.why != "" || !ok || !p.peek().Is("[") {
		return unknown("calls in_array in a way that is not followed")
	}
	listEnd := p.enter()
	found := false
	for p.pos < listEnd {
		item := p.argument(listEnd)
		value, isText := item.value.(string)
		if item.why != "" || !isText || p.peek().Is("=>") {
			return unknown("calls in_array in a way that is not followed")
		}
		found = found || value == text
		p.accept(",")
	}
	return result{value: found, unset: needle.unset}
}
