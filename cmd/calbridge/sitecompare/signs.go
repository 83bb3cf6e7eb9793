package sitecompare

import (
	"regexp"
	"strings"

	"calbridge/compat/diff"
)

// sign is a row of the table: differences of this look suggest something. A pattern of ""
// fits everything. The first row that fits counts.
type sign struct {
	name string // in the JSON output
	part diff.Part
	// request is a pattern of "METHOD path", as of the login, "user" or "anonymous".
	request, as string
	where       string // pattern of the header's name, or of the field without the list it is in
	only        string // "theirs" or "ours": the other side lacks the field or header
	theirs      string // pattern of WordPress's value
	ours        string // pattern of calbridge's value
	either      string // pattern of one of the two values
	beside      string // text that only WordPress's body has
	// holds reports whether the cause accounts for the difference between two values; nil does
	// for all that the patterns fit.
	holds func(theirs, ours string) bool
	// together names all differences of an answer that fit, so that they are one line; "" gives
	// each place a line.
	together string
	suggests string // the cause, as it is in most cases
	look     string // the setting or the fact to look at
}

const (
	onlyTheirs = "theirs"
	onlyOurs   = "ours"
)

// quoted matches a text, from its beginning or shortened.
const quoted = `^…?"`

// texts are fields that hold texts of the site.
const texts = `title|description|excerpt|json_ld|name|^venue\b|^organizer\b|^venue\[|^organizer\[`

// signs returns the table, the most telling rows first.
func signs() []sign {
	const answer, status, headers, body = diff.PartAnswer, diff.PartStatus, diff.PartHeaders, diff.PartBody
	return []sign{
		{name: "web-page", part: answer, where: wherePage, suggests: "a web page instead of the API's answer: a maintenance or login page, or a page cache in front", look: "maintenance, membership and caching plugins; --upstream-host"},
		{name: "no-answer", part: answer, suggests: "WordPress did not answer in time, or closed the connection", look: "--upstream-timeout, and PHP's error log"},

		{name: "server-error", part: status, theirs: `^5`, suggests: "WordPress fails", look: "PHP's error log"},
		{name: "api-off", part: status, theirs: `^404 rest_no_route`, ours: `^[23]`, suggests: "the calendar's API is switched off, or it is at another address", look: "the calendar option rest-v1-disabled, filters on rest_endpoints, --namespace and --rest-prefix"},
		{name: "application-passwords", part: status, as: "user", theirs: `^40[0134]`, ours: `^2`, suggests: "WordPress does not accept the application password: application passwords are switched off, or the web server removes Authorization", look: "site.application-passwords, --application-passwords, security plugins"},
		{name: "unknown-id", part: status, theirs: `^400 rest_invalid_param|event-not-accessible`, ours: `^40[034]`, suggests: "The Events Calendar before 6.17.2, which refuses unknown ids earlier", look: "calendar.version"},
		{name: "closed", part: status, theirs: `^40[134]`, ours: `^2`, suggests: "a plugin closes the API or some entries (filters rest_authentication_errors, rest_pre_dispatch, tribe_rest_event_data)", look: "security, membership and privacy plugins, and must-use plugins"},
		{name: "closed", part: status, theirs: `^401`, suggests: "a plugin closes the API to visitors who are not logged in", look: "security, membership and privacy plugins, and must-use plugins"},
		{name: "protected-events", part: status, request: `/events/\d`, theirs: `^200`, ours: `^40[13]`, suggests: "The Events Calendar before 6.5.0.1, which shows protected events to everyone", look: "calendar.version"},
		{name: "event-tickets", part: status, request: `ticketed=`, suggests: "Event Tickets is active", look: "the active plugins"},
		{name: "language-plugin", part: status, request: `(lang|language|language_code)=|^\w+ /[a-z]{2}(-[a-z]{2})?/`, suggests: "the language plugin answers other roots or parameters", look: "site.languages, --language-param"},
		{name: "status", part: status, suggests: "a plugin answers such requests itself", look: "filters rest_request_before_callbacks and rest_pre_dispatch"},

		{name: "application-passwords", part: headers, as: "user", where: `^(cache-control|expires)$`, only: onlyOurs, suggests: "WordPress does not accept the application password: application passwords are switched off, or the web server removes Authorization", look: "site.application-passwords, --application-passwords, security plugins"},
		{name: "cors", part: headers, where: `^access-control-`, suggests: "a plugin sends its own CORS headers", look: "filter rest_pre_serve_request, and the web server's configuration"},
		{name: "allow", part: headers, where: `^allow$`, suggests: "The Events Calendar before 6.15.16.1, which lets contributors change entries of others; or a plugin that changes roles", look: "calendar.version, and the roles"},
		{name: "cache-control", part: headers, where: `^(cache-control|expires|pragma)$`, suggests: "WordPress before 6.8, or a caching plugin", look: "wordpress.version, and caching plugins"},
		{name: "www-authenticate", part: headers, where: `^www-authenticate$`, suggests: "application passwords are switched off, or a plugin changes how users log in", look: "--application-passwords"},
		{name: "totals", part: headers, where: `^x-(tec|wp)-total`, suggests: "the lists have other totals: a filter hides events, or the calendar's tables are off", look: "option tec_custom_tables_v1_active, --define TEC_CUSTOM_TABLES_V1_DISABLED=true, filter tribe_events_archive_get_args"},
		{name: "address", part: headers, where: `^(link|location|x-tec-api-(root|origin))$`, suggests: "WordPress has another address or REST prefix", look: "--define WP_HOME and WP_SITEURL, --rest-prefix"},
		{name: "extra-header", part: headers, only: onlyTheirs, suggests: "a plugin or the web server adds the header", look: "clients rarely need it; a rule in --compare-rules ignores it"},
		{name: "header", part: headers, suggests: "a plugin or the web server changes the header", look: "filters rest_post_dispatch and rest_pre_serve_request"},

		{name: "broken-json", part: body, where: `^byte \d`, suggests: "the body is not JSON, or is encoded differently: PHP prints warnings into it, or a plugin encodes it", look: "PHP's display_errors, constant WP_DEBUG_DISPLAY"},
		{name: "api-off", part: body, request: `^OPTIONS`, where: `^$`, theirs: `^list`, ours: `^object`, suggests: "the calendar's API is switched off, or it is at another address", look: "the calendar option rest-v1-disabled, filters on rest_endpoints, --namespace and --rest-prefix"},
		{name: "page-cap", part: body, request: `per_page=100`, where: whereItems, theirs: `^(5[1-9]|[6-9]\d|\d{3,}) items`, suggests: "a filter raises the maximum page size", look: "filters tribe_rest_event_max_per_page, tribe_rest_venue_max_per_page and similar ones"},
		{name: "page-cap", part: body, request: `per_page=100`, where: whereItems, ours: `^50 items`, theirs: `^([0-9]|[1-4]\d) items`, suggests: "a filter lowers the maximum page size", look: "filters tribe_rest_event_max_per_page, tribe_rest_venue_max_per_page and similar ones"},
		{name: "hidden-entries", part: body, where: "^" + whereItems + "$", suggests: "a filter hides or adds entries, or the calendar's tables are off", look: "filters tribe_events_archive_get_args and pre_get_posts, option tec_custom_tables_v1_active, --define TEC_CUSTOM_TABLES_V1_DISABLED=true"},
		{name: "term-order", part: body, request: `/(categories|tags)`, where: "^" + whereOrder + "$", suggests: "a plugin orders the terms", look: "filters get_terms_defaults and get_terms_orderby"},
		{name: "order", part: body, where: "^" + whereOrder + "$", suggests: "a plugin orders the lists, or the entries have equal sort keys", look: "filters tribe_events_archive_get_args and posts_orderby; known difference D1"},
		{name: "totals", part: body, where: `^(total|total_pages|next_rest_url|previous_rest_url)$`, suggests: "the lists have other totals: a filter hides events, or the calendar's tables are off", look: "option tec_custom_tables_v1_active, --define TEC_CUSTOM_TABLES_V1_DISABLED=true, filter tribe_events_archive_get_args"},

		{name: "wording", part: body, where: `^(routes|paths|endpoints|info|definitions|components)\b.*(description|title|summary)$`, theirs: quoted, ours: quoted, together: "texts", suggests: "the wording of descriptions", look: "--profile: record the site and run `calbridge profile build`"},
		{name: "event-tickets", part: body, where: `^(ticketed|attendance)$`, only: onlyTheirs, suggests: "Event Tickets is active", look: "the active plugins"},
		{name: "event-tickets", part: body, where: `^json_ld\..*offers`, suggests: "Event Tickets is active: structured data has the tickets' offers", look: "the active plugins"},
		{name: "cost", part: body, where: `^cost(_details\b.*)?$`, beside: `"ticketed":`, suggests: "Event Tickets sets the costs", look: "the active plugins"},
		{name: "cost", part: body, where: `^cost(_details\b.*)?$`, holds: sameDigits, suggests: "Event Tickets or a filter on tribe_get_cost formats the costs; the locale separates thousands", look: "the active plugins, and the calendar's currency options"},
		{name: "custom-fields", part: body, where: `(^|\.)custom_fields$`, only: onlyOurs, suggests: "The Events Calendar before 6.10.1, which has no custom_fields", look: "calendar.version"},
		{name: "target-hints", part: body, where: `targetHints`, suggests: "WordPress before 6.7, which has no targetHints", look: "wordpress.version, --wordpress-version"},
		{name: "password-argument", part: body, where: `\bargs\.password$|\bparameters\b`, only: onlyOurs, suggests: "The Events Calendar before 6.5.0.1, which has no argument password", look: "calendar.version"},
		{name: "one-venue", part: body, where: `^venue$`, theirs: `^object`, ours: `^list`, suggests: "The Events Calendar before 6.2.0, whose events have one venue", look: "calendar.version"},
		{name: "post-types", part: body, where: `_links.*wp:post_type`, suggests: "The Events Calendar before 6.11, or a plugin that registers the taxonomies for other post types", look: "calendar.version"},
		{name: "routes", part: body, where: `^(routes|paths)\b|^namespace`, only: onlyTheirs, suggests: "a plugin adds routes or arguments to the API, or the calendar has another version", look: "calendar.version, and filters on rest_endpoints"},
		{name: "routes", part: body, where: `^(routes|paths)\b`, only: onlyOurs, suggests: "a plugin removes routes or arguments, or the calendar has another version", look: "calendar.version, and filters on rest_endpoints"},
		{name: "protected-entries", part: body, where: `\(hidden\)$`, suggests: "The Events Calendar before 6.15.3 (6.8.2.1 for events), which shows protected entries in full", look: "calendar.version"},
		{name: "term-order", part: body, where: `(^|\.)(categories|tags)$`, theirs: `^entry`, suggests: "a plugin orders the terms", look: "filters get_terms_defaults and get_terms_orderby"},
		{name: "linked-entries", part: body, where: `(^|\.)(categories|tags|venue|organizer)$`, theirs: `^(entry|\d+ items)`, suggests: "entries are linked to others: a filter hides some of them, or orders them", look: "filters tribe_rest_event_data and pre_get_posts; site.languages"},
		{name: "offset", part: body, where: `^json_ld.*(startDate|endDate|validFrom|validThrough)$|start_date\.default$|_date$|_utc$`, holds: otherOffset, suggests: "dates have another offset from UTC", look: "options timezone_string, gmt_offset, and the calendar option tribe_events_timezone_mode"},
		{name: "uploads", part: body, where: `(^|\.)(image|logo)\b`, either: `(?i)https?:|false`, suggests: "pictures have other addresses: another uploads folder, or a CDN", look: "constant UPLOADS, options upload_path and upload_url_path, filters upload_dir and wp_get_attachment_url"},
		{name: "charset", part: body, either: `(?i)\\u00(c[2-7]|e2|f0)\\+u[02][0-9a-f]{3}|[ÃÅÄ][\x{80}-\x{bf}€‚ƒ„…†‡ˆ‰Š‹Œ‘’“”•–—˜™š›œ]`, suggests: "texts have the wrong character set on one side", look: "constant DB_CHARSET, and the character set of the tables"},

		{name: "wordpress-sizes", part: body, theirs: `sizes=\W*\(`, ours: `sizes=\W*auto`, suggests: "WordPress before 6.7, whose pictures have no sizes=\"auto\"", look: "wordpress.version, --wordpress-version"},
		{name: "wordpress-paragraphs", part: body, where: texts, theirs: `<p>|has-drop-cap\W`, ours: `<p class=[^>]*wp-block-paragraph`, suggests: "WordPress before 7.0, whose paragraphs have no class wp-block-paragraph", look: "wordpress.version, --wordpress-version"},
		{name: "excerpt-more", part: body, where: `json_ld.*description|excerpt`, either: `(?i)more-link|read-more|link-more|hellip|\[…|continue`, suggests: "the theme ends excerpts differently", look: "site.theme; the filters excerpt_more and excerpt_length"},
		{name: "layout", part: body, where: texts, either: `is-layout|wp-container`, suggests: "the theme's layout classes differ, or WordPress is before 6.8", look: "site.theme, --theme, wordpress.version"},
		{name: "theme", part: body, where: texts, either: `(?i)<\\*/?(figure|figcaption|dl|dt|dd|style)\b|wp-caption|gallery|sizes=|srcset=|wp-block-(image|gallery|columns|group|buttons|embed|media|cover)|schedule__datetime|width:|width=`, suggests: "the theme renders captions, galleries, blocks and sizes differently", look: "site.theme, --theme, --content-width"},
		{name: "smilies", part: body, where: texts, either: `wp-smiley|1f[36][0-9a-f]{2}`, suggests: "WordPress before 6.8 converts other smilies, or option use_smilies differs", look: "wordpress.version"},
		{name: "protected-title", part: body, where: `json_ld.*name|title`, either: `(?i)protected|private`, suggests: "the locale's words for protected and private titles", look: "site.languages, and the locale's language packs"},
		{name: "texturize", part: body, where: texts, either: `(?i)&#0?3[49];|&quot;|&(amp;)?#?(8?2(1[0-9]|2[0-9])|82[0-9]{2}|171|187);|&(amp;)?(laquo|raquo|[lr][sd]quo|prime|ndash|mdash|nbsp);|\\+u20[0-3][0-9a-f]|[„“”‚‘’«»–—]`, suggests: "the locale has other quotation marks and dashes", look: "the locale's language packs (wp-content/languages), filter run_wptexturize"},
		{name: "wording", part: body, where: `(^|\.)(message|params|details)\b`, together: "texts", suggests: "the wording of messages", look: "--profile: record the site and run `calbridge profile build`"},
		{name: "links", part: body, where: `(^|\.)(url|urls|href|rest_url|permalink|@id)\b|url$`, holds: otherPath, suggests: "the addresses of entries differ: translated slugs, or a plugin that changes links", look: "the locale's language packs, the calendar's slugs, filter post_type_link"},
		{name: "custom-field", part: body, only: onlyTheirs, suggests: "custom field: a plugin adds the field (filters tribe_rest_event_data, tribe_rest_venue_data, tribe_rest_organizer_data, tribe_rest_events_archive_data)", look: "the active and must-use plugins"},
		{name: "removed-field", part: body, only: onlyOurs, suggests: "a plugin removes the field (filters such as tribe_rest_event_data), or the calendar has another version", look: "calendar.version, and the active and must-use plugins"},
		{name: "titles", part: body, where: `(^|\.)(title|name|slug)$`, suggests: "a filter changes titles, or the locale has other quotation marks", look: "filter the_title, and the locale's language packs"},
		{name: "contents", part: body, where: `description|excerpt`, suggests: "a plugin changes texts, or renders shortcodes and blocks that calbridge does not know", look: "filter the_content, --plugin-shortcodes, --static-blocks"},
		{name: "protected-places", part: body, where: `^(venue|organizer|address|city|country|phone|email|zip|stateprovince|json_ld)\b`, ours: `^(\(absent\)|""|null|boolean false|0 items|list \[\])`, suggests: "The Events Calendar before 6.15.3, which shows protected venues and organizers to everyone; or a plugin that changes their data", look: "calendar.version, and filters tribe_rest_venue_data and tribe_rest_organizer_data"},
		{name: "routes", part: body, where: `^(routes|paths|endpoints)\b|^namespace`, suggests: "a plugin changes routes or arguments, or the calendar has another version", look: "calendar.version, and filters on rest_endpoints"},
		{name: "unexplained", part: body, suggests: "no known cause", look: "the example; a recording of the site (`calbridge record`) shows more"},
	}
}

// compiledSign is a sign with its patterns compiled.
type compiledSign struct {
	sign
	request, where, theirs, ours, either *regexp.Regexp
}

func compileSigns() []compiledSign {
	var all []compiledSign
	for _, s := range signs() {
		all = append(all, compiledSign{s, regexp.MustCompile(s.request), regexp.MustCompile(s.where), regexp.MustCompile(s.theirs), regexp.MustCompile(s.ours), regexp.MustCompile(s.either)})
	}
	return all
}

// fits reports whether a difference looks like the sign; where is its header or field.
func (s *compiledSign) fits(p *pair, d *diff.Difference, where string) bool {
	as := "anonymous"
	if p.request.login != nil {
		as = "user"
	}
	beside := s.beside == "" || strings.Contains(p.exchange.Response.Body, s.beside) && !strings.Contains(p.ours.Body, s.beside)
	return s.part == d.Part && (s.as == "" || s.as == as) && s.request.MatchString(p.request.method+" "+p.request.target) && s.where.MatchString(where) &&
		(s.only != onlyTheirs || d.Got == diff.Absent) && (s.only != onlyOurs || d.Recorded == diff.Absent) &&
		s.theirs.MatchString(d.Recorded) && s.ours.MatchString(d.Got) && (s.either.MatchString(d.Recorded) || s.either.MatchString(d.Got)) &&
		beside && (s.holds == nil || s.holds(d.Recorded, d.Got))
}
