package wpconfig

import (
	"strings"

	"calbridge/wpstore/php"
)

// mode reports whether PHP runs the statement at hand.
type mode byte

const (
	certain mode = iota // it runs
	maybe               // reading cannot tell
	never               // it does not run
)

// result is the value of an expression.
type result struct {
	value php.Value
	why   string // why the value is unknown; "" when it isn't
	// unset names an environment variable that is not set here. The value is then what
	// PHP gets for it. As the web server's PHP may have another environment, that is good
	// enough to choose a default by, but not to be a setting.
	unset string
	line  int
}

func unknown(why string) result { return result{why: why} }

// unsettled says why a result is no setting; "" when it is one.
func (r result) unsettled() string {
	if r.why == "" && r.unset != "" {
		return "comes from the environment variable " + r.unset + ", which is not set here"
	}
	return r.why
}

// findings are what the file has set so far.
type findings struct {
	mode  mode
	doubt string // why the mode is maybe

	values map[string]result // by name; variables' names have their $
	notes  []Note
}

// within runs do in a mode that is at least as doubtful as m.
func (f *findings) within(m mode, doubt string, do func()) {
	was, why := f.mode, f.doubt
	if m > f.mode {
		f.mode, f.doubt = m, doubt
	}
	do()
	f.mode, f.doubt = was, why
}

// note notes what a line does that is not followed.
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

// define does what define() and const do. The first definition of a name counts.
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

// defined reports whether a constant is defined so far. Those that an included file or a
// computed name may have defined are in doubt, and so are WordPress's own.
func (f *findings) defined(name result) result {
	constant, ok := name.value.(string)
	if !ok || name.why != "" {
		return unknown("asks for a constant whose name is computed")
	}
	r, ok := f.values[strings.TrimPrefix(constant, `\`)]
	switch {
	case ok && r.unsettled() == "":
		return result{value: true}
	case ok || len(f.notes) > 0 || constant == "ABSPATH" || constant == "WPINC":
		return unknown("depends on whether " + constant + " is defined, which only PHP can tell")
	}
	return result{value: false}
}
