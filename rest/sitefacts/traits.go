package sitefacts

// Product is what a trait belongs to.
type Product struct {
	Name    string
	Version Name // the fact
	Finding string
}

// The products whose versions differ in their answers.
var (
	calendarProduct  = Product{"The Events Calendar", TEC, "calendar.version"}
	wordPressProduct = Product{"WordPress", WordPress, "wordpress.version"}
)

// Trait is a difference between versions of a product. A site has it from version Since on
// and before version Until; "" is no bound.
type Trait struct {
	Name         string
	Product      Product
	Since, Until string
	What         string // what answers are like on a site that has the trait
	// Reproduced: calbridge answers so as well. This is for the changes that
	// calbridge follows.
	Reproduced bool
}

// Traits is the table of all differences between versions that are known. A site of The
// Events Calendar 6.17.2 with WordPress 7.0 or 7.1 has none of them: that is what calbridge
// does by itself.
func Traits() []Trait {
	tec, wp := calendarProduct, wordPressProduct
	return []Trait{
		{Name: "unrecorded-newer-calendar", Product: tec, Since: "6.17.2.1", What: "newer than 6.17.2, the newest recorded"},
		{Name: "event-id-is-checked-first", Product: tec, Until: "6.17.2", What: "an unknown id of an event is refused with 400 rest_invalid_param"},
		{Name: "fallback-dates-in-utc", Product: tec, Until: "6.17.1", What: "JSON-LD of events without dates shows another time"},
		{Name: "terms-by-route-capability", Product: tec, Until: "6.15.19", What: "authors and contributors may change tags"},
		{Name: "posts-by-general-capability", Product: tec, Until: "6.15.16.1", What: "contributors may edit and delete events, venues and organizers of others, and Allow says so"},
		{Name: "date-block-is-a-heading", Product: tec, Until: "6.15.7", What: "the block for date and time is a heading"},
		{Name: "linked-posts-ignore-passwords", Product: tec, Until: "6.15.3", What: "protected venues and organizers are shown to everybody"},
		{Name: "no-custom-fields", Product: tec, Until: "6.10.1", What: "events have no custom_fields"},
		{Name: "lists-ignore-passwords", Product: tec, Until: "6.8.2.1", What: "lists show protected events in full"},
		{Name: "events-ignore-passwords", Product: tec, Until: "6.5.0.1", What: "protected events are shown to everybody"},
		{Name: "terms-of-two-post-types", Product: tec, Until: "6.3", What: "links of terms name two post types"},
		{Name: "one-venue", Product: tec, Until: "6.2.0", What: "venue is an object, not a list"},
		{Name: "spaces-in-date-block", Product: tec, Until: "6.3", What: "the block for date and time has other white space"},
		{Name: "json-ld-of-hidden-posts", Product: tec, Until: "6.3", What: "JSON-LD of venues and organizers that a visitor may not read is present"},
		{Name: "unrecorded-older-calendar", Product: tec, Until: "6.0.13", What: "older than 6.0.13, the oldest recorded"},

		{Name: "unrecorded-newer-wordpress", Product: wp, Since: "7.2", What: "newer than 7.1, the newest recorded"},
		{Name: "paragraphs-without-class", Product: wp, Until: "7.0", What: "paragraph blocks have no class wp-block-paragraph", Reproduced: true},
		{Name: "layout-hash-of-6.8", Product: wp, Since: "6.8", Until: "6.9", What: "classes of layouts hash other values", Reproduced: true},
		{Name: "smilies-end-at-line-breaks", Product: wp, Until: "6.8", What: "smilies after a lone < are converted"},
		{Name: "errors-may-be-stored", Product: wp, Until: "6.8", What: "Cache-Control of errors has no no-store"},
		{Name: "layouts-are-counted", Product: wp, Until: "6.8", What: "classes of layouts have running numbers"},
		{Name: "phpass-passwords", Product: wp, Until: "6.8", What: "passwords are hashed by phpass", Reproduced: true},
		{Name: "sizes-without-auto", Product: wp, Until: "6.7", What: "sizes of pictures don't begin with auto"},
		{Name: "terms-without-hints", Product: wp, Until: "6.7", What: "links of terms have no targetHints"},
		{Name: "containers-are-counted-together", Product: wp, Until: "6.6", What: "classes of containers have one sequence of numbers"},
		{Name: "unrecorded-older-wordpress", Product: wp, Until: "6.5", What: "older than 6.5, the oldest recorded"},
	}
}

// Traits returns the traits of a site.
func (d *Document) Traits() []Trait {
	var has []Trait
	for _, t := range Traits() {
		version := d.Text(t.Product.Version)
		if version != "" && (t.Since == "" || compareVersions(version, t.Since) >= 0) && (t.Until == "" || compareVersions(version, t.Until) < 0) {
			has = append(has, t)
		}
	}
	return has
}

// release is the first release of WordPress with an option db_version.
type release struct {
	dbVersion int64
	name      string
	// same are further releases with that db_version.
	same []string
}

// releases has the oldest first.
func releases() []release {
	return []release{{57155, "6.5", []string{"6.6"}}, {58975, "6.7", nil}, {60421, "6.8", nil}, {60717, "6.9", nil}, {61833, "7.0", []string{"7.1"}}}
}
