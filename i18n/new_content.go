package i18n

import "cmp"

// NewPost returns the language that a post gets on creation. Under WPML that is the
// root's: the advertised parameter does not count. Under Polylang it is what the
// parameter lang selects, asked as by [Languages.PolylangTerms], unless a root
// chooses.
func (l *Languages) NewPost(c Choice, lang string, absent bool) string {
	switch l.Plugin {
	case WPML:
		return cmp.Or(c.Root, l.Default)
	case Polylang:
		return cmp.Or(c.Items(), l.PolylangTerms(lang, absent), l.Default)
	}
	return ""
}

// NewTerm returns the language that a category or tag gets on creation by itself. parent is
// the language of the term above it, "" for none: under Polylang it counts where the
// request names no language.
func (l *Languages) NewTerm(c Choice, lang string, absent bool, parent string) string {
	switch l.Plugin {
	case WPML:
		return cmp.Or(c.Items(), l.Default)
	case Polylang:
		return cmp.Or(c.Items(), l.PolylangTerms(lang, absent), parent, l.Default)
	}
	return ""
}

// Unlinked returns the language of the events that lose a venue or organizer which
// goes to the trash, "" for all.
func (l *Languages) Unlinked(c Choice) string {
	if l.Plugin == WPML {
		return cmp.Or(c.Root, l.Default)
	}
	return ""
}
