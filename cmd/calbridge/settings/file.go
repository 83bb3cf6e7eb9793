package settings

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// readFile reads lines of the form `name = value`; parseValue describes the values. Unknown
// names are an error, because they are usually misspelt. Settings of other commands, which are
// in all but not in own, are ignored. It returns the values of settings and of constants.
func readFile(file given, all, own table) (out, defined map[string]given, err error) {
	data, err := os.ReadFile(file.value)
	if err != nil {
		return nil, nil, settingError{file.where, trimPathError(err)}
	}
	out, defined = map[string]given{}, map[string]given{}
	number := 0
	for line := range strings.Lines(strings.TrimPrefix(string(data), "\ufeff")) {
		number++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		where := fmt.Sprintf("%s:%d", file.value, number)
		name, value, ok := strings.Cut(line, "=")
		name = strings.TrimSpace(name)
		switch {
		case !ok:
			return nil, nil, settingError{where, errors.New("expected a line `name = value`")}
		case name == "config":
			return nil, nil, settingError{where, errors.New("a configuration file cannot name another one")}
		case all.lookup(name) == nil:
			return nil, nil, settingError{where, fmt.Errorf("there is no setting %q; run `calbridge serve --help all` for all", name)}
		case own.lookup(name) == nil:
			continue // a setting of other commands
		}
		if _, twice := out[name]; twice {
			return nil, nil, settingError{where, fmt.Errorf("%s is set twice", name)}
		}
		text, err := parseValue(value)
		if err != nil {
			return nil, nil, settingError{where, fmt.Errorf("%s: %w", name, err)}
		}
		if name != defineName {
			out[name] = given{text, where}
			continue
		}
		s, text, err := all.parseDefine(text)
		if err != nil {
			return nil, nil, settingError{where, err}
		}
		if _, twice := defined[s.constant]; twice {
			return nil, nil, settingError{where, fmt.Errorf("%s is defined twice", s.constant)}
		}
		defined[s.constant] = given{text, where}
	}
	return out, defined, nil
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
