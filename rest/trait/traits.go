package trait

import "maps"

// Product is what a trait belongs to.
type Product string

// The products whose versions differ in their responses.
const (
	Calendar      Product = "The Events Calendar"
	WordPressCore Product = "WordPress"
	Tickets       Product = "Event Tickets"
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
	UnprovenCreation             Name = "unproven-creation"
	UnnamedSubscriptions         Name = "unnamed-subscriptions"
	IconsInOneLine               Name = "icons-in-one-line"
	UnlabelledSubscriptions      Name = "unlabelled-subscriptions"
	CaretIsReadAloud             Name = "caret-is-read-aloud"
	BlocksWithTabStops           Name = "blocks-with-tab-stops"
	JSONLDOfHiddenPosts          Name = "json-ld-of-hidden-posts"
	DashInDateBlock              Name = "dash-in-date-block"
	FailedPasswordsAreIgnored    Name = "failed-passwords-are-ignored"
	UnrecordedOlderCalendar      Name = "unrecorded-older-calendar"
	UnrecordedNewerWordPress     Name = "unrecorded-newer-wordpress"
	ListsLinkNothing             Name = "lists-link-nothing"
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
	UnrecordedNewerTickets       Name = "unrecorded-newer-tickets"
	UnrecordedOlderTickets       Name = "unrecorded-older-tickets"
)

// The traits that tables of rules for texts refer to: a release changes many such rules at
// once.
const (
	TextSince71  Name = "text-since-7.1"
	TextBefore70 Name = "text-before-7.0"
	TextBefore69 Name = "text-before-6.9"
	TextBefore68 Name = "text-before-6.8"
	TextBefore67 Name = "text-before-6.7"
	TextBefore66 Name = "text-before-6.6"
)

// Trait is a difference between versions of a product. A site has it from version Since on
// and before version Until; "" is no bound.
type Trait struct {
	Name         Name
	Product      Product
	Since, Until string
	// LastWith and FirstWithout are the versions that were recorded nearest to Until, where it
	// is a guess between them.
	LastWith, FirstWithout string
	What                   string // what answers are like on a site that has the trait
	// Reproduced reports that calbridge's responses have the trait as well, for changes that
	// calbridge follows.
	Reproduced bool
	// Uncompared reports that calbridge was never compared with such a version. What then has the
	// changes that are known.
	Uncompared bool
	// Hole reports what a later version closed for security. Only --compat exact repeats it (known
	// difference S15).
	Hole bool
}

// All returns the table of all known differences between versions. A site of The Events Calendar
// 6.17.2 with WordPress 7.0 has none of them: its behaviour is calbridge's default.
func All() []Trait {
	const tec, wp = Calendar, WordPressCore
	return []Trait{
		{Name: UnrecordedNewerCalendar, Product: tec, Since: "6.17.2.1", What: "newer than 6.17.2; known to change: iCalendar texts lose the delimiters of the calendar's blocks, permissions, and RSVPs, which become Tickets Commerce", Uncompared: true},
		{Name: EventIDIsCheckedFirst, Product: tec, Until: "6.17.2", What: "an unknown id of an event is refused with 400 rest_invalid_param", Reproduced: true},
		{Name: FallbackDatesInUTC, Product: tec, Until: "6.17.1", What: "JSON-LD of events without dates shows another time", Reproduced: true},
		{Name: UnprovenCreation, Product: tec, Until: "6.17", What: "which rows new events, venues, organizers and terms have is unrecorded", Reproduced: true},
		{Name: TermsByRouteCapability, Product: tec, Until: "6.15.19", What: "authors and contributors may make and change categories and tags", Reproduced: true, Hole: true},
		{Name: PostsByGeneralCapability, Product: tec, Until: "6.15.16.1", What: "contributors may edit and delete events, venues and organizers of others, and Allow says so", Reproduced: true, Hole: true},
		{Name: DateBlockIsAHeading, Product: tec, Until: "6.15.7", What: "the block for date and time is a heading", Reproduced: true},
		{Name: UnnamedSubscriptions, Product: tec, Until: "6.15.7", LastWith: "6.14.2", FirstWithout: "6.15.20", What: "links in the block for subscriptions have no classes of their own", Reproduced: true},
		{Name: LinkedPostsIgnorePasswords, Product: tec, Until: "6.15.3", What: "protected venues and organizers are shown to everybody", Reproduced: true, Hole: true},
		{Name: IconsInOneLine, Product: tec, Until: "6.13", LastWith: "6.12.0.1", FirstWithout: "6.14.2", What: "icons in the block for subscriptions have other white space", Reproduced: true},
		{Name: TermsOfTwoPostTypes, Product: tec, Until: "6.11", LastWith: "6.8.3", FirstWithout: "6.12.0.1", What: "links of terms name no calendar embeds", Reproduced: true},
		{Name: NoCustomFields, Product: tec, Until: "6.10.1", What: "events have no custom_fields", Reproduced: true},
		{Name: UnlabelledSubscriptions, Product: tec, Until: "6.9", LastWith: "6.8.3", FirstWithout: "6.12.0.1", What: "the button in the block for subscriptions has an empty label", Reproduced: true},
		{Name: ListsIgnorePasswords, Product: tec, Until: "6.8.2.1", What: "lists show protected events in full", Reproduced: true, Hole: true},
		{Name: DashInDateBlock, Product: tec, Until: "6.6", LastWith: "6.5.2", FirstWithout: "6.8.3", What: "the block for date and time has a dash between them", Reproduced: true},
		{Name: EventsIgnorePasswords, Product: tec, Until: "6.5.0.1", What: "protected events are shown to everybody", Reproduced: true, Hole: true},
		{Name: CaretIsReadAloud, Product: tec, Until: "6.4", LastWith: "6.3.7", FirstWithout: "6.5.2", What: "the second icon in the block for subscriptions is not hidden from screen readers", Reproduced: true},
		{Name: BlocksWithTabStops, Product: tec, Until: "6.3", LastWith: "6.0.13", FirstWithout: "6.3.7", What: "the calendar's blocks have other white space, classes and tab stops", Reproduced: true},
		{Name: JSONLDOfHiddenPosts, Product: tec, Until: "6.3", LastWith: "6.0.13", FirstWithout: "6.3.7", What: "structured data of posts that a visitor may not read is present", Reproduced: true, Hole: true},
		{Name: FailedPasswordsAreIgnored, Product: tec, Until: "6.3", LastWith: "6.0.13", FirstWithout: "6.3.7", What: "a failed application password counts as none", Reproduced: true},
		{Name: OneVenue, Product: tec, Until: "6.2.0", What: "venue is an object, not a list", Reproduced: true},
		{Name: UnrecordedOlderCalendar, Product: tec, Until: "6.0.13", What: "older than 6.0.13", Uncompared: true},
		{Name: UnrecordedNewerWordPress, Product: wp, Since: "7.2", What: "newer than 7.1", Uncompared: true},
		{Name: ElementClassesAreCounted, Product: wp, Since: "7.1", What: "classes of coloured elements have running numbers", Reproduced: true},
		{Name: ListsLinkNothing, Product: wp, Since: "7.1", What: "structured data has no venue or organizer of events whose link to it is stored as a list", Reproduced: true},
		{Name: TextSince71, Product: wp, Since: "7.1", What: "tabindex and the attributes of SVG's styles are allowed in saved texts; notes inside of texts vanish; states of blocks have classes", Reproduced: true},
		{Name: TextBefore70, Product: wp, Until: "7.0", What: "attributes of saved texts keep their form; blocks have no style sheet of their own and are not hidden by screen", Reproduced: true},
		{Name: ParagraphsWithoutClass, Product: wp, Until: "7.0", What: "paragraph blocks have no class wp-block-paragraph", Reproduced: true},
		{Name: TwoSpacesInSocialLinks, Product: wp, Until: "7.0", What: "social links have two spaces between their classes", Reproduced: true},
		{Name: LayoutHashWithoutTheme, Product: wp, Until: "7.0", What: "classes of layouts hash no gaps of the theme", Reproduced: true},
		{Name: TextBefore69, Product: wp, Until: "6.9", What: "MathML and other newer elements are removed from saved texts; the non-breaking hyphen is no hyphen in slugs", Reproduced: true},
		{Name: HiddenBlocksShow, Product: wp, Until: "6.9", What: "blocks that are hidden in the editor show", Reproduced: true},
		{Name: PlayersCarryAScript, Product: wp, Until: "6.9", What: "the first player carries a script for old browsers", Reproduced: true},
		{Name: TextBefore68, Product: wp, Until: "6.8", What: "links in descriptions of terms lose rel and target; attributes of players have values", Reproduced: true},
		{Name: SmiliesEndAtLineBreaks, Product: wp, Until: "6.8", What: "smilies after a lone < are converted", Reproduced: true},
		{Name: ErrorsMayBeStored, Product: wp, Until: "6.8", What: "Cache-Control of errors has no no-store", Reproduced: true},
		{Name: LayoutsAreCounted, Product: wp, Until: "6.8", What: "classes of layouts have running numbers", Reproduced: true},
		{Name: PhpassPasswords, Product: wp, Until: "6.8", What: "passwords are hashed by phpass", Reproduced: true},
		{Name: TextBefore67, Product: wp, Until: "6.7", What: "saved links with a target get rel=noopener", Reproduced: true},
		{Name: SizesWithoutAuto, Product: wp, Until: "6.7", What: "sizes of pictures don't begin with auto", Reproduced: true},
		{Name: TermsWithoutHints, Product: wp, Until: "6.7", What: "links of terms have no targetHints", Reproduced: true},
		{Name: TextBefore66, Product: wp, Until: "6.6", What: "list blocks have no class wp-block-list; odd comments are removed from saved texts", Reproduced: true},
		{Name: ContainersAreCountedTogether, Product: wp, Until: "6.6", What: "classes of containers have one sequence of numbers", Reproduced: true},
		{Name: CookiesHidePasswords, Product: wp, Until: "6.6", What: "application passwords don't count beside a login cookie, even one that is not valid", Reproduced: true},
		{Name: UnrecordedOlderWordPress, Product: wp, Until: "6.5", What: "older than 6.5", Uncompared: true},
		{Name: UnrecordedNewerTickets, Product: Tickets, Since: "5.29.2.1", What: "newer than 5.29.2; known to change: RSVPs become Tickets Commerce", Uncompared: true},
		{Name: UnrecordedOlderTickets, Product: Tickets, Until: "5.29.2", What: "older than 5.29.2", Uncompared: true},
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

// Unproven returns the traits that a site may or may not have, in the order of the table, because
// no version near enough to the site's was recorded.
func Unproven(versions Versions) []Trait {
	var open []Trait
	for _, t := range All() {
		version := versions[t.Product]
		if version != "" && t.LastWith != "" && compareVersions(version, t.LastWith) > 0 && compareVersions(version, t.FirstWithout) < 0 {
			open = append(open, t)
		}
	}
	return open
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

// WithoutHoles returns the set without the traits that are holes.
func (s Set) WithoutHoles() Set {
	closed := maps.Clone(s)
	for _, t := range All() {
		if t.Hole {
			delete(closed, t.Name)
		}
	}
	return closed
}

// Has reports whether the site has a trait.
func (s Set) Has(name Name) bool { return s[name] }

// Condition describes the sites for which a row of a table holds: those that have the trait
// With and lack the trait Without. Empty names hold for all sites.
type Condition struct{ With, Without Name }

// In reports whether the condition holds for a site.
func (c Condition) In(s Set) bool { return c.With == "" && c.Without == "" || c.in(s) }

func (c Condition) in(s Set) bool {
	return (c.With == "" || s[c.With]) && (c.Without == "" || !s[c.Without])
}
