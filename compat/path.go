package compat

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// pathStep is one step into a JSON document: into an object by name or into a
// list by index.
type pathStep struct {
	name    string
	index   int
	isIndex bool
	any     bool // [*] or .*: every item
	// deep steps, written with two dots, match at any depth below.
	deep bool
}

// jsonPath leads from the root to a value. As a pattern it may hold wildcards.
type jsonPath []pathStep

// String writes the path as recordings do: $.events[0].title, with quotes around
// names that are not plain.
func (p jsonPath) String() string {
	var b strings.Builder
	b.WriteByte('$')
	for _, step := range p {
		if step.deep {
			b.WriteByte('.')
			if step.isIndex || (!step.any && !plainName(step.name)) {
				b.WriteByte('.')
			}
		}
		switch {
		case step.any && step.isIndex:
			b.WriteString("[*]")
		case step.any:
			b.WriteString(".*")
		case step.isIndex:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(step.index))
			b.WriteByte(']')
		case plainName(step.name):
			b.WriteByte('.')
			b.WriteString(step.name)
		default:
			b.WriteByte('[')
			b.WriteString(strconv.Quote(step.name))
			b.WriteByte(']')
		}
	}
	return b.String()
}

func plainName(name string) bool {
	return name != "" && name != "*" && !strings.ContainsAny(name, ".[]\"' \t\n")
}

// matches reports whether the pattern p leads exactly to the path.
func (p jsonPath) matches(path jsonPath) bool {
	if slices.ContainsFunc(p, func(step pathStep) bool { return step.deep }) {
		return p.matchesDeep(path)
	}
	if len(p) != len(path) {
		return false
	}
	for i, step := range p {
		if !step.takes(path[i]) {
			return false
		}
	}
	return true
}

// matchesDeep keeps, step by step of the path, which beginnings of the pattern
// match so far.
func (p jsonPath) matchesDeep(path jsonPath) bool {
	reached := make([]bool, len(p)+1)
	reached[0] = true
	for _, have := range path {
		next := make([]bool, len(p)+1)
		for i, step := range p {
			if reached[i] && step.takes(have) {
				next[i+1] = true
			}
			if reached[i] && step.deep {
				next[i] = true
			}
		}
		reached = next
	}
	return reached[len(p)]
}

// takes reports whether a pattern's step stands for a path's step.
func (s pathStep) takes(have pathStep) bool {
	switch {
	case s.any && s.deep:
		return true
	case s.isIndex != have.isIndex:
		return false
	case s.any:
		return true
	case s.isIndex:
		return s.index == have.index
	}
	return s.name == have.name
}

// endsWith reports whether the path ends with these names.
func (p jsonPath) endsWith(names ...string) bool {
	if len(p) < len(names) {
		return false
	}
	for i, step := range p[len(p)-len(names):] {
		if step.isIndex || step.name != names[i] {
			return false
		}
	}
	return true
}

// parseJSONPath reads $.name[0]["quoted name"]['other'].* and [*], and $..name for
// a name at any depth.
func parseJSONPath(text string) (jsonPath, error) {
	if !strings.HasPrefix(text, "$") {
		return nil, fmt.Errorf("path %q does not begin with $", text)
	}
	var path jsonPath
	rest := text[1:]
	for rest != "" {
		var step pathStep
		var err error
		switch rest[0] {
		case '.':
			inner, deep := strings.CutPrefix(rest, "..")
			if !deep {
				inner = rest[1:]
			}
			if deep && strings.HasPrefix(inner, "[") {
				step, rest, err = bracketStep(inner[1:])
			} else {
				step, rest, err = dotStep(inner)
			}
			step.deep = deep
		case '[':
			step, rest, err = bracketStep(rest[1:])
		default:
			err = errors.New("a dot or a bracket is expected")
		}
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", text, err)
		}
		path = append(path, step)
	}
	return path, nil
}

func dotStep(rest string) (pathStep, string, error) {
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	name := rest[:end]
	if name == "" {
		return pathStep{}, "", errors.New("a name is missing after the dot")
	}
	return pathStep{name: name, any: name == "*"}, rest[end:], nil
}

func bracketStep(rest string) (pathStep, string, error) {
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		name, after, err := quotedName(rest)
		if err != nil {
			return pathStep{}, "", err
		}
		if !strings.HasPrefix(after, "]") {
			return pathStep{}, "", errors.New("a closing bracket is missing")
		}
		return pathStep{name: name}, after[1:], nil
	}
	inside, after, found := strings.Cut(rest, "]")
	if !found {
		return pathStep{}, "", errors.New("a closing bracket is missing")
	}
	if inside == "*" || inside == "n" {
		return pathStep{isIndex: true, any: true}, after, nil
	}
	index, err := strconv.Atoi(inside)
	if err != nil || index < 0 {
		return pathStep{}, "", fmt.Errorf("%q is no index", inside)
	}
	return pathStep{isIndex: true, index: index}, after, nil
}

// quotedName reads a name in either kind of quotes; a backslash takes the next
// character as it is.
func quotedName(rest string) (name, after string, err error) {
	quote := rest[0]
	var b strings.Builder
	for i := 1; i < len(rest); i++ {
		switch rest[i] {
		case quote:
			return b.String(), rest[i+1:], nil
		case '\\':
			if i++; i < len(rest) {
				b.WriteByte(rest[i])
			}
		default:
			b.WriteByte(rest[i])
		}
	}
	return "", "", errors.New("the quotes are not closed")
}
