package synthetic

import (
	"context"
	"crypto/sha1"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Now is the middle of generated calendars: they have a year of events before it and a year
// after it.
var Now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

const (
	// FirstEvent is the lowest id of an event.
	FirstEvent = 10_001
	// Categories is the number of categories. They are numbered from 1.
	Categories = rootCategories * 3
	// FirstVenue and FirstOrganizer are the lowest ids in calendars of fewer than
	// 100,000 events; see [Calendar].
	FirstVenue     = 1001
	FirstOrganizer = 3001
)

// Venue returns the id of the i-th venue of a calendar of n events.
func Venue(n, i int) int { return newGenerator(context.Background(), "", n).firstVenue + i }

// The numbers of other items in a generated calendar.
const (
	rootCategories     = 4 // categories without a parent, two children each
	tags               = 20
	images             = 20
	eventsPerVenue     = 50
	eventsPerOrganizer = 100

	firstImage = 5001
)

// Calendar fills empty tables of WordPress with a calendar of n published events, always
// the same. Each has fifteen metas, a venue, one or two organizers, categories, tags, an
// image and an occurrence. Every hundredth event is featured and every thousandth hidden
// from lists. Ids of events start at 10001, in the order of their dates, those of venues at
// 1001, of organizers at 3001 and of images at 5001. With 100,000 events and more, venues
// and organizers follow the events. After each transaction Calendar calls done, unless it
// is nil, with the number of events so far.
func Calendar(ctx context.Context, db *sql.DB, prefix string, n int, done func(int)) error {
	g := newGenerator(ctx, prefix, n)
	for first := 0; first < n || first == 0; first += eventsPerCommit {
		last := min(first+eventsPerCommit, n)
		if err := g.commit(db, first, last); err != nil {
			return fmt.Errorf("generate a calendar: %w", err)
		}
		if done != nil {
			done(last)
		}
	}
	return nil
}

// eventsPerCommit limits the undo log of the server.
const eventsPerCommit = 20_000

// commit adds some of the events. Before the first ones it adds what they refer to.
func (g *generator) commit(db *sql.DB, first, last int) error {
	tx, err := db.BeginTx(g.ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, b := range g.tables() {
		b.tx = tx
	}
	if first == 0 {
		g.options()
		g.terms()
		g.linked()
	}
	for i := first; i < last; i++ {
		g.event(i)
	}
	return errors.Join(g.flush(), tx.Commit())
}

type generator struct {
	ctx                                 context.Context
	n                                   int
	settings, posts, metas              *bulk
	termRows, taxonomies, relationships *bulk
	events, occurrences                 *bulk
	venues, organizers                  int
	firstVenue, firstOrganizer          int
}

func newGenerator(ctx context.Context, prefix string, n int) *generator {
	g := &generator{
		ctx:            ctx,
		n:              n,
		venues:         n/eventsPerVenue + 1,
		organizers:     n/eventsPerOrganizer + 1,
		firstVenue:     FirstVenue,
		firstOrganizer: FirstOrganizer,
		settings:       newBulk(prefix+"options", "option_name", "option_value"),
		posts: newBulk(prefix+"posts", "ID", "post_author", "post_date", "post_date_gmt", "post_content", "post_title", "post_excerpt",
			"post_name", "to_ping", "pinged", "post_modified", "post_modified_gmt", "post_content_filtered", "guid", "post_status", "post_type", "post_mime_type"),
		metas:         newBulk(prefix+"postmeta", "post_id", "meta_key", "meta_value"),
		termRows:      newBulk(prefix+"terms", "term_id", "name", "slug"),
		taxonomies:    newBulk(prefix+"term_taxonomy", "term_taxonomy_id", "term_id", "taxonomy", "description", "parent", "count"),
		relationships: newBulk(prefix+"term_relationships", "object_id", "term_taxonomy_id"),
		events: newBulk(prefix+"tec_events", "event_id", "post_id", "start_date", "end_date", "timezone",
			"start_date_utc", "end_date_utc", "duration", "hash"),
		occurrences: newBulk(prefix+"tec_occurrences", "occurrence_id", "event_id", "post_id", "start_date", "start_date_utc",
			"end_date", "end_date_utc", "duration", "hash"),
	}
	if g.firstVenue+g.venues > FirstOrganizer || g.firstOrganizer+g.organizers > firstImage {
		g.firstVenue = FirstEvent + n
		g.firstOrganizer = g.firstVenue + g.venues
	}
	return g
}

func (g *generator) tables() []*bulk {
	return []*bulk{g.settings, g.posts, g.metas, g.termRows, g.taxonomies, g.relationships, g.events, g.occurrences}
}

func (g *generator) flush() error {
	var errs []error
	for _, b := range g.tables() {
		errs = append(errs, b.flush(g.ctx))
	}
	return errors.Join(errs...)
}

// options adds the settings of a small site in Prague.
func (g *generator) options() {
	for _, o := range [][2]string{
		{"siteurl", "https://generated.example"},
		{"home", "https://generated.example"},
		{"blogname", "Generated"},
		{"permalink_structure", "/%postname%/"},
		{"timezone_string", "Europe/Prague"},
		{"gmt_offset", ""},
		{"date_format", "j. n. Y"},
		{"time_format", "G:i"},
		{"posts_per_page", "10"},
		{"blog_charset", "UTF-8"},
		{"db_version", "61833"},
		{"use_smilies", "1"},
		{"active_plugins", `a:1:{i:0;s:43:"the-events-calendar/the-events-calendar.php";}`},
		{"tribe_events_calendar_options", `a:1:{s:18:"latest_ecp_version";s:6:"6.17.2";}`},
		{"tec_ct1_migration_state", `a:3:{s:18:"complete_timestamp";N;s:5:"phase";s:22:"migration-not-required";s:19:"preview_unsupported";b:0;}`},
	} {
		g.settings.add(g.ctx, o[0], o[1])
	}
	for name := range strings.FieldsSeq(stockOptions) {
		g.settings.add(g.ctx, name, "")
	}
}

// stockOptions are other options that every site has. Writes lock their rows.
const stockOptions = `
avatar_default avatar_rating blog_public category_base close_comments_days_old
close_comments_for_old_posts comment_max_links comment_moderation comment_order
comment_previously_approved comment_registration comments_notify comments_per_page default_category
default_comment_status default_comments_page default_email_category default_link_category
default_ping_status default_pingback_flag default_post_format default_role disallowed_keys hack_file
html_type image_default_align image_default_link_type image_default_size initial_db_version
large_size_h large_size_w link_manager_enabled links_updated_date_format mailserver_login
mailserver_pass mailserver_port mailserver_url medium_large_size_h medium_large_size_w medium_size_h
medium_size_w moderation_keys moderation_notify page_comments ping_sites posts_per_rss
require_name_email rss_use_excerpt show_avatars start_of_week tag_base thread_comments
thread_comments_depth thumbnail_crop thumbnail_size_h thumbnail_size_w upload_url_path
uploads_use_yearmonth_folders use_balanceTags users_can_register`

// terms adds the categories, with ids from 1 on, and then the tags.
func (g *generator) terms() {
	id := 0
	add := func(taxonomy, name string, parent int) int {
		id++
		g.termRows.add(g.ctx, id, name, fmt.Sprintf("term-%d", id))
		g.taxonomies.add(g.ctx, id, id, taxonomy, "", parent, g.uses(id))
		return id
	}
	for root := range rootCategories {
		parent := add("tribe_events_cat", fmt.Sprintf("Rubrika %d", root+1), 0)
		for child := range 2 {
			add("tribe_events_cat", fmt.Sprintf("Rubrika %d.%d", root+1, child+1), parent)
		}
	}
	for tag := range tags {
		add("post_tag", fmt.Sprintf("štítek %d", tag+1), 0)
	}
}

// eventTerms returns the terms of the event: a category, and two different tags.
func eventTerms(i int) [3]int {
	return [3]int{1 + i%Categories, Categories + 1 + i%tags, Categories + 1 + (i+1+i/tags%(tags-1))%tags}
}

func (g *generator) uses(term int) int {
	n := 0
	for i := range g.n {
		for _, id := range eventTerms(i) {
			if id == term {
				n++
			}
		}
	}
	return n
}

// linked adds venues, organizers and images.
func (g *generator) linked() {
	for i := range g.venues {
		id := g.firstVenue + i
		g.post(id, "tribe_venue", fmt.Sprintf("Sál číslo %d", i+1), fmt.Sprintf("sal-%d", i+1), "<p>Bezbariérový přístup.</p>", Now)
		g.meta(id, "_VenueAddress", fmt.Sprintf("Hlavní %d", i+1), "_VenueCity", "Brno", "_VenueCountry", "Czech Republic",
			"_VenueZip", "602 00", "_VenuePhone", "+420 541 000 111", "_VenueShowMap", "1", "_VenueShowMapLink", "1")
	}
	for i := range g.organizers {
		id := g.firstOrganizer + i
		g.post(id, "tribe_organizer", fmt.Sprintf("Spolek číslo %d", i+1), fmt.Sprintf("spolek-%d", i+1), "", Now)
		g.meta(id, "_OrganizerPhone", "+420 541 000 222", "_OrganizerWebsite", "https://example.org", "_OrganizerEmail", "spolek@example.org")
	}
	for i := range images {
		id := firstImage + i
		file := fmt.Sprintf("2026/11/obrazek-%02d.jpg", i+1)
		g.post(id, "attachment", fmt.Sprintf("obrazek-%02d", i+1), fmt.Sprintf("obrazek-%02d", i+1), "", Now)
		g.meta(id, "_wp_attached_file", file, "_wp_attachment_metadata", fmt.Sprintf(
			`a:5:{s:5:"width";i:1024;s:6:"height";i:768;s:4:"file";s:%d:"%s";s:5:"sizes";a:1:{s:9:"thumbnail";a:4:{s:4:"file";s:22:"obrazek-%02d-150x150.jpg";s:5:"width";i:150;s:6:"height";i:150;s:9:"mime-type";s:10:"image/jpeg";}}s:10:"image_meta";a:0:{}}`,
			len(file), file, i+1))
	}
}

func (g *generator) post(id int, postType, title, slug, content string, published time.Time) {
	status, mime := "publish", ""
	if postType == "attachment" {
		status, mime = "inherit", "image/jpeg"
	}
	gmt := published.Format(time.DateTime)
	local := published.Add(time.Hour).Format(time.DateTime)
	g.posts.add(g.ctx, id, 1, local, gmt, content, title, "", slug, "", "", local, gmt, "",
		fmt.Sprintf("https://generated.example/?p=%d", id), status, postType, mime)
}

func (g *generator) meta(id int, pairs ...string) {
	for i := 0; i < len(pairs); i += 2 {
		g.metas.add(g.ctx, id, pairs[i], pairs[i+1])
	}
}

// event adds the i-th event by date. The events are spread evenly over two years, and
// their publication dates are in another order.
func (g *generator) event(i int) {
	id := FirstEvent + i
	year := 365 * 24 * time.Hour
	start := Now.Add(-year + time.Duration(i)*(2*year/time.Duration(g.n))).Truncate(15 * time.Minute)
	end := start.Add(time.Duration(1+i%5) * time.Hour)
	published := Now.Add(-year - time.Duration(i*7919%g.n)*time.Minute)
	g.post(id, "tribe_events", fmt.Sprintf("Akce číslo %d – večer s hudbou", i+1), fmt.Sprintf("akce-%d", i+1),
		"<p>Srdečně vás zveme na setkání, které pořádáme už posedmé. Vezměte si s sebou dobrou náladu a hrneček.</p>\n\n<p>Občerstvení zajišťuje místní spolek.</p>", published)

	prague := time.FixedZone("CET", 3600) // no summer time: the store does not read zones
	startUTC, endUTC := start.Format(time.DateTime), end.Format(time.DateTime)
	startLocal, endLocal := start.In(prague).Format(time.DateTime), end.In(prague).Format(time.DateTime)
	seconds := int(end.Sub(start).Seconds())
	g.meta(id,
		"_EventOrigin", "events-calendar",
		"_EventStartDate", startLocal, "_EventEndDate", endLocal,
		"_EventStartDateUTC", startUTC, "_EventEndDateUTC", endUTC,
		"_EventTimezone", "Europe/Prague", "_EventTimezoneAbbr", "CET",
		"_EventDuration", fmt.Sprint(seconds),
		"_EventVenueID", fmt.Sprint(g.firstVenue+i%g.venues),
		"_EventOrganizerID", fmt.Sprint(g.firstOrganizer+i%g.organizers),
		"_EventCost", fmt.Sprint(i%7*50),
		"_EventURL", "https://example.org/akce",
		"_EventShowMap", "1", "_EventShowMapLink", "1",
		"_thumbnail_id", fmt.Sprint(firstImage+i%images))
	if i%10 == 3 {
		g.meta(id, "_EventOrganizerID", fmt.Sprint(g.firstOrganizer+(i+1)%g.organizers))
	}
	if i%100 == 50 {
		g.meta(id, "_tribe_featured", "1")
	}
	if i%1000 == 999 {
		g.meta(id, "_EventHideFromUpcoming", "yes")
	}
	for _, term := range eventTerms(i) {
		g.relationships.add(g.ctx, id, term)
	}
	hash := fmt.Sprintf("%x", sha1.Sum([]byte(fmt.Sprint(id, startUTC))))
	g.events.add(g.ctx, i+1, id, startLocal, endLocal, "Europe/Prague", startUTC, endUTC, seconds, "")
	g.occurrences.add(g.ctx, i+1, i+1, id, startLocal, startUTC, endLocal, endUTC, seconds, hash)
}
