package settings

import (
	"fmt"
	"slices"
	"strings"

	"calbridge/cmd/calbridge/cmdline"
)

// defineName is the name of the setting that defines constants.
const defineName = "define"

// Former is a setting that was given in a form of earlier releases.
type Former struct {
	Form   string // its source, such as a flag
	Advice string // the form that replaces it
}

// former returns the form that replaces the one in which g was given for s, or "".
func (r *reader) former(s *setting, g given) string {
	d := &r.defines
	switch {
	case s.retired != "":
		return s.retired
	case !s.defined, g == d.own[s.constant], g == d.flags[s.constant], g == d.env[s.constant], g == d.file[s.constant], g.where == s.wordPressEnv:
		return ""
	case !s.secret:
		return "use " + s.form("VALUE")
	case strings.HasPrefix(g.where, s.envName()): // keys and salts stay in the environment
		return ""
	}
	return "use the line define = " + s.constant + "=VALUE"
}

// parseDefine splits NAME=VALUE and returns the setting of the constant.
func (t table) parseDefine(text string) (*setting, string, error) {
	name, value, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok {
		return nil, "", fmt.Errorf("expected NAME=VALUE after %q", name)
	}
	var names []string
	for i, s := range t {
		if s.defined && s.constant == name {
			return &t[i], value, nil
		}
		if s.defined {
			names = append(names, s.constant)
		}
	}
	slices.Sort(names)
	hint := "use one of " + strings.Join(names, ", ")
	if near := cmdline.Nearest(name, names); near != "" {
		hint = "did you mean " + near + "?"
	}
	return nil, "", fmt.Errorf("%q is not a constant that can be defined; %s", name, hint)
}

// define reads the constants of the flags and the environment. The last value of each wins.
func (r *reader) define(command string, all table, flags []string) error {
	read := func(source string, texts []string) (map[string]given, error) {
		defined := map[string]given{}
		for _, text := range texts {
			s, value, err := all.parseDefine(text)
			switch {
			case err != nil:
				return nil, err
			case s.secret: // without its value
				return nil, fmt.Errorf("%s is a secret; set %s, or define it in the configuration file", s.constant, s.advice())
			}
			defined[s.constant] = given{value, source + " " + s.constant}
		}
		return defined, nil
	}
	for _, s := range r.table {
		if _, given := r.flags[s.name]; given && s.defined && s.secret {
			return cmdline.Usagef("%s: --%s: keys and salts are not taken from the command line, where every user of the machine can read them; set %s", command, s.name, s.advice())
		}
	}
	var err error
	if r.defines.flags, err = read("--"+defineName, flags); err != nil {
		return settingError{"--" + defineName, err}
	}
	define := all.lookup(defineName)
	if r.table.lookup(defineName) == nil {
		return nil
	}
	if r.defines.env, err = read(define.envName(), strings.Fields(r.getenv(define.envName()))); err != nil {
		return settingError{define.envName(), err}
	}
	return nil
}

// defined returns the value that --define gives a constant, if any.
func (r *reader) defined(constant string) given {
	for _, source := range []map[string]given{r.defines.flags, r.defines.env, r.defines.file} {
		if g, ok := source[constant]; ok {
			return g
		}
	}
	return given{}
}
