package rest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/wpstore/guard"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// TestUntidyDatabases fills databases with rows that no editor writes, but that sites have after
// years of imports, plugins and repairs. No read fails because of them, lists and single reads
// agree, totals are those of the pages, and what WordPress passes on from a row is unchanged.
// CALBRIDGE_SEED sets the first seed, and CALBRIDGE_UNTIDY_DATABASES sets the number of databases.
func TestUntidyDatabases(t *testing.T) {
	oneAtATime(t)
	first := envNumber(t, "CALBRIDGE_SEED", 1)
	databases := envNumber(t, "CALBRIDGE_UNTIDY_DATABASES", 1)
	counts := map[string]int{}
	for i := range databases {
		seed := uint64(first + i)
		for at, plugin := range untidyPlugins() {
			if testing.Short() && at != int(seed%4) { // one, for the race detector
				continue
			}
			t.Run(fmt.Sprint(plugin.name, ", seed ", seed), func(t *testing.T) {
				u := newUntidyDatabase(t, seed)
				u.fill()
				plugin.fill(u)
				for _, compat := range []api.Compat{api.Exact, api.Safe, api.Fixed} {
					reader := &untidyReader{testSite: u.served(compat), compat: compat, translated: len(plugin.roots) > 0, counts: counts}
					for _, login := range []string{"", "adela"} {
						reader.login = login
						reader.readAll(u)
					}
					reader.login = ""
					for _, root := range plugin.roots {
						reader.root = root
						reader.readAll(u)
					}
				}
			})
		}
	}
	t.Logf("first seed %d: %d databases, requests by status %v", first, databases, counts)
	if counts["200"] < counts["requests"]/3 || counts["items compared"] < 100*databases || counts["stored fields"] < 100*databases {
		t.Errorf("too little was compared: %v", counts)
	}
}

// Metadata that the calendar reads, by the kind of post that has it.
var (
	untidyEventMeta = strings.Fields(`_EventStartDate _EventEndDate _EventStartDateUTC _EventEndDateUTC _EventDuration _EventTimezone
		_EventTimezoneAbbr _EventAllDay _EventVenueID _EventOrganizerID _EventCost _EventCurrencySymbol _EventCurrencyCode
		_EventCurrencyPosition _EventURL _EventShowMap _EventShowMapLink _EventHideFromUpcoming _tribe_featured _thumbnail_id
		_tribe_events_status _tribe_aggregator_global_id_lineage _EventOrigin _ecp_custom_1 _tribe_ticket_capacity`)
	untidyVenueMeta = strings.Fields(`_VenueAddress _VenueCity _VenueCountry _VenueProvince _VenueState _VenueStateProvince _VenueZip
		_VenuePhone _VenueURL _VenueShowMap _VenueShowMapLink _VenueLat _VenueLng _thumbnail_id _tribe_aggregator_global_id_lineage`)
	untidyOrganizerMeta  = strings.Fields(`_OrganizerPhone _OrganizerWebsite _OrganizerEmail _thumbnail_id _tribe_aggregator_global_id_lineage`)
	untidyAttachmentMeta = strings.Fields(`_wp_attached_file _wp_attachment_metadata _wp_attachment_image_alt`)
)

// untidyValues returns a value of each type of PHP as metadata and options hold it, and values
// that no function of PHP writes. nil is SQL's NULL.
func untidyValues() []any {
	list := php.Strings("a", "0", "")
	nested := php.List(php.List(int64(1), nil), list, true, 1.5)
	sizes := &php.Array{}
	sizes.SetString("width", "wide")
	sizes.SetString("file", list)
	sizes.SetString("sizes", "none")
	sizes.SetString("image_meta", int64(0))
	out := []any{
		nil, "", "0", "false", "no", "yes", "1", "7", "-1", "1.5", "-0.0", "1e3", "9223372036854775808", "-99999999999999999999", "1e400", "0x1A", " 5 ", "5 EUR, 1.250,50",
		`O:8:"stdClass":1:{s:1:"a";i:1;}`, `O:7:"Missing":0:{}`, `a:1:{i:0;s:5:"short`, "a:2:{i:0;i:1;}", `s:3:"čaj";`, "i:5", "a:-1:{}", "N;", "R:1;",
		"\xff\xfe", "p\xc5", "\x00\x01", "\u2028", strings.Repeat("long ", 3000), strings.Repeat("9", 400), strings.Repeat("🎉", 300),
		"<script>alert(1)</script>", `"quoted' & &amp; \ text`, "javascript:alert(1)", "//host/path", "http://[::1", "line\r\nbreak", "%s %d %", "[gallery]", "<!-- wp:missing -->",
	}
	for _, v := range []php.Value{"text", "", int64(5), true, false, nil, 1.5, &php.Array{}, list, nested, sizes} {
		out = append(out, phpserial.Serialize(v))
	}
	return out
}

// untidyDates are forms of dates that metadata has.
var untidyDates = []any{
	nil, "", "0000-00-00 00:00:00", "2026-02-31 10:00:00", "2026-13-45 25:61:61", "12026-12-01 10:00:00", "-2026-12-01 10:00:00", "2026-12-01", "2026-12-01 10:00",
	"2026-12-01T10:00:00+05:30", "2026-12-01T10:00:00.123Z", "12/01/2026 5:00 pm", "1. 12. 2026", "1 December 2026", "tomorrow", "now", "@1796000000", "1796000000", "0", "-1",
	"2026-12-01 10:00:00 Europe/Prague", "2026-03-29 02:30:00", "9999-12-31 23:59:59", "0001-01-01 00:00:00", "1969-12-31 23:59:59", "2026-12-01 24:00:00", "2026-12-01 10:00:60", "first monday of", "\xff2026",
}

// untidyZones are forms of time zones, of WordPress's menu and others.
var untidyZones = []any{
	nil, "", "UTC", "Europe/Prague", "europe/prague", "UTC+0", "UTC+5.5", "UTC-12", "UTC+13.75", "UTC+5:30", "UTC+99", "UTC+foo", "UTC.5", "+02:00", "2", "CET", "EST5EDT", "Mars/Base",
	"Europe/Kyiv", "Etc/GMT+5", "../../etc/passwd", "\xff", " Europe/Prague ", "localtime", "a:0:{}",
}

// untidyOptions are options that change lists and representations, apart from those by which the
// site is addressed.
var untidyOptions = strings.Fields(`timezone_string gmt_offset posts_per_page date_format blog_charset use_smilies use_balanceTags
	default_comment_status page_on_front thumbnail_size_w medium_crop sidebars_widgets tag_base category_base upload_path WPLANG blogname
	tec_ct1_migration_state tec_custom_tables_v1_active tribe_events_calendar_options tribe_events_cat_children template stylesheet`)

// untidyCalendarOptions are those that The Events Calendar keeps in its own array.
var untidyCalendarOptions = strings.Fields(`tribe_events_timezone_mode multiDayCutoff posts_per_page postsPerPage eventsSlug singleEventSlug
	defaultCurrencySymbol defaultCurrencyCode reverseCurrencyPosition custom-fields tribeEnableViews toggle_blocks_editor ticket-enabled-post-types
	viewOption earliest_date latest_date`)

// deck deals values in random order. It deals each one before it repeats any.
type deck struct {
	maker
	values, left []any
}

func (d *deck) deal() any {
	if len(d.left) == 0 {
		d.left = slices.Clone(d.values)
		d.Shuffle(len(d.left), func(i, j int) { d.left[i], d.left[j] = d.left[j], d.left[i] })
	}
	v := d.left[0]
	d.left = d.left[1:]
	return v
}

// untidyDatabase is a site whose rows are untidy.
type untidyDatabase struct {
	maker
	*testSite
	decks map[string]*deck
	posts map[string][]int64 // by type
	terms map[string][]int64 // by taxonomy
	slugs []any
	// parents are those of a term in all of its taxonomies.
	parents map[int64][]int64
}

func newUntidyDatabase(t *testing.T, seed uint64) *untidyDatabase {
	t.Helper()
	s := openTestSite(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}})
	if err := s.CreateSchema(context.Background()); err != nil {
		t.Fatal(err)
	}
	return &untidyDatabase{maker: newMaker(seed), testSite: s, decks: map[string]*deck{}, posts: map[string][]int64{}, terms: map[string][]int64{}, parents: map[int64][]int64{}}
}

// served returns the site as a server of its own with a level of compat.
func (u *untidyDatabase) served(compat api.Compat) *testSite {
	s := &testSite{DB: u.DB, t: u.t, zone: u.zone}
	s.serve(func(c *Config) {
		c.Compat, c.Extensions, c.SiteRefresh = compat, true, 1<<60
		c.Guard = guard.New(c.Logger, func(task string) { u.t.Errorf("%s: panic while %s", compat, task) })
	})
	return s
}

// value deals a value for a meta key or an option.
func (u *untidyDatabase) value(name string, more ...any) any {
	d := u.decks[name]
	if d == nil {
		values := append(untidyValues(), more...)
		switch {
		case strings.Contains(name, "Date"):
			values = append(values, untidyDates...)
		case strings.Contains(strings.ToLower(name), "timezone"):
			values = append(values, untidyZones...)
		}
		d = &deck{maker: u.maker, values: values}
		u.decks[name] = d
	}
	return d.deal()
}

// fill adds the tidy rows of testdata/calendar.json and untidy ones.
func (u *untidyDatabase) fill() {
	u.testSite.fill()
	for kind, ids := range map[string][]int64{api.Events.PostType: {101, 102, 103, 104}, api.Venues.PostType: {201, 202}, api.Organizers.PostType: {301, 302}} {
		u.posts[kind] = ids
	}
	for tax, ids := range map[string][]int64{api.Categories.Name: {31, 32, 33}, api.Tags.Name: {41, 42}} {
		u.terms[tax] = ids
	}
	u.slugs = []any{"", "", "dance", "same", "same", "5", "101", "%c4%8daj", "%C4%8DAJ", "Upper Case", "a/b", "a.b", "a__trashed", "\xff", strings.Repeat("s", 200), "ical", "month", "2026-12-01"}
	u.fillOptions()
	u.fillTerms()
	for id := range int64(12) {
		u.addUntidyPost(5001+id, "attachment", untidyAttachmentMeta)
	}
	for id := range int64(20) {
		u.addUntidyPost(2001+id, api.Venues.PostType, untidyVenueMeta)
	}
	for id := range int64(16) {
		u.addUntidyPost(3001+id, api.Organizers.PostType, untidyOrganizerMeta)
	}
	for id := range int64(60) {
		u.addUntidyPost(1001+id, api.Events.PostType, untidyEventMeta)
	}
	u.fillOrphans()
}

func (u *untidyDatabase) fillOptions() {
	for _, name := range untidyOptions {
		if v := u.value("option "+name, untidyZones...); v != nil && u.chance(30) {
			u.setOption(name, v)
		}
	}
	if u.chance(60) {
		options := []any{"latest_ecp_version", "6.17.2"}
		for _, name := range untidyCalendarOptions {
			v := oneOf[php.Value](u.maker, nil, "", "x", "site", "event", "25:99", "03:00", int64(-3), int64(0), 1.5, true, false, php.Strings("a"), php.List(php.Strings("name")), "1", "\xff")
			if u.chance(40) {
				options = append(options, name, v)
			}
		}
		u.setCalendarOptions(options...)
	}
}

// fillTerms adds terms of both taxonomies, some of which have the same id.
func (u *untidyDatabase) fillTerms() {
	for id := int64(601); id <= 624; id++ {
		if u.chance(90) {
			u.insert("terms", row{
				"term_id": id, "name": oneOf[any](u.maker, "", "0", "Same", "same", "A & B", "A &amp; B", "\xff", "<b>x</b>", "Příliš", strings.Repeat("n", 200)),
				"slug": oneOf(u.maker, u.slugs...), "term_group": oneOf(u.maker, 0, -1, 9),
			})
		}
		for i, tax := range []string{api.Categories.Name, api.Tags.Name, "unknown_taxonomy"} {
			if !u.chance([]int{70, 40, 10}[i]) {
				continue
			}
			// Missing ones, itself, loops, and terms of the other taxonomy.
			parent := oneOf(u.maker, 0, 0, id, 601+u.Int64N(24), 601+u.Int64N(24), 99999, 41, 31)
			u.insert("term_taxonomy", row{
				"term_taxonomy_id": id + 1000*int64(i+1), "term_id": id, "taxonomy": tax, "description": oneOf[any](u.maker, "", "0", "<p>x", "\xff", "a:0:{}"),
				"parent": parent, "count": oneOf(u.maker, -5, 0, 0, 1, 3, 1<<40),
			})
			u.terms[tax] = append(u.terms[tax], id)
			u.parents[id] = append(u.parents[id], parent)
		}
		u.insert("termmeta", row{"term_id": id, "meta_key": oneOf(u.maker, "", "color", "order"), "meta_value": u.value("termmeta")})
	}
}

// shared reports whether several taxonomies have a term or one of its ancestors. WordPress lists
// such a term as that of any of them (bug case 08-shared-term), which decides the ancestors in
// its URL, and reads it by itself as that of the route.
func (u *untidyDatabase) shared(id int64) bool {
	seen := map[int64]bool{}
	for next := []int64{id}; len(next) > 0; next = next[1:] {
		at := next[0]
		if len(u.parents[at]) > 1 {
			return true
		}
		if !seen[at] {
			seen[at] = true
			next = append(next, u.parents[at]...)
		}
	}
	return false
}

// addUntidyPost adds a post. Each of its meta keys is absent, or has one or several rows.
func (u *untidyDatabase) addUntidyPost(id int64, kind string, keys []string) {
	date := func() string {
		return oneOf(u.maker, "0000-00-00 00:00:00", "2026-00-00 00:00:00", "9999-12-31 23:59:59", "1000-01-01 00:00:00", u.stamp(), u.stamp(), u.stamp())
	}
	text := func() any {
		return oneOf[any](u.maker, "", "0", "plain", "\xffbad", "A & B <b>x", "[unknown][/x]", "<!-- wp:paragraph --><p>x</p>", "<!-- wp:paragraph {broken -->", "<!-- /wp:group -->", "https://village.example/x", strings.Repeat("w ", 500), "\x00")
	}
	u.insert("posts", row{
		"ID": id, "post_type": kind, "post_author": oneOf(u.maker, 0, 1, 2, 3, 9999),
		"post_status": oneOf(u.maker, "publish", "publish", "publish", "publish", "publish", "publish", "draft", "pending", "private", "future", "trash", "auto-draft", "inherit", "", "custom", "tribe-ea-success"),
		"post_title":  text(), "post_name": oneOf(u.maker, u.slugs...), "post_content": text(), "post_excerpt": text(),
		"post_password": oneOf(u.maker, "", "", "", "", "", "", "", "0", "sesame", "\xff"), "post_parent": oneOf(u.maker, 0, 0, id, 101, 201, 99999), "menu_order": oneOf(u.maker, 0, 0, -1, 7),
		"post_mime_type": oneOf(u.maker, "", "image/png", "x"), "guid": oneOf(u.maker, "", "x", "https://village.example/?p=1"),
		"post_date": date(), "post_date_gmt": date(), "post_modified": date(), "post_modified_gmt": date(),
	})
	for _, key := range keys {
		for range oneOf(u.maker, 0, 0, 1, 1, 1, 1, 2, 3) {
			var more []any
			switch key {
			case "_EventVenueID":
				more = []any{"201", "202", "2001", "2002", "2003", "99999", "101", "201abc"}
			case "_EventOrganizerID":
				more = []any{"301", "302", "3001", "3002", "3003", "99999", "101", "301,302", "-301"}
			case "_thumbnail_id":
				more = []any{"401", "5001", "5002", "5003", "5004", "99999", "101"}
			case "_wp_attached_file":
				more = []any{"2026/01/a.png", "../x.png", "/abs/a.png", "a.", "https://other.example/a.png"}
			}
			u.insert("postmeta", row{"post_id": id, "meta_key": key, "meta_value": u.value(key, more...)})
		}
	}
	if kind != api.Events.PostType {
		u.posts[kind] = append(u.posts[kind], id)
		return
	}
	// Half of the events have tidy dates, so that the other rows are read too.
	if u.chance(50) {
		u.exec("DELETE FROM wp_postmeta WHERE post_id = ? AND (meta_key LIKE '\\_Event%Date%' ESCAPE '\\' OR meta_key = '_EventHideFromUpcoming')", id)
		for i, key := range []string{"_EventStartDate", "_EventEndDate", "_EventStartDateUTC", "_EventEndDateUTC"} {
			u.addMeta(id, key, fmt.Sprintf("2026-12-%02d %02d:00:00", 1+id%28, 10+i))
		}
	}
	for range oneOf(u.maker, 0, 1, 1, 1, 1, 2) {
		u.addUntidyOccurrence(id)
	}
	if u.chance(80) {
		u.addUntidyEventRow(id)
	}
	terms := map[int64]bool{}
	for range u.IntN(4) {
		terms[oneOf(u.maker, 531, 541, 1601+u.Int64N(24), 2601+u.Int64N(24), 3601+u.Int64N(24), 99999)] = true
	}
	for _, id2 := range slices.Sorted(maps.Keys(terms)) {
		u.insert("term_relationships", row{"object_id": id, "term_taxonomy_id": id2, "term_order": oneOf(u.maker, 0, -1, 5)})
	}
	u.posts[kind] = append(u.posts[kind], id)
}

func (u *untidyDatabase) addUntidyOccurrence(post int64) {
	date := func() string {
		return oneOf(u.maker, "2026-12-01 10:00:00", "2026-12-01 10:00:00", "2027-05-05 00:00:00", "2028-01-31 23:59:59", "2026-11-21 13:00:00", "0000-00-00 00:00:00", "2020-01-01 00:00:00", "9999-12-31 23:59:59")
	}
	u.insert("tec_occurrences", row{
		"event_id": oneOf(u.maker, post, post, 0, 99999), "post_id": post, "start_date": date(), "end_date": date(), "start_date_utc": date(), "end_date_utc": date(),
		"duration": oneOf[any](u.maker, 0, -1, 7200, nil), "hash": fmt.Sprint(u.Uint64()),
	})
}

func (u *untidyDatabase) addUntidyEventRow(post int64) {
	date := func() any {
		return oneOf[any](u.maker, "", "0000-00-00 00:00:00", "2026-12-01 10:00:00", "2026-12-01", "nonsense", "\xff")
	}
	u.insert("tec_events", row{
		"post_id": post, "start_date": date(), "end_date": date(), "start_date_utc": date(), "end_date_utc": date(),
		"timezone": oneOf(u.maker, "", "UTC", "Mars/Base", "UTC+5.5"), "duration": oneOf[any](u.maker, 0, -1, nil), "hash": oneOf(u.maker, "", "x"),
	})
}

// fillOrphans adds rows that refer to missing posts and terms.
func (u *untidyDatabase) fillOrphans() {
	for id := range int64(8) {
		for _, key := range slices.Concat(untidyEventMeta, untidyVenueMeta) {
			u.insert("postmeta", row{"post_id": oneOf(u.maker, 0, 80001+id), "meta_key": key, "meta_value": u.value("orphan")})
		}
		u.addUntidyOccurrence(80001 + id)
		u.addUntidyEventRow(80001 + id)
		u.insert("term_relationships", row{"object_id": 80001 + id, "term_taxonomy_id": oneOf[int64](u.maker, 531, 541, 99999)})
		u.insert("usermeta", row{"user_id": oneOf(u.maker, 0, 1, 9999), "meta_key": oneOf(u.maker, "", "locale", "wp_user_level"), "meta_value": u.value("usermeta")})
	}
	u.insert("postmeta", row{"post_id": 101, "meta_key": nil, "meta_value": "x"})
	u.insert("postmeta", row{"post_id": 101, "meta_key": "", "meta_value": nil})
	u.addUntidyOccurrence(201) // a post of another type
	u.addUntidyEventRow(201)
}

// untidyReader reads an untidy site as one user.
type untidyReader struct {
	*testSite
	compat api.Compat
	login  string
	root   string // the directory of a language
	// translated reports that the site has languages. Lists then show translations of what they
	// find, and their totals may be those of another language (specified).
	translated bool
	counts     map[string]int // responses by status
}

// failed reports a fault of the response to a target.
func (r *untidyReader) failed(target, format string, args ...any) {
	r.t.Helper()
	r.t.Errorf("%s as %q: %s%s: %s", r.compat, r.login, r.root, target, fmt.Sprintf(format, args...))
}

// read requests a target and checks what holds for all responses. The reference fails with a 5xx
// because of arguments alone (known500), and none of the targets has those.
func (r *untidyReader) read(target string) answer {
	r.t.Helper()
	path := target
	if !strings.HasPrefix(path, "/") {
		path = testBase + "/" + path
	}
	a := r.do(ask{target: r.root + path, as: r.login})
	r.counts["requests"]++
	r.counts[strconv.Itoa(a.status)]++
	if a.status >= http.StatusInternalServerError || r.seen.Panicked {
		r.failed(target, "%d %s: %v (panic: %v)", a.status, r.seen.Code, r.seen.Err, r.seen.Panicked)
	}
	kind := a.header.Get("Content-Type")
	switch {
	case strings.Contains(kind, "json") && !json.Valid([]byte(a.body)):
		r.failed(target, "broken JSON: %.300q", a.body)
	case strings.HasPrefix(kind, "text/calendar") && strings.Count("\n"+a.body, "\nBEGIN:") != strings.Count(a.body, "\nEND:"):
		r.failed(target, "blocks do not end: %.300q", a.body)
	}
	if strings.Contains(kind, "json") && !utf8.ValidString(a.body) {
		r.failed(target, "not UTF-8: %.300q", a.body)
	}
	return a
}

// object requests a target and returns its object, or nil if it is refused.
func (r *untidyReader) object(target string) map[string]any {
	r.t.Helper()
	a := r.read(target)
	if a.status != http.StatusOK {
		return nil
	}
	var out map[string]any
	if err := json.Unmarshal([]byte(a.body), &out); err != nil {
		r.failed(target, "%v: %.200q", err, a.body)
	}
	return out
}

func (r *untidyReader) readAll(u *untidyDatabase) {
	singles := map[string]map[int64]map[string]any{}
	for _, kind := range []*api.PostKind{api.Events, api.Venues, api.Organizers} {
		singles[tribev1.Collection(kind)] = r.readSingles(tribev1.Collection(kind), u.posts[kind.PostType])
	}
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		singles[tribev1.TermCollection(tax)] = r.readSingles(tribev1.TermCollection(tax), u.terms[tax.Name])
		maps.DeleteFunc(singles[tribev1.TermCollection(tax)], func(id int64, _ map[string]any) bool { return u.shared(id) })
	}
	lists := map[string][]string{
		"events": {
			"", "per_page=7", "start_date=2000-01-01&end_date=9999-12-31", "start_date=2000-01-01&per_page=50&end_date=2100-01-01", "starts_after=1999-01-01", "ends_before=2100-01-01",
			"status=publish,draft,private", "featured=true", "featured=false", "search=a", "categories=music", "tags=outdoors", "venue=201", "organizer=301",
			"start_date=2000-01-01&strict_dates=true&end_date=2100-01-01", "context=edit", "password=sesame&start_date=2000-01-01", "include=101,1001,1002,1003,1004", "post_parent=101",
		},
		"venues":     {"", "per_page=50", "search=a", "has_events=1", "has_events=0", "only_with_upcoming=1", "event=101", "status=publish,draft", "context=edit"},
		"organizers": {"", "per_page=50", "search=a", "has_events=1", "has_events=0", "only_with_upcoming=1", "event=101", "status=publish,draft", "context=edit"},
		"categories": {"hide_empty=false", "hide_empty=false&per_page=50", "hide_empty=false&orderby=count&order=desc", "orderby=parent", "hide_empty=false&orderby=slug", "search=a", "event=101", "parent=31", "context=edit", "post=101"},
		"tags":       {"", "hide_empty=false", "hide_empty=false&per_page=50", "orderby=term_group", "search=a", "event=101", "context=edit"},
	}
	for _, collection := range slices.Sorted(maps.Keys(lists)) {
		for _, query := range lists[collection] {
			r.walk(collection, query, singles[collection])
		}
		r.read(collection + "?_fields=id,title,rest_url,events.venue.id")
		r.read(collection + "?_envelope&_embed&per_page=50")
		r.read(collection + "?page=2&per_page=50")
	}
	for _, id := range u.terms[api.Categories.Name] {
		r.read(fmt.Sprint("events?start_date=2000-01-01&categories=", id))
		r.read(fmt.Sprint("categories?hide_empty=false&parent=", id))
	}
	for _, slug := range u.slugs {
		at := url.PathEscape(php.ToString(slug))
		for _, path := range []string{"events/by-slug/", "venues/by-slug/", "organizers/by-slug/"} {
			r.read(path + at)
		}
		for _, path := range []string{"/event/%s/?ical=1", "/venue/%s/?ical=1", "/organizer/%s/?ical=1", "/events/category/%s/?ical=1", "/events/tag/%s/?ical=1"} {
			r.read(strings.Replace(path, "%s", at, 1))
		}
	}
	for _, path := range []string{
		"/events/?ical=1", "/events/list/?ical=1", "/events/month/2026-12/?ical=1", "/events/2026-12-01/?ical=1", "/?ical=1", "/events/list/?ical=1&eventDisplay=past",
		"events.ics", "events.jsonfeed", "openapi.json", "", "doc",
	} {
		r.read(path)
	}
	for _, id := range u.posts[api.Events.PostType] {
		r.read(fmt.Sprint("events/", id, ".ics"))
		r.read(fmt.Sprint("/?p=", id, "&post_type=tribe_events&ical=1"))
	}
}

// readSingles reads each item of a collection by itself and returns those that the user may see.
func (r *untidyReader) readSingles(collection string, ids []int64) map[int64]map[string]any {
	out := map[int64]map[string]any{}
	for _, id := range ids {
		target := fmt.Sprint(collection, "/", id)
		if item := r.object(target); item != nil {
			out[id] = item
			r.compareRow(target, id, item)
		}
		r.read(target + "?context=edit")
		r.read(target + "?_fields=id,slug,venue.id,json_ld.name&password=sesame")
	}
	return out
}

// untidyColumns are the columns of posts that responses have as stored, by field.
var untidyColumns = map[string]string{
	"author": "post_author", "status": "post_status", "date": "post_date", "date_utc": "post_date_gmt",
	"modified": "post_modified", "modified_utc": "post_modified_gmt", "slug": "post_name",
}

// untidyFirst are the keys whose first row the responses have as stored, by field.
var untidyFirst = map[string]string{
	"start_date": "_EventStartDate", "end_date": "_EventEndDate", "utc_start_date": "_EventStartDateUTC", "utc_end_date": "_EventEndDateUTC",
	"timezone": "_EventTimezone", "timezone_abbr": "_EventTimezoneAbbr",
	"address": "_VenueAddress", "city": "_VenueCity", "zip": "_VenueZip", "stateprovince": "_VenueStateProvince",
}

// compareRow reports the fields in which a post or term by itself differs from its rows. Texts
// that are not UTF-8 have a question mark for each fault, and are left out.
func (r *untidyReader) compareRow(target string, id int64, item map[string]any) {
	r.t.Helper()
	want := map[string]string{}
	if _, isTerm := item["taxonomy"]; isTerm {
		// WordPress makes negative counts 0 (bug case 24-negative-count).
		want["count"] = r.column("SELECT CAST(max(count, 0) AS TEXT) FROM wp_term_taxonomy WHERE term_id = ? AND taxonomy = ?", id, item["taxonomy"])
		want["slug"] = r.column("SELECT slug FROM wp_terms WHERE term_id = ?", id)
	} else {
		for field, column := range untidyColumns {
			want[field] = r.column("SELECT CAST("+column+" AS TEXT) FROM wp_posts WHERE ID = ?", id)
		}
		for field, key := range untidyFirst {
			if v, ok := item[field]; ok && v != nil && !blanked(item, field) {
				want[field] = r.column("SELECT COALESCE((SELECT meta_value FROM wp_postmeta WHERE post_id = ? AND meta_key = ? ORDER BY meta_id LIMIT 1), '')", id, key)
			}
		}
	}
	for field, v := range want {
		got := item[field]
		if n, ok := got.(float64); ok {
			got = strconv.FormatFloat(n, 'f', -1, 64)
		}
		// Venues and organizers have no empty fields.
		if got == nil && php.Empty(v) || !utf8.ValidString(v) {
			continue
		}
		r.counts["stored fields"]++
		if got != v {
			r.failed(target, "%s is %.200q, stored as %.200q", field, got, v)
		}
	}
}

// blanked reports whether a field is empty because a password protects its venue.
func blanked(item map[string]any, field string) bool {
	_, has := item["json_ld"]
	return !has && item[field] == ""
}

// walk reads all pages of a list. Its totals are those of the pages, no item occurs twice, and
// each is the same as by itself.
func (r *untidyReader) walk(collection, query string, singles map[int64]map[string]any) {
	r.t.Helper()
	seen := map[int64]bool{}
	var total, pages float64
	for page := 1; page == 1 || float64(page) <= pages; page++ {
		target := fmt.Sprintf("%s?%s&page=%d", collection, query, page)
		list := r.object(target)
		if list == nil {
			if page > 1 {
				r.failed(target, "page %d of %v is refused", page, pages)
			}
			return
		}
		if page == 1 {
			total, pages = list["total"].(float64), list["total_pages"].(float64)
		} else if list["total"] != total {
			r.failed(target, "total %v on page %d, %v before", list["total"], page, total)
		}
		items, _ := list[collection].([]any)
		for _, item := range items {
			object, ok := item.(map[string]any)
			if !ok {
				r.failed(target, "an item is %v", item)
				continue
			}
			id := int64(object["id"].(float64))
			if seen[id] {
				r.failed(target, "%d occurs twice", id)
			}
			seen[id] = true
			r.counts["items"]++
			if single := singles[id]; single != nil && !strings.Contains(query, "context") && !strings.Contains(query, "password") {
				r.compare(target, object, single)
			}
		}
	}
	if float64(len(seen)) != total && !r.translated && !totalsDiffer(collection, query, len(seen)) {
		r.failed(collection+"?"+query, "total is %v, the pages have %d", total, len(seen))
	}
}

// totalsDiffer reports whether the reference's totals of a list are not those of its pages: those
// of a search without matches are of the list without the search, those of categories count no
// ancestor kept for its descendants, and in context=edit the terms that the user may not edit are
// left out of pages alone.
func totalsDiffer(collection, query string, found int) bool {
	switch collection {
	case "venues", "organizers":
		return found == 0
	case "categories":
		return !strings.Contains(query, "hide_empty=false") && !strings.Contains(query, "event=") && !strings.Contains(query, "post=") || strings.Contains(query, "context=edit")
	default:
		return strings.Contains(query, "context=edit")
	}
}

// compare reports the fields in which an item of a list differs from the item by itself.
// Structured data is in single responses only.
func (r *untidyReader) compare(target string, listed, single map[string]any) {
	r.t.Helper()
	r.counts["items compared"]++
	withoutStructuredData(listed)
	withoutStructuredData(single)
	_, isTerm := listed["taxonomy"]
	for name, v := range listed {
		if name == "url" && isTerm && r.translated {
			continue // a term that two languages claim is listed in each, with its address in that language
		}
		own, ok := single[name]
		if !ok {
			r.failed(target, "only the list has %s of %v", name, listed["id"])
		} else if !reflect.DeepEqual(v, own) {
			r.failed(target, "%s of %v\n  list %.300v\nsingle %.300v", name, listed["id"], v, own)
		}
	}
	for name := range single {
		if _, ok := listed[name]; !ok && name != "_links" {
			r.failed(target, "only the single response has %s of %v", name, listed["id"])
		}
	}
}
