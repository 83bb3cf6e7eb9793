package wpcap

// PostType is a registered post type.
type PostType struct {
	Name   string
	Public bool
	Caps   PostCaps
}

// PostCaps names the capabilities of a post type. The first three are questions
// about one post and never held themselves; the others are primitive.
type PostCaps struct {
	EditOne, ReadOne, DeleteOne string

	Edit, EditOthers, EditPrivate, EditPublished         string
	Delete, DeleteOthers, DeletePrivate, DeletePublished string
	Publish, ReadPrivate, Read, Create                   string
}

// NewPostType returns a type whose capabilities are formed in the usual way:
// "edit_" and singular for one post, "edit_others_" and plural for primitives.
func NewPostType(name, singular, plural string, public bool) PostType {
	return PostType{Name: name, Public: public, Caps: PostCaps{
		EditOne:   "edit_" + singular,
		ReadOne:   "read_" + singular,
		DeleteOne: "delete_" + singular,

		Edit:            "edit_" + plural,
		EditOthers:      "edit_others_" + plural,
		EditPrivate:     "edit_private_" + plural,
		EditPublished:   "edit_published_" + plural,
		Delete:          "delete_" + plural,
		DeleteOthers:    "delete_others_" + plural,
		DeletePrivate:   "delete_private_" + plural,
		DeletePublished: "delete_published_" + plural,
		Publish:         "publish_" + plural,
		ReadPrivate:     "read_private_" + plural,
		Read:            "read",
		Create:          "edit_" + plural,
	}}
}

// Names of the types with rules of their own.
const (
	typeAttachment = "attachment"
	typeRevision   = "revision"
)

// builtInTypes is the table of post types: WordPress's own and those of The
// Events Calendar. Types that belong to the theme's design need
// edit_theme_options for everything.
var builtInTypes = postTypeTable(
	NewPostType("tribe_events", "tribe_event", "tribe_events", true),
	NewPostType("tribe_venue", "tribe_venue", "tribe_venues", false),
	NewPostType("tribe_organizer", "tribe_organizer", "tribe_organizers", false),
	NewPostType("tribe-ea-record", "aggregator-record", "aggregator-records", false),

	NewPostType("post", "post", "posts", true),
	NewPostType("page", "page", "pages", true),
	attachmentType(),
	NewPostType(typeRevision, "post", "posts", false),
	NewPostType("oembed_cache", "post", "posts", false),
	NewPostType("user_request", "post", "posts", false),
	NewPostType("wp_block", "block", "posts", false),

	designType("nav_menu_item"),
	designType("custom_css"),
	designType("customize_changeset"),
	designType("wp_template"),
	designType("wp_template_part"),
	designType("wp_global_styles"),
	designType("wp_navigation"),
	designType("wp_font_family"),
	designType("wp_font_face"),
)

func postTypeTable(types ...PostType) map[string]PostType {
	table := make(map[string]PostType, len(types))
	for _, t := range types {
		table[t.Name] = t
	}
	return table
}

func attachmentType() PostType {
	t := NewPostType(typeAttachment, "post", "posts", true)
	t.Caps.Create = "upload_files"
	return t
}

func designType(name string) PostType {
	const c = "edit_theme_options"
	return PostType{Name: name, Caps: PostCaps{
		EditOne: "edit_post", ReadOne: "read_post", DeleteOne: "delete_post",
		Edit: c, EditOthers: c, EditPrivate: c, EditPublished: c,
		Delete: c, DeleteOthers: c, DeletePrivate: c, DeletePublished: c,
		Publish: c, ReadPrivate: c, Read: c, Create: c,
	}}
}
