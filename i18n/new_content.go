package i18n

import "cmp"

// NewPost returns the language of a new post. Under WPML it is the root's; the advertised
// parameter does not count. Under Polylang the parameter lang selects it, by the rules of
// [Languages.PolylangTerms], unless a root selects it.
func (l *Languages) NewPost(c Choice, lang string, absent bool) string {
	switch l.Plugin {
	case WPML:
		return cmp.Or(c.Root, l.Default)
	case Polylang:
		return cmp.Or(c.Items(), l.PolylangTerms(lang, absent), l.Default)
	}
	return ""
}

// NewTerm returns the language of a category or tag that a request creates directly. parent
// is the language of the parent term, or "". Under Polylang it counts if the request names
// no language.
func (l *Languages) NewTerm(c Choice, lang string, absent bool, parent string) string {
	switch l.Plugin {
	case WPML:
		return cmp.Or(c.Items(), l.Default)
	case Polylang:
		return cmp.Or(c.Items(), l.PolylangTerms(lang, absent), parent, l.Default)
	}
	return ""
}

// Unlinked returns the language of the events that lose a venue or organizer moved to the
// trash, or "" for all.
func (l *Languages) Unlinked(c Choice) string {
	if l.Plugin == WPML {
		return cmp.Or(c.Root, l.Default)
	}
	return ""
}
