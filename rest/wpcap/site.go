package wpcap

// Site holds the facts about a site that decisions depend on. The zero value is a
// single site without special pages.
type Site struct {
	Multisite bool

	PageOnFront   int64 // option page_on_front
	PageForPosts  int64 // option page_for_posts
	PrivacyPolicy int64 // option wp_page_for_privacy_policy

	// DisallowUnfilteredHTML is the constant DISALLOW_UNFILTERED_HTML.
	DisallowUnfilteredHTML bool

	// DefaultTerms lists per taxonomy the terms that must not be deleted: the
	// options "default_" and "default_term_" followed by the taxonomy.
	DefaultTerms map[string][]int64

	// PostTypes adds types of other plugins by name, or replaces built-in ones.
	PostTypes map[string]PostType
}

// PostType returns the type with the name; ok is false for one that the site has
// not registered as far as we know.
func (s Site) PostType(name string) (t PostType, ok bool) {
	if t, ok := s.PostTypes[name]; ok {
		return t, true
	}
	t, ok = builtInTypes[name]
	return t, ok
}

// IsSuperAdmin says whether WordPress calls the user a super admin: on multisite
// one listed as such, on a single site one who may delete users.
func (s Site) IsSuperAdmin(u *User) bool {
	if s.Multisite {
		return u != nil && u.SuperAdmin
	}
	return u.Can("delete_users")
}
