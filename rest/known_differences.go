package rest

// Difference is a known difference between this server's responses and the reference's.
type Difference struct {
	Number string // D: always; S: unless exact, a hole is closed; F: under fixed, a fault is mended
	What   string
	Under  string // the levels of compat that have it
	Reason string
}

// Differences is the table of known differences; the README shows it.
var Differences = []Difference{
	{"D1", "order among equal sort keys", "all", "undefined in the reference: lists of terms by term_group or without order, by equal counts, names or descriptions, and with several statuses lists of venues and organizers of one date; the embedded engine orders by id"},
	{"D2", "organizer's e-mail in structured data", "all", "the reference hides it with character references chosen at random on each request; here it is one of those forms, always the same"},
	{"D3", "plain 404 outside the REST API", "all", "the theme's page is PHP's; the web server sends only this namespace and iCalendar exports here"},
	{"D4", "blocks and shortcodes of other plugins, and those of WordPress that show more than their text: menus, lists of posts and terms, search forms, tabs, [playlist], pictures that open a viewer", "all", "rendered as WordPress does without that code; with --upstream, WordPress itself answers such requests"},
	{"D5", "embeds only from WordPress's own cache", "all", "nothing is fetched over the network while reading"},
	{"D6", "embedded engine", "all", "values that are too long or too large are stored whole; parity is claimed on MySQL and MariaDB"},
	{"D7", "a request that fails leaves nothing behind", "all", "the reference keeps the terms, venues and organizers that it made before it failed"},
	{"D8", "bounds of our own on hostile input", "all", "more than 10,000 ids or 1,000 terms in a list argument are refused, so are more than 100 names of terms, 50 new venues or 50 new organizers of one event; more than 100 words of a venue search match nothing, where PHP would run out of time or memory; iCalendar exports of more than 1,000 event_ids are left to WordPress (D14)"},
	{"D10", "_embed shows the category above a category as in the context embed, and _fields filters it like any other member", "all", "the only relation here that can be embedded; the reference lets the parameter context choose, and embeds after filtering"},
	{"D11", "what S9 leaves as in the reference", "all", "that a post exists (403 or 400 instead of 404, a slug's -2, the next id, the path of parents that a slug needs), the stored counts of terms, which of its fields a protected venue or organizer has, and its state; clients rely on the statuses, and WordPress counts terms when it writes. Pictures show wherever a readable text or event names them, whatever they are attached to"},
	{"D12", "a ticket whose sale is over", "all", "it counts in ticketed and in the structured data, as in most recordings; two single reads of one recording leave it out, whereas the lists in the same recording include it"},
	{"D13", "ids of options that are deleted and made again", "all", "the reference stores its caches as options too, which take ids; no answer shows them"},
	{"D14", "exports of pages that only WordPress knows", "all", "with --upstream, WordPress answers them; without one it is a plain 404: unknown venues and organizers, posts by number that aren't events, event_ids that name no post, news feeds and embeds with the argument ical, and under Polylang pages behind the first of the front page"},
	{"S1", "lists show a user only what that user could read individually", "safe, fixed", "the reference shows contributors everybody's drafts, private, pending and trashed posts"},
	{"S2", "lists leave out events whose password the request lacks", "safe, fixed", "by itself such an event is refused"},
	{"S3", "a write by slug asks for the same rights as one by id", "safe, fixed", "the reference lets every contributor change and trash anybody's events, venues and organizers by their slugs"},
	{"S4", "giving a post to another author takes the right to edit others' posts", "safe, fixed", "the reference takes any author from anybody"},
	{"S5", "an event makes new categories only for users who may manage categories, new venues and organizers only for those who may make them", "safe, fixed", "the reference asks for the right to edit events alone"},
	{"S6", "a new venue or organizer with the name of somebody else's is linked, and its data left alone", "safe, fixed", "the reference overwrites the data of the other one, even if it belongs to another user"},
	{"S7", "anyone who keeps sending wrong passwords for a user name, or for many names, from one address is slowed down", "safe, fixed", "the reference lets passwords be guessed at full speed"},
	{"S8", "on Polylang the language roots and parameter work", "safe, fixed", "the reference offers neither, and clients cannot rely on the theme's 404"},
	{"S9", "anything a user can't read directly doesn't leak anywhere else: not as the venue or organizer of an event, in structured data, in a block of a text, nor by a translation, a search, a filter, a count, Last-Modified, an iCalendar export", "safe, fixed", "the reference searches, links and counts posts of any status and behind any password, so that whole addresses can be guessed letter by letter; only_with_upcoming asks for the right to edit venues, and then counts anything"},
	{"S10", "users who can't publish events may only set draft or pending (publish becomes pending); into the trash goes what the user may delete", "safe, fixed", "the reference takes private, inherit, auto-draft, trash and the public statuses of imports from contributors"},
	{"S11", "saving an event publishes linked venues and organizers, and trashing one of those removes links to it, only if the user may edit the affected post", "safe, fixed", "the reference asks for the right to publish alone, and for none to unlink"},
	{"S12", "answers to requests whose method a header or parameter overrides are not stored", "safe, fixed", "caches in front know the real method only and would give them to others"},
	{"S13", "a list as the parameter _method is refused with 400", "safe, fixed", "the reference fails with 500"},
	{"S14", "addresses of web sites have a scheme that WordPress allows", "safe, fixed", "the reference stores javascript: and any other scheme"},
	{"S15", "holes that later versions of The Events Calendar closed are closed: passwords protect events, venues, organizers and structured data, and changing or deleting posts and terms by id asks for the rights to them", "safe, fixed", "before 6.15.19 the calendar does not ask for all of that; see the traits of the site's version in check"},
	{"S16", "no text of an iCalendar export ends its line or begins another property", "safe, fixed", "names of categories, addresses and e-mails with line breaks do so in the reference"},
	{"S17", "pages of other origins may read X-TEC-Total, X-TEC-TotalPages and ETag, and send If-None-Match", "safe, fixed", "the reference exposes totals by names that it doesn't send, so that scripts cannot page; its answers have no entity tags"},
	{"F1", "a tag named by an existing name or slug is that tag", "fixed", "the reference makes and assigns a new one that is called after the number of the existing one"},
	{"F2", "trashing a venue or an organizer removes the links to it alone", "fixed", "the reference strips events of their other organizers too"},
	{"F3", "dates in UTC and calendar tables follow a change of the zone alone, and an end before the start", "fixed", "the reference leaves them as they were, so that lists and single events contradict each other"},
	{"F4", "an event that becomes an all-day one loses its old duration", "fixed", "the reference keeps it and then refuses to update its own calendar tables"},
	{"F5", "WPML's language parameter decides everything in an answer: items, totals, linked posts, URLs; lists link all their pages, and no cookie chooses the language of the dashboard", "fixed", "the reference counts totals in the language of the root, translates only the first venue, counts pages of venues and organizers in one language, and takes a request with a login cookie for one of the dashboard"},
	{"F6", "/doc is a valid OpenAPI 3.1 document of all that this server answers", "fixed", "the reference's is invalid: it has optional parameters in the path, creates nothing, has other types than responses have, and glues host and path together on WPML"},
	{"F7", "under WPML, answers to writes of events show what was stored, and links are replaced and removed as they are stored", "fixed", "the reference looks for, and answers with, links and counts that it has translated and remembered"},
	{"F8", "terms can be edited at every root, and a tag may have the name of one in another language", "fixed", "under WPML such a term collides with itself; under Polylang the tag of the other language is taken for the new one"},
	{"F9", "iCalendar exports follow RFC 5545: long lines are folded, the last one ends, texts are escaped and decoded everywhere, dates in UTC end in Z, an end is not before its start, organizers have names in quotes and addresses that are URIs, and what can't be expressed is left out", "fixed", "the reference does none of it; UIDs stay as they are, since subscribers would get every event twice"},
	{"F10", "iCalendar exports describe each zone once, with local onsets and what applies before the first change", "fixed", "the reference writes onsets in UTC and leaves out the beginning, and some zones whole"},
	{"F11", "iCalendar exports have dates without times for all all-day events, and no region of another event's venue", "fixed", "the reference knows only those that its editor stored, not those that REST wrote; where an event has no venue it shows the region of the page's first event"},
}
