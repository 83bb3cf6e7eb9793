package wpcap

// assignCaps names, by taxonomy, the capability that giving its terms to a post takes.
var assignCaps = map[string]string{
	"tribe_events_cat": "edit_tribe_events",
	"post_tag":         "edit_posts",
	"category":         "edit_posts",
}

// AssignTerms says whether the user may give terms of the taxonomy to a post that
// they may edit. Nobody may do so with those of an unknown taxonomy.
func AssignTerms(u *User, taxonomy string) bool {
	needed, ok := assignCaps[taxonomy]
	return ok && u.Can(needed)
}
