package settings

import (
	"cmp"
	"net/url"
)

// Value is a setting in force, for people.
type Value struct {
	Group  Group
	Name   string
	Text   string // masked where it is a secret
	Source string
}

// mask stands for a secret.
const mask = "•••"

// List returns all settings in the order of the help, without secrets.
func (s *Settings) List() []Value {
	all := s.table()
	list := make([]Value, len(all))
	for i, row := range all {
		text := cmp.Or(s.Origin.given[row.name].value, row.def)
		switch u, err := url.Parse(text); {
		case row.secret && text != "":
			text = mask
		case err == nil && u.User != nil:
			u.User = url.User(mask)
			text = u.String()
		}
		list[i] = Value{Group: row.group, Name: row.name, Text: text, Source: s.Origin.Of(row.name)}
	}
	return list
}
