package wpconfig

import (
	"strings"

	"calbridge/wpstore/php"
)

// mode is whether PHP runs the current statement.
type mode byte

const (
	certain mode = iota // it runs
	maybe               // it can't be determined
	never               // it does not run
)

// result is the value of an expression.
type result struct {
	value php.Value
	why   string // why the value is unknown; "" if it is known
	// unset names an environment variable that is not set here. The value is then what PHP
	// computes for an unset variable. Since the web server's PHP may have another
	// environment, the value may be used to choose a default, but not as a setting.
	unset string
	line  int
}

func unknown(why string) result { return result{why: why} }

// unsettled returns why a result can't be used as a setting; "" if it can.
func (r result) unsettled() string {
	if r.why == "" && r.unset != "" {
		return "comes from the environment variable " + r.unset + ", which is not set here"
	}
	return r.why
}

// findings hold what the file has set so far.
type findings struct {
	mode  mode
	doubt string // why the mode is maybe

	values map[string]result // by name; names of variables include the $
	notes  []Note
}

// within calls do in a mode that is at least as doubtful as m.
func (f *findings) within(m mode, doubt string, do func()) {
	was, why := f.mode, f.doubt
	if m > f.mode {
		f.mode, f.doubt = m, doubt
	}
	do()
	f.mode, f.doubt = was, why
}

// note records that a line does something that is not followed.
func (f *findings) note(text string, line int) {
	if f.mode != never {
		f.notes = append(f.notes, Note{line, text})
	}
}

// set sets a variable or a constant.
func (f *findings) set(name string, r result, line int) {
	switch f.mode {
	case never:
		return
	case maybe:
		r = unknown(f.doubt)
	}
	r.line = line
	f.values[name] = r
}

// define implements define() and const. The first definition of a name counts.
func (f *findings) define(name, value result, line int) {
	constant, ok := name.value.(string)
	if !ok || name.why != "" {
		f.note("defines a constant whose name is computed", line)
		return
	}
	constant = strings.TrimPrefix(constant, `\`)
	if _, defined := f.values[constant]; !defined {
		f.set(constant, value, line)
	}
}

// configure implements Config::define of Bedrock, where the last value of a name counts.
func (f *findings) configure(name, value result, line int) {
	constant, ok := name.value.(string)
	if !ok || name.why != "" {
		f.note("defines a constant whose name is computed", line)
		return
	}
	f.set(constant, value, line)
}

// configured implements Config::get of Bedrock.
func (f *findings) configured(name result) result {
	constant, ok := name.value.(string)
	if r, found := f.values[constant]; ok && found && name.why == "" {
		return r
	}
	return unknown("comes from Config::get, for a name that is not defined in this file")
}

// defined reports whether a constant is defined so far. The result is in doubt for
// constants that an included file or a computed name may have defined, and for WordPress's
// own.
func (f *findings) defined(name result) result {
	constant, ok := name.value.(string)
	if !ok || name.why != "" {
		return unknown("asks for a constant whose name is computed")
	}
	constant = strings.TrimPrefix(constant, `\`)
	r, ok := f.values[constant]
	_, isFlag := flagValues()[constant]
	switch {
	case isFlag:
		return result{value: true}
	case ok && r.unsettled() == "":
		return result{value: true}
	case ok || len(f.notes) > 0 || constant == "ABSPATH" || constant == "WPINC":
		return unknown("depends on whether " + constant + " is defined, which only PHP can tell")
	}
	return result{value: false}
}
