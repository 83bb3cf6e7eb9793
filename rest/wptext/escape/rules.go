package escape

import "calbridge/rest/trait"

// Rules are what differs between releases of WordPress. The zero value is for 6.9 and later.
type Rules struct {
	// NumbersLast: numeric references are restored after named ones, so that an escaped
	// ampersand with "#38;" behind it becomes a reference.
	NumbersLast bool
	// PlainHosts: a bare host name always gets http://.
	PlainHosts bool
}

// RulesOf returns the rules of a site.
func RulesOf(traits trait.Set) Rules {
	old := traits.Has(trait.TextBefore69)
	return Rules{NumbersLast: old, PlainHosts: old}
}
