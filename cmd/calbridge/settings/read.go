package settings

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"strings"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/wpconfig"
)

// Command describes a command whose settings are read.
type Command struct {
	Name string
	Args []string
	Has  Selection // nil selects all settings
	// Flags adds flags that are not settings. It may be nil.
	Flags func(*flag.FlagSet)
	// Defaults replaces defaults of settings, by name.
	Defaults map[string]string
	// Actions is a text of the help about second words that the command takes. It may be "".
	Actions string
	// own and ownDefines are the values of one of several sites, which win over all other sources.
	own, ownDefines map[string]given
}

// Origin describes the sources of the settings.
type Origin struct {
	WPConfig *wpconfig.File // may be nil
	// Warnings lists constants that can't be read but may not be needed.
	Warnings []string
	Ignored  []Ignored
	// Former names settings that were given in a form of earlier releases, each with the new form.
	Former   []Former
	given    map[string]given  // the given values by setting, without defaults
	defaults map[string]string // those of the command that replace defaults of settings
	contents string            // of the files that one of several sites is opened with
}

// Of returns the source of a setting.
func (o *Origin) Of(name string) string {
	if g, ok := o.given[name]; ok {
		return g.where
	}
	return "the default"
}

// ByOwner reports whether a setting was given to calbridge itself rather than in
// wp-config.php.
func (o *Origin) ByOwner(name string) bool {
	g, ok := o.given[name]
	return ok && (o.WPConfig == nil || g.where != o.WPConfig.Path && !strings.HasPrefix(g.where, o.WPConfig.Path+":"))
}

// settingError reports an invalid value. where is its source.
type settingError struct {
	where string
	err   error
}

func (e settingError) Error() string { return e.where + ": " + e.err.Error() }
func (e settingError) Unwrap() error { return e.err }

// Read reads the settings of a command. The first of these sources wins: flags, environment,
// files named by the environment, configuration file, wp-config.php, defaults; what one of several
// sites has for itself comes before all of them. For --help it shows the help and returns flag.ErrHelp.
// Wrong flags are reported as a cmdline.UsageError, other faults as a cmdline.SettingError.
func Read(p *cmdline.Process, c Command) (*Settings, error) {
	s, err := read(p, c)
	if usage := (cmdline.UsageError{}); err == nil || errors.Is(err, flag.ErrHelp) || errors.As(err, &usage) {
		return s, err
	}
	return s, cmdline.SettingError{Err: err}
}

func read(p *cmdline.Process, c Command) (*Settings, error) {
	s := &Settings{Origin: Origin{given: map[string]given{}, defaults: c.Defaults}}
	all := s.table()
	if p.Environ != nil {
		s.Origin.Ignored = all.ignored(p.Environ())
	}
	r := &reader{getenv: p.Getenv, table: all.only(c.Has), flags: map[string]string{}, own: c.own}
	var defined cmdline.List
	flags := cmdline.NewFlags(c.Name)
	if c.Flags != nil {
		c.Flags(flags)
	}
	own := map[string]bool{}
	flags.VisitAll(func(f *flag.Flag) { own[f.Name] = true })
	for i := range r.table {
		if def, ok := c.Defaults[r.table[i].name]; ok {
			r.table[i].def = def
		}
		switch name := r.table[i].name; {
		case own[name]: // the command has a flag of its own instead of the constant's former one
		case name == defineName:
			flags.Var(&defined, name, r.table[i].help)
		default:
			flags.Var(&rawFlag{&r.table[i], r.flags}, name, r.table[i].help)
		}
	}
	if err := cmdline.Parse(flags, c.Args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			p.Show(help(r.table, flags, own, c.Actions), cmdline.HelpOfAll(flags))
		}
		return nil, err
	}
	if err := r.define(c.Name, all, defined); err != nil {
		return nil, err
	}
	r.defines.own = c.ownDefines
	file, err := r.find(r.table.lookup("config"))
	if err != nil {
		return nil, err
	}
	if file.value != "" {
		if r.file, r.defines.file, err = readFile(file, all, r.table); err != nil {
			return nil, err
		}
	}
	file, err = r.find(r.table.lookup("wp-config"))
	if err != nil {
		return nil, err
	}
	if file.value != "" {
		if r.wp, err = wpconfig.Read(file.value, p.Getenv); err != nil {
			return nil, settingError{file.where, trimPathError(err)}
		}
	}
	s.Origin.WPConfig = r.wp
	if err := r.apply(&s.Origin); err != nil {
		return s, err
	}
	s.shareUpstream()
	if s.Sites.Several() {
		s.Origin.contents = s.contents()
	}
	return s, nil
}

// shareUpstream makes --upstream the address of the companion plugin too. The path of the URL, the
// folder of WordPress, matters only to the plugin: forwarded requests have paths of their own.
func (s *Settings) shareUpstream() {
	up, plugin := &s.Rollout.Upstream, &s.Companion
	if plugin.Secret == "" || up.URL == "" {
		return
	}
	if plugin.URL == "" {
		plugin.URL, plugin.Host = up.URL, cmp.Or(plugin.Host, up.Host)
	}
	if u, err := url.Parse(up.URL); err == nil {
		u.Path, u.RawPath = "", ""
		up.URL = u.String()
	}
}

// given holds a value and its source. If there is no value, where is empty.
type given struct{ value, where string }

// reader finds the value of each setting.
type reader struct {
	getenv func(string) string
	table  table
	flags  map[string]string
	file   map[string]given
	own    map[string]given // see Command
	wp     *wpconfig.File
	// defines holds the constants that --define gives, by name.
	defines struct{ own, flags, env, file map[string]given }
}

// apply sets every setting to the value of the first source that has one.
func (r *reader) apply(o *Origin) error {
	for i := range r.table {
		s := &r.table[i]
		g, err := r.find(s)
		if err != nil {
			return err
		}
		if g.where == "" {
			g = r.defined(s.constant)
		} else if advice := r.former(s, g); advice != "" {
			o.Former = append(o.Former, Former{g.where, advice})
		}
		if g.where == "" && r.wp != nil && s.fromFile != nil {
			if err := s.fromFile(r.wp); err != nil {
				return fmt.Errorf("%w; set %s instead", err, s.advice())
			}
			o.given[s.name] = given{where: r.wp.Path}
			continue
		}
		if g.where == "" && r.wp != nil && s.constant != "" {
			var warning string
			if g, warning, err = r.constant(s); err != nil {
				return err
			}
			if warning != "" {
				o.Warnings = append(o.Warnings, warning)
			}
		}
		switch {
		case g.where != "":
			o.given[s.name] = g
		case s.def == "":
			continue
		default:
			g.value = s.def
		}
		if err := s.set.apply(g.value); err != nil {
			return settingError{g.where, err}
		}
	}
	return nil
}

// find returns a setting's value from flags, environment or configuration file. s may be nil.
func (r *reader) find(s *setting) (given, error) {
	if s == nil {
		return given{}, nil
	}
	if g, ok := r.defines.own[s.constant]; ok && s.defined {
		return g, nil
	}
	if g, ok := r.own[s.name]; ok {
		return g, nil
	}
	if g, ok := r.defines.flags[s.constant]; ok && s.defined {
		return g, nil
	}
	if v, ok := r.flags[s.name]; ok {
		return given{v, "--" + s.name}, nil
	}
	if g, ok := r.defines.env[s.constant]; ok && s.defined {
		return g, nil
	}
	env := s.envName()
	if v := r.getenv(env); v != "" {
		return given{v, env}, nil
	}
	if v := r.getenv(s.wordPressEnv); s.wordPressEnv != "" && v != "" {
		return given{phpBool(v), s.wordPressEnv}, nil
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
	if g, ok := r.defines.file[s.constant]; ok && s.defined {
		return g, nil
	}
	return r.file[s.name], nil
}

// constant reads a setting from wp-config.php. An unreadable constant is an error if the
// setting is required, otherwise a warning. Both name the flag and the environment variable to
// set instead.
func (r *reader) constant(s *setting) (g given, warning string, err error) {
	read, found := r.wp.Settings[s.constant]
	where := fmt.Sprintf("%s:%d", r.wp.Path, read.Line)
	if v, ok := r.wp.Text(s.constant); ok {
		if _, isBool := read.Value.(bool); isBool || s.isBool() { // PHP's rules apply to the conversion to bool
			v = phpBool(v)
		}
		return given{v, where}, "", nil
	}
	switch {
	case !found:
		return given{}, "", nil
	case s.name == "table-prefix":
		return given{}, "", fmt.Errorf("%s: %s %s; set %s instead", where, s.constant, read.Why, s.advice())
	}
	return given{}, fmt.Sprintf("%s: %s %s; set %s if the site depends on it", where, s.constant, read.Why, s.advice()), nil
}

func phpBool(v string) string {
	if v == "" || v == "0" {
		return "false"
	}
	return "true"
}

// trimPathError turns "open FILE: no such file" into "cannot read FILE: no such file".
func trimPathError(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) && errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("cannot read %s: %w; run calbridge as a user that may read it, such as a member of the file's group", path.Path, path.Err)
	}
	if errors.As(err, &path) {
		return fmt.Errorf("cannot read %s: %w", path.Path, path.Err)
	}
	return err
}

// rawFlag stores a setting's text until the other sources have been read.
type rawFlag struct {
	*setting
	values map[string]string
}

func (f *rawFlag) String() string { return "" }

func (f *rawFlag) Set(v string) error {
	f.values[f.name] = v
	return nil
}

// IsBoolFlag reports whether the flag may be given without a value.
func (f *rawFlag) IsBoolFlag() bool { return f.setting != nil && f.isBool() }
