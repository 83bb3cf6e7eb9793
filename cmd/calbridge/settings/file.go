package settings

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// readFile reads lines `name = value`. Unknown names, which are usually misspelt, are an
// error; settings of other commands, which are in all but not in own, are ignored.
func readFile(file given, all, own table) (map[string]given, error) {
	data, err := os.ReadFile(file.value)
	if err != nil {
		return nil, settingError{file.where, trimPathError(err)}
	}
	out := map[string]given{}
	number := 0
	for line := range strings.Lines(string(data)) {
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
			return nil, settingError{where, errors.New("expected a line `name = value`")}
		case name == "config":
			return nil, settingError{where, errors.New("a configuration file cannot name another one")}
		case all.lookup(name) == nil:
			return nil, settingError{where, fmt.Errorf("there is no setting %q; run `calbridge serve --help` for all", name)}
		case own.lookup(name) == nil:
			continue // a setting of other commands
		}
		if _, twice := out[name]; twice {
			return nil, settingError{where, fmt.Errorf("%s is set twice", name)}
		}
		out[name] = given{strings.TrimSpace(value), where}
	}
	return out, nil
}
