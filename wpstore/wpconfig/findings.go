package wpconfig

import (
	"cmp"
	"slices"
	"strings"

	"calbridge/wpstore/php"
)

// mode says what the statement at hand is to PHP when it runs the file.
type mode byte

const (
	certain mode = iota // it runs
	maybe               // it runs or not: reading cannot tell
	never               // it does not run
)

// findings are what the file has set so far, and what the statement at hand may do to
// that.
type findings struct {
	mode  mode
	doubt string // why the mode is maybe

	constants, variables map[string]result
	lines                map[string]int
	nameless             []Unreadable
	includes             []int
}

// within runs do in a mode that is at least as doubtful as m.
func (f *findings) within(m mode, doubt string, do func()) {
	was, why := f.mode, f.doubt
	if m > f.mode {
		f.mode = m
		if m == maybe {
			f.doubt = doubt
		}
	}
	do()
	f.mode, f.doubt = was, why
}

// include notes that something pulls in code that is not seen.
func (f *findings) include(line int) {
	if f.mode != never {
		f.includes = append(f.includes, line)
	}
}

// assign sets a variable.
func (f *findings) assign(t token, r result) {
	switch f.mode {
	case never:
		return
	case maybe:
		r = unknown(f.doubt)
	}
	f.variables[t.text] = r
	f.lines["$"+t.text] = t.line
}

// define does what define() and const do. The first definition of a name counts.
func (f *findings) define(name, value result, line int) {
	if f.mode == never {
		return
	}
	constant, ok := name.value.(string)
	if !ok || name.why != "" {
		f.nameless = append(f.nameless, Unreadable{"", line, "defines a constant whose name is computed"})
		return
	}
	constant = strings.TrimPrefix(constant, `\`)
	if _, defined := f.constants[constant]; defined {
		return
	}
	if f.mode == maybe {
		value = unknown(f.doubt)
	}
	f.constants[constant] = value
	f.lines[constant] = line
}

// defined says whether a constant is defined so far. Those that an included file
// or a computed name may have defined are in doubt, and so are WordPress's own.
func (f *findings) defined(name result) result {
	constant, ok := name.value.(string)
	if !ok || name.why != "" {
		return unknown("asks for a constant whose name is computed")
	}
	r, ok := f.constants[strings.TrimPrefix(constant, `\`)]
	switch {
	case ok && r.unknown() == "":
		return result{value: true}
	case ok || len(f.includes) > 0 || len(f.nameless) > 0 || constant == "ABSPATH" || constant == "WPINC":
		return unknown("depends on whether " + constant + " is defined, which only PHP can tell")
	}
	return result{value: false}
}

// collect sorts what was found into what is known and what is not.
func (f *findings) collect() *File {
	out := &File{Constants: map[string]Setting{}, Variables: map[string]Setting{}, Includes: f.includes, Unreadable: f.nameless}
	sort := func(found map[string]result, sigil string, known map[string]Setting) {
		for name, r := range found {
			line := f.lines[sigil+name]
			if why := r.unknown(); why != "" {
				out.Unreadable = append(out.Unreadable, Unreadable{sigil + name, line, why})
				continue
			}
			known[name] = Setting{r.value, line}
		}
	}
	sort(f.constants, "", out.Constants)
	sort(f.variables, "$", out.Variables)
	slices.SortFunc(out.Unreadable, func(a, b Unreadable) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// result is what an expression comes to.
type result struct {
	value php.Value
	why   string // why the value is not known, "" when it is
	// unset names an environment variable that is not set here. The value is then
	// what PHP gets for it, but the web server's PHP may have another environment:
	// good enough to choose a default by, not to be a setting.
	unset string
}

// unknown says why a result is no setting, "" when it is one.
func (r result) unknown() string {
	if r.why == "" && r.unset != "" {
		return "comes from the environment variable " + r.unset + ", which is not set here"
	}
	return r.why
}

func unknown(why string) result { return result{why: why} }
