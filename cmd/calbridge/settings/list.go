package settings

import (
	"cmp"
	"net/url"
)

// Value is the current value of a setting, as it is shown to people.
type Value struct {
	Group  Group
	Name   string
	Text   string // masked if it is a secret
	Source string
	// Default reports that the value is the default, whatever its source is.
	Default bool
}

// RestartNeeded returns the names of the changed settings that need a restart to take effect,
// in the order of the help.
func RestartNeeded(before, after *Settings) (names []string) {
	for _, row := range before.table() {
		if row.restart.needed(before.value(&row), after.value(&row)) {
			names = append(names, row.title())
		}
	}
	return names
}

// Names returns the names of the settings that a reload applies, and of those for which some
// or all changes need a restart.
func Names() (reloaded, restarted []string) {
	for _, row := range new(Settings).table() {
		if row.restart == never {
			reloaded = append(reloaded, row.name)
		} else {
			restarted = append(restarted, row.name)
		}
	}
	return reloaded, restarted
}

// Constant is a constant that --define sets.
type Constant struct {
	Name   string
	Former string // the setting of earlier releases
	Env    string // the variable of a key or salt, "" for other constants
}

// Constants returns the constants that --define sets.
func Constants() []Constant {
	var list []Constant
	for _, row := range new(Settings).table() {
		if row.defined {
			c := Constant{Name: row.constant, Former: row.name}
			if row.secret {
				c.Env = row.envName()
			}
			list = append(list, c)
		}
	}
	return list
}

// Retired returns the names of the settings that the next release won't have.
func Retired() []string {
	var names []string
	for _, row := range new(Settings).table() {
		if row.retired != "" {
			names = append(names, row.name)
		}
	}
	return names
}

// Title returns the name under which List has a setting: that of its constant or its own.
func Title(name string) string { return new(Settings).table().lookup(name).title() }

// value returns the text of the setting's current value.
func (s *Settings) value(row *setting) string {
	return cmp.Or(s.Origin.given[row.name].value, s.defaultOf(row))
}

// defaultOf returns the setting's default for the command.
func (s *Settings) defaultOf(row *setting) string {
	return cmp.Or(s.Origin.defaults[row.name], row.def)
}

// mask replaces the value of a secret.
const mask = "•••"

// List returns all settings and constants in the order of the help, with secrets masked. Settings
// of earlier releases are in it if they are set.
func (s *Settings) List() []Value {
	var list []Value
	for _, row := range s.table() {
		if _, set := s.Origin.given[row.name]; row.name == defineName || row.retired != "" && !set {
			continue
		}
		text := s.value(&row)
		got, ok := s.Origin.given[row.name] // its value is "" where wp-config.php has more than a text
		isDefault := !ok || got.value != "" && got.value == s.defaultOf(&row)
		switch u, err := url.Parse(text); {
		case row.secret && s.Origin.given[row.name] != (given{}):
			text = mask
		case err == nil && u.User != nil:
			u.User = url.User(mask)
			text = u.String()
		}
		list = append(list, Value{Group: row.group, Name: row.title(), Text: text, Source: s.Origin.Of(row.name), Default: isDefault})
	}
	return list
}
