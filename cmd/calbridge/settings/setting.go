package settings

import (
	"slices"
	"strconv"
	"strings"

	"calbridge/wpstore/wpconfig"
)

// Group is a heading of the help.
type Group string

// These are the groups.
const (
	GroupDatabase  Group = "Database"
	GroupSites     Group = "Several sites"
	GroupListening Group = "Listening"
	GroupInterface Group = "Interface"
	GroupSite      Group = "Site"
	GroupLogins    Group = "Logins"
	GroupCache     Group = "Cache"
	GroupRollout   Group = "Rollout"
	GroupLog       Group = "Log"
)

// setting is one row of the table.
type setting struct {
	name string // name of the flag and of the line in the configuration file
	// common marks settings that most sites need. The others are only in the complete help.
	common bool
	arg    string // placeholder of the value in the help; "" for booleans
	def    string
	group  Group
	// secret marks settings that can be read from the file named by CALBRIDGE_…_FILE and that
	// are never printed.
	secret bool
	// constant is the name in wp-config.php, or empty.
	constant string
	// defined marks constants that --define sets. They have no flag of their own; the one with
	// their name is the form of earlier releases.
	defined bool
	// retired names what replaces a setting of earlier releases that the next one won't have. It is
	// empty for all others.
	retired string
	// fromFile stores the setting's value from wp-config.php, where it is more than the text of
	// one constant. It is nil otherwise.
	fromFile func(*wpconfig.File) error
	// wordPressEnv is the environment variable from which a plugin reads the same setting, or
	// empty.
	wordPressEnv string
	help         string
	set          setter
	// restart defines which changes take effect only at the next start, not by a reload.
	restart restart
}

// restart describes the changes that a reload doesn't apply.
type restart int

const (
	never     restart = iota
	ifChanged         // any change needs a restart
	ifToggled         // a change from empty or 0 to something, or back, needs a restart
)

// needed reports whether a change from before to after needs a restart. ifToggled treats 0
// like an empty text.
func (r restart) needed(before, after string) bool {
	none := func(v string) bool {
		n, err := strconv.ParseFloat(v, 64)
		return v == "" || err == nil && n == 0
	}
	return r == ifChanged && before != after || r == ifToggled && none(before) != none(after)
}

func (s *setting) isBool() bool { return s.arg == "" }

// current reports whether the setting has a flag that is not only the form of earlier releases.
func (s *setting) current() bool { return !s.defined && s.retired == "" }

// title returns the name of the setting for people.
func (s *setting) title() string {
	if s.defined {
		return s.constant
	}
	return s.name
}

// form returns how to set the setting on a command line, or for keys and salts in the
// environment.
func (s *setting) form(value string) string {
	switch {
	case s.defined && s.secret:
		return s.envName()
	case s.defined:
		return "--define " + s.constant + "=" + value
	}
	return "--" + s.name
}

// advice returns how to set the setting in two ways.
func (s *setting) advice() string {
	if s.defined && !s.secret {
		return s.form("…")
	}
	if s.defined {
		return s.envName() + " or " + s.envName() + "_FILE"
	}
	return "--" + s.name + " or " + s.envName()
}

// envName returns the name of the environment variable of the setting.
func (s *setting) envName() string {
	return "CALBRIDGE_" + strings.ToUpper(strings.ReplaceAll(s.name, "-", "_"))
}

// table is a list of settings, in the order of the help.
type table []setting

// lookup returns the setting of that name, or nil.
func (t table) lookup(name string) *setting {
	i := slices.IndexFunc(t, func(s setting) bool { return s.name == name })
	if i < 0 {
		return nil
	}
	return &t[i]
}

// current returns the settings that have flags that are not only forms of earlier releases.
func (t table) current() table { return t.only((*setting).current) }

// Selection reports whether a command has a setting. Other settings keep their zero values.
type Selection func(*setting) bool

// Of returns a Selection of the settings in the given groups.
func Of(groups ...Group) Selection {
	return func(s *setting) bool { return slices.Contains(groups, s.group) }
}

// Any returns a Selection of the settings that at least one of selections selects.
func Any(selections ...Selection) Selection {
	return func(s *setting) bool {
		return slices.ContainsFunc(selections, func(selected Selection) bool { return selected(s) })
	}
}

// Named returns a Selection of the settings with the given names.
func Named(names ...string) Selection {
	return func(s *setting) bool { return slices.Contains(names, s.name) }
}

func (t table) only(selected Selection) table {
	return slices.DeleteFunc(slices.Clone(t), func(s setting) bool { return selected != nil && !selected(&s) })
}
