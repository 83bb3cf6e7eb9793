package rowtags

import (
	"slices"
	"strings"
)

// MetaPrefix precedes the key in the name of metadata of posts.
const MetaPrefix = "postmeta:"

// calendarKeys are the beginnings, in lower case, of the keys of metadata that responses may depend
// on by themselves.
var calendarKeys = [...]string{"_event", "_venue", "_organizer", "_ecp_", "_tribe", "_tec", "_thumbnail", "_wp", "_edit", "_icl", "_price", "_stock", "_manage_stock", "_ticket"}

// foreign reports whether no response of calbridge depends on metadata of a key: only plugins read it.
// The collation by which keys are found ignores case, trailing spaces and accents.
func (w WordPress) foreign(key string) bool {
	key = strings.ToLower(key)
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c == '-'
	}
	if strings.ContainsFunc(key, func(c rune) bool { return !plain(c) }) || slices.ContainsFunc(w.Tickets, func(name string) bool { return strings.EqualFold(name, key) }) {
		return false
	}
	return !slices.ContainsFunc(calendarKeys[:], func(start string) bool { return strings.HasPrefix(key, start) })
}

// noteMeta names the foreign metadata in a change of postmeta, and calls note unless all of it is
// Harmless.
func (w WordPress) noteMeta(note func(*Changes, []Row) bool) func(*Changes, []Row) bool {
	return func(c *Changes, change []Row) bool {
		harmless := len(change) > 0
		for _, row := range change {
			key, ok := row.Text(1)
			if !ok || !w.foreign(key) {
				harmless = false
				continue
			}
			name := MetaPrefix + key
			c.others.add(name)
			harmless = harmless && w.Harmless != nil && w.Harmless(name)
		}
		return harmless || note(c, change)
	}
}
