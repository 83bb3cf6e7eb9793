package wpcap

// postCaps names the primitive capabilities that a post type requires.
type postCaps struct {
	edit, editOthers, editPrivate, editPublished         string
	remove, removeOthers, removePrivate, removePublished string
	read, readPrivate                                    string
}

// usualCaps forms the capabilities in the usual way: "edit_", "edit_others_" and so
// on before the plural.
func usualCaps(plural string) postCaps {
	return postCaps{
		edit:            "edit_" + plural,
		editOthers:      "edit_others_" + plural,
		editPrivate:     "edit_private_" + plural,
		editPublished:   "edit_published_" + plural,
		remove:          "delete_" + plural,
		removeOthers:    "delete_others_" + plural,
		removePrivate:   "delete_private_" + plural,
		removePublished: "delete_published_" + plural,
		read:            "read",
		readPrivate:     "read_private_" + plural,
	}
}

// designCaps returns the capabilities of types that belong to the theme's design, which need
// edit_theme_options for everything.
func designCaps() postCaps {
	const c = "edit_theme_options"
	return postCaps{
		edit: c, editOthers: c, editPrivate: c, editPublished: c,
		remove: c, removeOthers: c, removePrivate: c, removePublished: c,
		read: c, readPrivate: c,
	}
}

// Names of the types with rules of their own.
const (
	typeAttachment = "attachment"
	typeRevision   = "revision"
)

// postTypes is the table of post types: WordPress's own and those of The Events
// Calendar.
var postTypes = map[string]postCaps{
	"tribe_events":    usualCaps("tribe_events"),
	"tribe_venue":     usualCaps("tribe_venues"),
	"tribe_organizer": usualCaps("tribe_organizers"),
	"tribe-ea-record": usualCaps("aggregator-records"),

	"post":         usualCaps("posts"),
	"page":         usualCaps("pages"),
	typeAttachment: usualCaps("posts"),
	typeRevision:   usualCaps("posts"),
	"oembed_cache": usualCaps("posts"),
	"user_request": usualCaps("posts"),
	"wp_block":     usualCaps("blocks"),

	"nav_menu_item":       designCaps(),
	"custom_css":          designCaps(),
	"customize_changeset": designCaps(),
	"wp_template":         designCaps(),
	"wp_template_part":    designCaps(),
	"wp_global_styles":    designCaps(),
	"wp_navigation":       designCaps(),
	"wp_font_family":      designCaps(),
	"wp_font_face":        designCaps(),
}
