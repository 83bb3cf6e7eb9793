package jsontree

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Step is one step into a JSON document: into an object by name or into a
// list by index.
type Step struct {
	Name    string
	index   int
	IsIndex bool
	any     bool // [*] or .*: every item
	// deep steps, written with two dots, match at any depth below.
	deep bool
}

// Path leads from the root to a value. As a pattern it may hold wildcards.
type Path []Step

// String writes the path as recordings do: $.events[0].title, with quotes around
// names that are not plain.
func (p Path) String() string {
	var b strings.Builder
	b.WriteByte('$')
	for _, step := range p {
		if step.deep {
			b.WriteByte('.')
			if step.IsIndex || (!step.any && !plainName(step.Name)) {
				b.WriteByte('.')
			}
		}
		switch {
		case step.any && step.IsIndex:
			b.WriteString("[*]")
		case step.any:
			b.WriteString(".*")
		case step.IsIndex:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(step.index))
			b.WriteByte(']')
		case plainName(step.Name):
			b.WriteByte('.')
			b.WriteString(step.Name)
		default:
			b.WriteByte('[')
			b.WriteString(strconv.Quote(step.Name))
			b.WriteByte(']')
		}
	}
	return b.String()
}

func plainName(name string) bool {
	return name != "" && name != "*" && !strings.ContainsAny(name, ".[]\"' \t\n")
}

// Matches reports whether the pattern p leads exactly to the path.
func (p Path) Matches(path Path) bool {
	if slices.ContainsFunc(p, func(step Step) bool { return step.deep }) {
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
func (p Path) matchesDeep(path Path) bool {
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
func (s Step) takes(have Step) bool {
	switch {
	case s.any && s.deep:
		return true
	case s.IsIndex != have.IsIndex:
		return false
	case s.any:
		return true
	case s.IsIndex:
		return s.index == have.index
	}
	return s.Name == have.Name
}

// EndsWith reports whether the path ends with these names.
func (p Path) EndsWith(names ...string) bool {
	if len(p) < len(names) {
		return false
	}
	for i, step := range p[len(p)-len(names):] {
		if step.IsIndex || step.Name != names[i] {
			return false
		}
	}
	return true
}

// ParsePath reads $.name[0]["quoted name"]['other'].* and [*], and $..name for
// a name at any depth.
func ParsePath(text string) (Path, error) {
	if !strings.HasPrefix(text, "$") {
		return nil, fmt.Errorf("path %q does not begin with $", text)
	}
	var path Path
	rest := text[1:]
	for rest != "" {
		var step Step
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

func dotStep(rest string) (Step, string, error) {
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	name := rest[:end]
	if name == "" {
		return Step{}, "", errors.New("a name is missing after the dot")
	}
	return Step{Name: name, any: name == "*"}, rest[end:], nil
}

func bracketStep(rest string) (Step, string, error) {
	if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		name, after, err := quotedName(rest)
		if err != nil {
			return Step{}, "", err
		}
		if !strings.HasPrefix(after, "]") {
			return Step{}, "", errors.New("a closing bracket is missing")
		}
		return Step{Name: name}, after[1:], nil
	}
	inside, after, found := strings.Cut(rest, "]")
	if !found {
		return Step{}, "", errors.New("a closing bracket is missing")
	}
	if inside == "*" || inside == "n" {
		return Step{IsIndex: true, any: true}, after, nil
	}
	index, err := strconv.Atoi(inside)
	if err != nil || index < 0 {
		return Step{}, "", fmt.Errorf("%q is no index", inside)
	}
	return Step{IsIndex: true, index: index}, after, nil
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
			i++
			if i < len(rest) {
				b.WriteByte(rest[i])
			}
		default:
			b.WriteByte(rest[i])
		}
	}
	return "", "", errors.New("the quotes are not closed")
}
