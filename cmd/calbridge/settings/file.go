package settings

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// section holds the values of settings and of constants that a part of a file gives.
type section struct {
	name, where string
	address     given // of the site, in a sites file
	values      map[string]given
	defined     map[string]given
}

func newSection(name, where string) section {
	return section{name: name, where: where, values: map[string]given{}, defined: map[string]given{}}
}

// readFile reads lines of the form `name = value`; parseValue describes the values. Unknown
// names are an error, because they are usually misspelt. Settings of other commands, which are
// in all but not in own, are ignored. It returns the values of settings and of constants.
func readFile(file given, all, own table) (out, defined map[string]given, err error) {
	whole := newSection("", file.value)
	err = eachLine(file, func(line, where string) error {
		if line[0] == '[' {
			return settingError{where, errors.New("expected a line `name = value`; only the file of --sites has sections")}
		}
		return whole.read(line, where, all, own)
	})
	return whole.values, whole.defined, err
}

// readSections reads a file of sections, each of which begins with its name in brackets.
func readSections(file given, all, own table) (sections []section, err error) {
	err = eachLine(file, func(line, where string) error {
		if line[0] == '[' {
			name, closed := strings.CutSuffix(line[1:], "]")
			switch name = strings.TrimSpace(name); {
			case !closed || !siteName.MatchString(name):
				return settingError{where, fmt.Errorf("%s is not the name of a site: use letters, digits, dots, hyphens and underscores in brackets", line)}
			case slices.ContainsFunc(sections, func(s section) bool { return strings.EqualFold(s.name, name) }):
				return settingError{where, fmt.Errorf("there are two sites named %s", name)}
			}
			sections = append(sections, newSection(name, where))
			return nil
		}
		if len(sections) == 0 {
			return settingError{where, errors.New("expected a line [NAME], with which each site begins")}
		}
		return sections[len(sections)-1].read(line, where, all, own)
	})
	return sections, err
}

// eachLine passes on the lines of a file that are neither empty nor comments.
func eachLine(file given, read func(line, where string) error) error {
	data, err := os.ReadFile(file.value)
	if err != nil {
		return settingError{file.where, trimPathError(err)}
	}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		number++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if err := read(line, fmt.Sprintf("%s:%d", file.value, number)); err != nil {
			return err
		}
	}
	return nil
}

// addressName is the name of the line with the address of a site.
const addressName = "address"

// read reads one line.
func (s *section) read(line, where string, all, own table) error {
	name, value, ok := strings.Cut(line, "=")
	name = strings.TrimSpace(name)
	isAddress := name == addressName && s.name != ""
	switch {
	case !ok:
		return settingError{where, errors.New("expected a line `name = value`")}
	case name == "config":
		return settingError{where, errors.New("a configuration file cannot name another one")}
	case isAddress:
	case all.lookup(name) == nil:
		return settingError{where, fmt.Errorf("there is no setting %q; run `calbridge serve --help all` for all", name)}
	case own.lookup(name) == nil:
		return nil // a setting of other commands
	}
	if _, twice := s.values[name]; twice || isAddress && s.address.where != "" {
		return settingError{where, fmt.Errorf("%s is set twice", name)}
	}
	text, err := parseValue(value)
	if err != nil {
		return settingError{where, fmt.Errorf("%s: %w", name, err)}
	}
	switch {
	case isAddress:
		s.address = given{text, where}
		return nil
	case name != defineName:
		s.values[name] = given{text, where}
		return nil
	}
	row, text, err := all.parseDefine(text)
	if err != nil {
		return settingError{where, err}
	}
	if _, twice := s.defined[row.constant]; twice {
		return settingError{where, fmt.Errorf("%s is defined twice", row.constant)}
	}
	s.defined[row.constant] = given{text, where}
	return nil
}

// parseValue parses the text after the equals sign of a line. It ignores blanks around the
// value, and comments: a # at the start or after a blank, and everything after it. A value in
// single or double quotes is everything between them. There are no escapes, so a value with
// both kinds of quotes and with blanks or # needs the environment or a file of its own
// (CALBRIDGE_…_FILE).
func parseValue(text string) (string, error) {
	text = strings.TrimSpace(text)
	if text == "" || text[0] != '"' && text[0] != '\'' {
		for i := range text {
			if text[i] == '#' && (i == 0 || text[i-1] == ' ' || text[i-1] == '\t') {
				return strings.TrimSpace(text[:i]), nil
			}
		}
		return text, nil
	}
	value, rest, closed := strings.Cut(text[1:], text[:1])
	if !closed {
		return "", fmt.Errorf("the value begins with %s but does not end with it", text[:1])
	}
	if after := strings.TrimLeft(rest, " \t"); after != "" && (after[0] != '#' || after == rest) {
		return "", fmt.Errorf("only a comment may follow the quoted value: a blank, # and text")
	}
	return value, nil
}
