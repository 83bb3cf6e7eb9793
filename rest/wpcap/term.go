package wpcap

// assignCaps is the capability needed to give a taxonomy's terms to a post.
var assignCaps = map[string]string{
	"tribe_events_cat": "edit_tribe_events",
	"post_tag":         "edit_posts",
	"category":         "edit_posts",
}

// AssignTerms reports whether the user may give terms of the taxonomy to a post that they
// may edit. It is false for an unknown taxonomy.
func AssignTerms(u *User, taxonomy string) bool {
	needed, ok := assignCaps[taxonomy]
	return ok && u.Can(needed)
}
