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
}

// UnfilteredHTML reports whether what the user writes is stored as it is. The markup of
// others is filtered; in a network everyone's but super admins'.
func UnfilteredHTML(u *User, s Site) bool {
	return !s.DisallowUnfilteredHTML && u.Can("unfiltered_html") && (!s.Multisite || u.SuperAdmin)
}
