package trait

// Product is what a trait belongs to.
type Product string

// The products whose versions differ in their answers.
const (
	Calendar      Product = "The Events Calendar"
	WordPressCore Product = "WordPress"
)

// Name names a trait.
type Name string

// The traits of the table.
const (
	UnrecordedNewerCalendar      Name = "unrecorded-newer-calendar"
	EventIDIsCheckedFirst        Name = "event-id-is-checked-first"
	FallbackDatesInUTC           Name = "fallback-dates-in-utc"
	TermsByRouteCapability       Name = "terms-by-route-capability"
	PostsByGeneralCapability     Name = "posts-by-general-capability"
	DateBlockIsAHeading          Name = "date-block-is-a-heading"
	LinkedPostsIgnorePasswords   Name = "linked-posts-ignore-passwords"
	NoCustomFields               Name = "no-custom-fields"
	ListsIgnorePasswords         Name = "lists-ignore-passwords"
	EventsIgnorePasswords        Name = "events-ignore-passwords"
	TermsOfTwoPostTypes          Name = "terms-of-two-post-types"
	OneVenue                     Name = "one-venue"
	SpacesInDateBlock            Name = "spaces-in-date-block"
	JSONLDOfHiddenPosts          Name = "json-ld-of-hidden-posts"
	UnrecordedOlderCalendar      Name = "unrecorded-older-calendar"
	UnrecordedNewerWordPress     Name = "unrecorded-newer-wordpress"
	ElementClassesAreCounted     Name = "element-classes-are-counted"
	ParagraphsWithoutClass       Name = "paragraphs-without-class"
	TwoSpacesInSocialLinks       Name = "two-spaces-in-social-links"
	LayoutHashWithoutTheme       Name = "layout-hash-without-theme"
	HiddenBlocksShow             Name = "hidden-blocks-show"
	PlayersCarryAScript          Name = "players-carry-a-script"
	SmiliesEndAtLineBreaks       Name = "smilies-end-at-line-breaks"
	ErrorsMayBeStored            Name = "errors-may-be-stored"
	LayoutsAreCounted            Name = "layouts-are-counted"
	PhpassPasswords              Name = "phpass-passwords"
	SizesWithoutAuto             Name = "sizes-without-auto"
	TermsWithoutHints            Name = "terms-without-hints"
	ContainersAreCountedTogether Name = "containers-are-counted-together"
	CookiesHidePasswords         Name = "cookies-hide-passwords"
	UnrecordedOlderWordPress     Name = "unrecorded-older-wordpress"
)

// Trait is a difference between versions of a product. A site has it from version Since on
// and before version Until; "" is no bound.
type Trait struct {
	Name         Name
	Product      Product
	Since, Until string
	What         string // what answers are like on a site that has the trait
	// Reproduced: calbridge answers so as well. This is for the changes that
	// calbridge follows.
	Reproduced bool
}

// All is the table of all differences between versions that are known. A site of The
// Events Calendar 6.17.2 with WordPress 7.0 has none of them: that is what calbridge
// does by itself.
func All() []Trait {
	const tec, wp = Calendar, WordPressCore
	return []Trait{
		{Name: UnrecordedNewerCalendar, Product: tec, Since: "6.17.2.1", What: "newer than 6.17.2, the newest recorded"},
		{Name: EventIDIsCheckedFirst, Product: tec, Until: "6.17.2", What: "an unknown id of an event is refused with 400 rest_invalid_param"},
		{Name: FallbackDatesInUTC, Product: tec, Until: "6.17.1", What: "JSON-LD of events without dates shows another time"},
		{Name: TermsByRouteCapability, Product: tec, Until: "6.15.19", What: "authors and contributors may change tags"},
		{Name: PostsByGeneralCapability, Product: tec, Until: "6.15.16.1", What: "contributors may edit and delete events, venues and organizers of others, and Allow says so"},
		{Name: DateBlockIsAHeading, Product: tec, Until: "6.15.7", What: "the block for date and time is a heading"},
		{Name: LinkedPostsIgnorePasswords, Product: tec, Until: "6.15.3", What: "protected venues and organizers are shown to everybody"},
		{Name: NoCustomFields, Product: tec, Until: "6.10.1", What: "events have no custom_fields"},
		{Name: ListsIgnorePasswords, Product: tec, Until: "6.8.2.1", What: "lists show protected events in full"},
		{Name: EventsIgnorePasswords, Product: tec, Until: "6.5.0.1", What: "protected events are shown to everybody"},
		{Name: TermsOfTwoPostTypes, Product: tec, Until: "6.3", What: "links of terms name two post types"},
		{Name: OneVenue, Product: tec, Until: "6.2.0", What: "venue is an object, not a list"},
		{Name: SpacesInDateBlock, Product: tec, Until: "6.3", What: "the block for date and time has other white space"},
		{Name: JSONLDOfHiddenPosts, Product: tec, Until: "6.3", What: "JSON-LD of venues and organizers that a visitor may not read is present"},
		{Name: UnrecordedOlderCalendar, Product: tec, Until: "6.0.13", What: "older than 6.0.13, the oldest recorded"},
		{Name: UnrecordedNewerWordPress, Product: wp, Since: "7.2", What: "newer than 7.1, the newest recorded"},
		{Name: ElementClassesAreCounted, Product: wp, Since: "7.1", What: "classes of coloured elements have running numbers", Reproduced: true},
		{Name: ParagraphsWithoutClass, Product: wp, Until: "7.0", What: "paragraph blocks have no class wp-block-paragraph", Reproduced: true},
		{Name: TwoSpacesInSocialLinks, Product: wp, Until: "7.0", What: "social links have two spaces between their classes", Reproduced: true},
		{Name: LayoutHashWithoutTheme, Product: wp, Until: "7.0", What: "classes of layouts hash no gaps of the theme", Reproduced: true},
		{Name: HiddenBlocksShow, Product: wp, Until: "6.9", What: "blocks that are hidden in the editor show", Reproduced: true},
		{Name: PlayersCarryAScript, Product: wp, Until: "6.9", What: "the first player carries a script for old browsers", Reproduced: true},
		{Name: SmiliesEndAtLineBreaks, Product: wp, Until: "6.8", What: "smilies after a lone < are converted", Reproduced: true},
		{Name: ErrorsMayBeStored, Product: wp, Until: "6.8", What: "Cache-Control of errors has no no-store", Reproduced: true},
		{Name: LayoutsAreCounted, Product: wp, Until: "6.8", What: "classes of layouts have running numbers", Reproduced: true},
		{Name: PhpassPasswords, Product: wp, Until: "6.8", What: "passwords are hashed by phpass", Reproduced: true},
		{Name: SizesWithoutAuto, Product: wp, Until: "6.7", What: "sizes of pictures don't begin with auto", Reproduced: true},
		{Name: TermsWithoutHints, Product: wp, Until: "6.7", What: "links of terms have no targetHints", Reproduced: true},
		{Name: ContainersAreCountedTogether, Product: wp, Until: "6.6", What: "classes of containers have one sequence of numbers", Reproduced: true},
		{Name: CookiesHidePasswords, Product: wp, Until: "6.6", What: "application passwords don't count beside a login cookie, even one that is not valid", Reproduced: true},
		{Name: UnrecordedOlderWordPress, Product: wp, Until: "6.5", What: "older than 6.5, the oldest recorded"},
	}
}

// Versions are the versions of the products of a site; "" is not known.
type Versions map[Product]string

// Of returns the traits of a site, in the order of the table.
func Of(versions Versions) []Trait {
	var has []Trait
	for _, t := range All() {
		version := versions[t.Product]
		if version != "" && (t.Since == "" || compareVersions(version, t.Since) >= 0) && (t.Until == "" || compareVersions(version, t.Until) < 0) {
			has = append(has, t)
		}
	}
	return has
}

// Set are the traits of a site. A nil Set has none.
type Set map[Name]bool

// SetOf returns the traits of a site.
func SetOf(versions Versions) Set {
	set := Set{}
	for _, t := range Of(versions) {
		set[t.Name] = true
	}
	return set
}

// Has says whether the site has a trait.
func (s Set) Has(name Name) bool { return s[name] }
