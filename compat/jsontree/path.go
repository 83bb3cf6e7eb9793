package jsontree

import (
	"fmt"
	"regexp"
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

// Path leads from the root to a value. A pattern may contain wildcards.
type Path []Step

// String returns the path in the form that recordings use: $.events[0].title, with
// quotes around names that are not plain.
func (p Path) String() string {
	var b strings.Builder
	b.WriteByte('$')
	for _, step := range p {
		b.WriteString(step.text())
	}
	return b.String()
}

func (s Step) text() string {
	text := ""
	switch {
	case s.any && s.IsIndex:
		text = "[*]"
	case s.IsIndex:
		text = fmt.Sprintf("[%d]", s.index)
	case s.any || plainName(s.Name):
		text = "." + s.Name
	default:
		text = fmt.Sprintf("[%q]", s.Name)
	}
	switch {
	case s.deep && text[0] == '[':
		return ".." + text
	case s.deep:
		return "." + text
	}
	return text
}

func plainName(name string) bool {
	return name != "" && name != "*" && !strings.ContainsAny(name, ".[]\"' \t\n")
}

// Matches reports whether the pattern p matches the path exactly.
func (p Path) Matches(path Path) bool {
	if len(p) == 0 || len(path) == 0 {
		return len(p) == len(path)
	}
	return p[0].matches(path[0]) && p[1:].Matches(path[1:]) || p[0].deep && p.Matches(path[1:])
}

// matches reports whether a pattern's step matches a path's step.
func (s Step) matches(have Step) bool {
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

// The groups of stepPattern: dots and a name, or dots and the content of brackets, which
// is a wildcard, an index or a name in either kind of quotes.
const (
	dots = iota + 1
	name
	bracketDots
	wildcard
	index
	doubleQuoted
	singleQuoted
)

var (
	stepPattern = regexp.MustCompile(`(?s)^(?:(\.\.?)([^.\[]+)|(\.\.)?\[(?:([*n])|(\d+)|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\])`)
	escaped     = regexp.MustCompile(`(?s)\\(.)`)
)

// ParsePath parses $.name[0]["quoted name"]['other'].* and [*], and $..name for a name
// at any depth. In quotes a backslash escapes the next character.
func ParsePath(text string) (Path, error) {
	rest, found := strings.CutPrefix(text, "$")
	if !found {
		return nil, fmt.Errorf("path %q does not begin with $", text)
	}
	var path Path
	for rest != "" {
		part := stepPattern.FindStringSubmatch(rest)
		if part == nil {
			return nil, fmt.Errorf("path %q: %q begins with neither .name nor [index] nor [\"name\"]", text, rest)
		}
		step := Step{Name: part[name], any: part[name] == "*", deep: part[dots]+part[bracketDots] == ".."}
		switch {
		case part[wildcard] != "":
			step.IsIndex, step.any = true, true
		case part[index] != "":
			var err error
			if step.index, err = strconv.Atoi(part[index]); err != nil {
				return nil, fmt.Errorf("path %q: %w", text, err)
			}
			step.IsIndex = true
		case part[name] == "":
			step.Name = escaped.ReplaceAllString(part[doubleQuoted]+part[singleQuoted], "$1")
		}
		path = append(path, step)
		rest = rest[len(part[0]):]
	}
	return path, nil
}
