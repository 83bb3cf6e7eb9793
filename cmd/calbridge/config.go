package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"calbridge/wpstore/wpconfig"
)

// given is a value with where it came from.
type given struct{ value, where string }

// configuration is the outcome of reading all sources of settings.
type configuration struct {
	settings
	sources map[string]given // by setting, where it is not the default
	wp      *wpconfig.File   // nil without one
	// warnings are about what could not be read and was not needed at once.
	warnings []string
}

// settingError is a setting that cannot be used; where names the source.
type settingError struct {
	where string
	err   error
}

func (e settingError) Error() string { return e.where + ": " + e.err.Error() }
func (e settingError) Unwrap() error { return e.err }

// configure reads the settings of a command from flags, the environment, files
// named by the environment, the configuration file, wp-config.php and defaults, in
// this order. table says which settings the command has; extra adds flags that
// are no settings. Asked for help, it prints it and returns flag.ErrHelp.
func configure(p *program, name string, args []string, table []setting, extra func(*flag.FlagSet)) (*configuration, error) {
	fs := newFlags(name)
	if extra != nil {
		extra(fs)
	}
	own := map[string]bool{}
	fs.VisitAll(func(f *flag.Flag) { own[f.Name] = true })
	flags := map[string]string{}
	for i := range table {
		fs.Var(&rawFlag{&table[i], flags}, table[i].name, table[i].help)
	}
	if err := parseOnly(fs, args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			writeSettingsHelp(p.stdout, name, table, fs, own)
		}
		return nil, err
	}
	c := &configuration{sources: map[string]given{}}
	r := &reader{getenv: p.getenv, table: table, flags: flags}
	if file, err := r.find(lookup(table, "config")); err != nil {
		return nil, err
	} else if file.value != "" {
		if r.file, err = readConfigFile(file, table); err != nil {
			return nil, err
		}
	}
	if file, err := r.find(lookup(table, "wp-config")); err != nil {
		return nil, err
	} else if file.value != "" {
		if c.wp, err = wpconfig.Read(file.value, wpconfig.Options{Getenv: p.getenv}); err != nil {
			return nil, settingError{file.where, trimPathError(err)}
		}
		r.wp = c.wp
	}
	return c, r.apply(c)
}

func lookup(table []setting, name string) *setting {
	for i := range table {
		if table[i].name == name {
			return &table[i]
		}
	}
	return nil
}

// reader finds the value of each setting.
type reader struct {
	getenv func(string) string
	table  []setting
	flags  map[string]string
	file   map[string]given
	wp     *wpconfig.File
}

// apply sets every setting from its first source.
func (r *reader) apply(c *configuration) error {
	for i := range r.table {
		s := &r.table[i]
		g, err := r.find(s)
		if err != nil {
			return err
		}
		if g.where == "" && r.wp != nil && s.constant != "" {
			var warning string
			if g, warning, err = r.constant(s); err != nil {
				return err
			}
			if warning != "" {
				c.warnings = append(c.warnings, warning)
			}
		}
		if g.where == "" {
			if s.def == "" {
				continue
			}
			g.value = s.def
		} else {
			c.sources[s.name] = g
		}
		if err := s.set(&c.settings, g.value); err != nil {
			return settingError{g.where, err}
		}
	}
	return nil
}

// find looks for a setting in flags, environment and configuration file; where is
// "" when none of them has it.
func (r *reader) find(s *setting) (given, error) {
	if s == nil {
		return given{}, nil
	}
	if v, ok := r.flags[s.name]; ok {
		return given{v, "--" + s.name}, nil
	}
	env := envName(s.name)
	if v := r.getenv(env); v != "" {
		return given{v, env}, nil
	}
	if s.secret {
		if file := r.getenv(env + "_FILE"); file != "" {
			data, err := os.ReadFile(file)
			if err != nil {
				return given{}, settingError{env + "_FILE", trimPathError(err)}
			}
			return given{strings.TrimRight(string(data), "\r\n"), env + "_FILE"}, nil
		}
	}
	return r.file[s.name], nil
}

// envName is the environment variable of a setting.
func envName(name string) string {
	return "CALBRIDGE_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// constant reads a setting from wp-config.php. What cannot be read there is an
// error where nothing works without it, and a warning elsewhere.
func (r *reader) constant(s *setting) (g given, warning string, err error) {
	where := func(line int) string { return fmt.Sprintf("%s:%d", r.wp.Path, line) }
	switch s.name {
	case "dsn":
		dsn, err := r.wp.Database()
		if err != nil {
			return given{}, "", err
		}
		return given{dsn, r.wp.Path}, "", nil
	case "table-prefix":
		if v, ok := r.wp.Variable("table_prefix"); ok {
			return given{v, where(r.wp.Variables["table_prefix"].Line)}, "", nil
		}
	default:
		if v, ok := r.wp.Text(s.constant); ok {
			if _, isBool := r.wp.Constants[s.constant].Value.(bool); isBool || s.isBool() { // PHP's idea of true
				v = phpBool(v)
			}
			return given{v, where(r.wp.Constants[s.constant].Line)}, "", nil
		}
	}
	for _, u := range r.wp.Unreadable {
		if u.Name != s.constant {
			continue
		}
		if s.name == "table-prefix" {
			return given{}, "", fmt.Errorf("%s: %s %s; pass --%s instead", where(u.Line), u.Name, u.Why, s.name)
		}
		return given{}, fmt.Sprintf("%s: %s %s; set --%s if the site depends on it", where(u.Line), u.Name, u.Why, s.name), nil
	}
	return given{}, "", nil
}

func phpBool(v string) string {
	if v == "" || v == "0" {
		return "false"
	}
	return "true"
}

// readConfigFile reads lines `name = value`. Unknown names are an error: they are
// misspelt as a rule.
func readConfigFile(file given, table []setting) (map[string]given, error) {
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
		case lookup(settingTable(), name) == nil:
			return nil, settingError{where, fmt.Errorf("there is no setting %q; run `calbridge serve --help` for all", name)}
		case lookup(table, name) == nil:
			continue // a setting of other commands
		}
		if _, twice := out[name]; twice {
			return nil, settingError{where, fmt.Errorf("%s is set twice", name)}
		}
		out[name] = given{strings.TrimSpace(value), where}
	}
	return out, nil
}

// trimPathError turns "open FILE: no such file" into "FILE: no such file".
func trimPathError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return fmt.Errorf("cannot read %s: %w", path.Path, path.Err)
	}
	return err
}

// rawFlag keeps a setting's text until the other sources have been read.
type rawFlag struct {
	*setting
	values map[string]string
}

func (f *rawFlag) String() string { return "" }

func (f *rawFlag) Set(v string) error {
	f.values[f.name] = v
	return nil
}

// IsBoolFlag lets yes-or-no settings stand alone.
func (f *rawFlag) IsBoolFlag() bool { return f.setting != nil && f.isBool() }
