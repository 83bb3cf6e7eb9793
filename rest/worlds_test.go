package rest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// client is who asks, with all that its requests may carry.
type client struct {
	login, role string
	id          int64
	password    string // that requests may carry, "" for none
	cookie      string // the password of WordPress's cookie, which all requests carry, "" for none
}

// worldCookies are WordPress's cookies of visitors who gave a password on the site.
var worldCookies = map[string]string{"sesame": "$P$Bvillage1oo91NJ6BGyz.2P0jBTvpa0", "tulip": "$P$Bvillage1gX8Hy8Zl3qeHNgKBouvBt0"}

// header returns what all requests carry besides the login.
func (c *client) header() http.Header {
	if c.cookie == "" {
		return nil
	}
	name := "wp-postpass_" + strings.TrimPrefix(villageCookie, "wordpress_logged_in_")
	return http.Header{"Cookie": {name + "=" + url.QueryEscape(worldCookies[c.cookie])}}
}

// worldClients are the users of testdata/calendar.json by role, the visitor first.
var worldClients = []client{
	{}, {login: "sona", role: "subscriber", id: 5}, {login: "karel", role: "contributor", id: 4}, {login: "alois", role: "author", id: 3},
	{login: "edita", role: "editor", id: 2}, {login: "adela", role: "administrator", id: 1},
}

func (c *client) String() string {
	return fmt.Sprintf("%s, password %q, cookie of %q", cmp.Or(c.role, "visitor"), c.password, c.cookie)
}

func (c *client) editor() bool { return c.role == "editor" || c.role == "administrator" }

func (c *client) owns(p *worldPost) bool { return c.id != 0 && p.author == c.id }

// reads reports whether a single read of the post succeeds, in full or with blank fields. It
// states the rules a second time, independently of the server.
func (c *client) reads(p *worldPost) bool {
	switch {
	case p.kind == "wp_block": // which contents only include
		return p.status == "publish" && p.password == ""
	case p.status == "publish" || p.kind == wpstore.AttachmentType:
		return true
	case c.id == 0 || p.kind == wpstore.EventType && p.status == "trash":
		return false
	}
	return c.editor() || c.owns(p) || strings.HasPrefix(p.status, "tribe-ea-")
}

// opens reports whether the password of the post, if any, does not lock the client out:
// context=edit shows a post to those who may edit it, and pages of the site to those with the
// cookie.
func (c *client) opens(p *worldPost) bool {
	published := p.status == "publish" || p.status == "future"
	mayEdit := c.editor() || c.owns(p) && (c.role == "author" || c.role == "contributor" && !published)
	return p.password == "" || p.password == c.password || p.password == c.cookie || mayEdit
}

// worldPost is a post of a random site. The first fields are the same in both worlds.
type worldPost struct {
	id           int64
	kind, status string
	slug         string
	author       int64
	password     string

	parent, order            int64
	date, modified           string
	title, content, excerpt  string
	start                    time.Time // of an event
	meta                     [][2]string
	terms                    []int64
	venueIDs, organizerIDs   []int64
	hidden, featured, allDay bool

	filed bool   // the next two are set
	lang  string // "" for none
	group int64  // of its translations
}

// The ids of a world's posts by kind, of which some exist.
var worldIDs = map[string][2]int64{
	wpstore.VenueType: {201, 210}, wpstore.OrganizerType: {301, 310}, wpstore.AttachmentType: {401, 405}, "wp_block": {501, 504}, wpstore.EventType: {101, 118},
}

// worldWords are few, so that searches hit what they must not tell.
var worldWords = strings.Fields("mill dance jazz garden cellar choir pottery lantern bakery forest příliš 777-123")

// worldPasswords differ for a client, but not for the collation of the database.
var worldPasswords = []string{"sesame", "tulip", "Sesame", "sesame "}

// maker makes worlds at random.
type maker struct{ *rand.Rand }

func newMaker(seed uint64) maker { return maker{rand.New(rand.NewPCG(seed, 14))} }

func (m maker) chance(percent int) bool { return m.IntN(100) < percent }

func oneOf[T any](m maker, list ...T) T { return list[m.IntN(len(list))] }

func (m maker) idOf(kind string) int64 {
	of := worldIDs[kind]
	return of[0] + m.Int64N(of[1]-of[0]+1)
}

func (m maker) words(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = oneOf(m, worldWords...)
	}
	return strings.Join(out, " ")
}

func (m maker) stamp() string {
	return testNow.Add(-time.Duration(m.IntN(300*24*60)) * time.Minute).Format(api.MySQLTime)
}

// text returns a content, which may refer to other posts.
func (m maker) text() string {
	out := m.words(1 + m.IntN(4))
	for m.chance(35) {
		out += "\n\n" + oneOf(m,
			fmt.Sprintf(`<!-- wp:tribe/event-organizer {"organizer":%d} /-->`, m.idOf(wpstore.OrganizerType)),
			fmt.Sprintf(`<!-- wp:block {"ref":%d} /-->`, m.idOf("wp_block")),
			fmt.Sprintf(`[gallery id="%d"]`, m.idOf(oneOf(m, wpstore.EventType, wpstore.VenueType))),
			fmt.Sprintf(`[gallery ids="%d,%d"]`, m.idOf(wpstore.AttachmentType), m.idOf(wpstore.AttachmentType)),
			fmt.Sprintf(`<img class="wp-image-%d" src="https://village.example/%s.jpg" width="1200" height="800">`, m.idOf(wpstore.AttachmentType), m.words(1)),
			"[unknown]", "https://video.example/"+oneOf(m, worldWords...),
		)
	}
	return out
}

// posts returns those of a world.
func (m maker) posts() []*worldPost {
	var out []*worldPost
	for _, kind := range []string{wpstore.VenueType, wpstore.OrganizerType, wpstore.AttachmentType, "wp_block", wpstore.EventType} {
		of := worldIDs[kind]
		for id := of[0]; id <= of[1]; id++ {
			if m.chance(5) {
				continue
			}
			p := &worldPost{id: id, kind: kind, status: "publish", author: 1 + m.Int64N(6), slug: fmt.Sprint(oneOf(m, "mill", "dance", kind), oneOf(m, "", fmt.Sprint(id)))}
			switch {
			case kind == wpstore.AttachmentType:
				p.status = "inherit"
			case m.chance(55):
				p.status = oneOf(m, "draft", "pending", "private", "future", "trash", "auto-draft", "tribe-ea-success", "inherit")
			}
			if kind != wpstore.AttachmentType && m.chance(25) {
				p.password = oneOf(m, worldPasswords...)
			}
			m.fill(p)
			out = append(out, p)
		}
	}
	return out
}

// fill gives a post random contents and links.
func (m maker) fill(p *worldPost) {
	*p = worldPost{id: p.id, kind: p.kind, status: p.status, slug: p.slug, author: p.author, password: p.password}
	p.date, p.modified = m.stamp(), m.stamp()
	p.title, p.content = m.words(2), m.text()
	if m.chance(40) {
		p.excerpt = m.words(2)
	}
	keys := map[string][]string{
		wpstore.VenueType:     {"_VenueAddress", "_VenueCity", "_VenueCountry", "_VenueProvince", "_VenueState", "_VenueZip", "_VenuePhone", "_VenueURL", "_VenueStateProvince"},
		wpstore.OrganizerType: {"_OrganizerPhone", "_OrganizerEmail", "_OrganizerWebsite"},
		wpstore.EventType:     {"_EventCost", "_EventURL", "_EventCurrencySymbol"},
	}[p.kind]
	for _, key := range keys {
		if m.chance(60) {
			p.meta = append(p.meta, [2]string{key, m.words(1)})
		}
	}
	if p.kind == wpstore.VenueType && m.chance(50) {
		p.meta = append(p.meta, [2]string{"_VenueShowMap", oneOf(m, "1", "", "false")})
	}
	if p.kind == wpstore.AttachmentType {
		p.parent = oneOf(m, 0, m.idOf(wpstore.EventType), m.idOf(wpstore.VenueType))
		p.meta = append(p.meta, [2]string{"_wp_attached_file", fmt.Sprintf("2026/01/%d.jpg", p.id)})
	} else if m.chance(40) {
		p.meta = append(p.meta, [2]string{"_thumbnail_id", fmt.Sprint(m.idOf(wpstore.AttachmentType))})
	}
	if p.kind != wpstore.EventType {
		return
	}
	p.start = testNow.Truncate(time.Hour).Add(time.Duration(m.IntN(80*24)-20*24) * time.Hour)
	p.order = oneOf[int64](m, 0, 0, -1)
	p.parent = oneOf(m, 0, 0, m.idOf(wpstore.EventType))
	p.hidden, p.featured, p.allDay = m.chance(5), m.chance(20), m.chance(20)
	for m.chance(60) {
		p.venueIDs = append(p.venueIDs, m.idOf(oneOf(m, wpstore.VenueType, wpstore.VenueType, wpstore.VenueType, wpstore.VenueType, wpstore.EventType, wpstore.OrganizerType)))
	}
	for m.chance(60) {
		p.organizerIDs = append(p.organizerIDs, m.idOf(wpstore.OrganizerType))
	}
	for _, term := range []int64{31, 32, 33, 34, 35, 41, 42, 43} {
		if m.chance(25) {
			p.terms = append(p.terms, term)
		}
	}
}

// unlike returns the post in another world, which differs in all that the client can't read.
func (m maker) unlike(p *worldPost, c *client) *worldPost {
	q := *p
	if c.reads(p) && c.opens(p) {
		return &q
	}
	for p.password != "" {
		if q.password = oneOf(m, worldPasswords...); q.password != c.password && q.password != c.cookie {
			break
		}
	}
	if c.reads(p) && p.kind != wpstore.EventType { // the fields are blank, but which there are shows
		q.title, q.content = m.words(3), m.text()
		if p.excerpt != "" {
			q.excerpt = m.words(1)
		}
		q.meta = slices.Clone(p.meta)
		for i, pair := range q.meta {
			switch pair[0] {
			case "_VenueState": // which the reference does not blank
			case "_VenueShowMap":
				q.meta[i][1] = oneOf(m, "1", "", "false")
			case "_thumbnail_id":
				q.meta[i][1] = fmt.Sprint(m.idOf(wpstore.AttachmentType))
			default:
				q.meta[i][1] = m.words(2)
			}
		}
		return &q
	}
	m.fill(&q)
	q.parent = p.parent // it decides what is found by a slug
	if author := 1 + m.Int64N(6); !c.owns(p) && author != c.id {
		q.author = author
	}
	return &q
}

// file files posts that are not filed yet under languages, with random translations.
func (m maker) file(posts []*worldPost) {
	type place struct {
		group int64
		lang  string
	}
	taken := map[place]bool{}
	for _, p := range posts {
		taken[place{p.group, p.lang}] = p.filed
	}
	for _, p := range posts {
		if p.filed || p.kind == wpstore.AttachmentType || p.kind == "wp_block" {
			continue
		}
		p.filed = true
		for range 10 {
			at := place{m.idOf(p.kind), oneOf(m, "cs", "cs", "en", "en", "de")}
			if m.chance(90) && !taken[at] {
				taken[at] = true
				p.group, p.lang = at.group, at.lang
				break
			}
		}
	}
}

// world returns a site with the posts, and the names of the statements that it runs, if they
// are wanted.
func world(t testing.TB, posts []*worldPost, statements *[]string, changes ...func(*Config)) *testSite {
	cfg := sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:")}
	if statements != nil {
		cfg.Observe = func(name string, _ time.Duration, _ error) { *statements = append(*statements, name) }
	}
	s := testSiteOn(t, sitedb.Config{Config: cfg}, append(changes, withOrganizerBox(t))...)
	s.fill()
	for _, table := range []string{"posts", "postmeta", "tec_occurrences", "term_relationships"} {
		s.exec("DELETE FROM " + s.Table(table))
	}
	for _, p := range posts {
		s.addWorldPost(p)
	}
	return s
}

// useLanguages gives a world a language plugin.
func (s *testSite) useLanguages(plugin string, posts []*worldPost) {
	switch plugin {
	case "wpml":
		s.useWPML()
		s.fileTermsUnderWPML()
		for _, p := range posts {
			if p.lang != "" {
				s.insert("icl_translations", row{"element_type": "post_" + p.kind, "element_id": p.id, "trid": p.group, "language_code": p.lang})
			}
		}
	case "polylang":
		languages := s.usePolylang()
		s.fileTermsUnderPolylang(languages)
		groups := map[int64]*php.Array{}
		for _, p := range posts {
			if p.lang == "" {
				continue
			}
			s.relate(p.id, languages[p.lang])
			s.relate(p.id, 1000+p.group)
			if groups[p.group] == nil {
				groups[p.group] = &php.Array{}
			}
			groups[p.group].SetString(p.lang, p.id)
		}
		for group, members := range groups {
			s.addLanguageTerm(1000+group, "post_translations", fmt.Sprintf("pll_%d", group), members)
		}
	}
}

func (s *testSite) addWorldPost(p *worldPost) {
	mime := ""
	if p.kind == wpstore.AttachmentType {
		mime = "image/jpeg"
	}
	s.insert("posts", row{
		"ID": p.id, "post_type": p.kind, "post_status": p.status, "post_author": p.author, "post_title": p.title, "post_name": p.slug, "post_content": p.content,
		"post_excerpt": p.excerpt, "post_password": p.password, "post_parent": p.parent, "menu_order": p.order, "post_mime_type": mime,
		"guid": "https://village.example/?p=" + strconv.FormatInt(p.id, 10), "post_date": p.date, "post_date_gmt": p.date, "post_modified": p.modified, "post_modified_gmt": p.modified,
	})
	for _, pair := range p.meta {
		s.addMeta(p.id, pair[0], pair[1])
	}
	if p.kind != wpstore.EventType {
		return
	}
	for _, id := range p.venueIDs {
		s.addMeta(p.id, wpstore.VenueLink, fmt.Sprint(id))
	}
	for _, id := range p.organizerIDs {
		s.addMeta(p.id, wpstore.OrganizerLink, fmt.Sprint(id))
	}
	for key, on := range map[string]bool{"_EventHideFromUpcoming": p.hidden, "_tribe_featured": p.featured, "_EventAllDay": p.allDay} {
		if on {
			s.addMeta(p.id, key, "1")
		}
	}
	for _, term := range p.terms {
		s.insert("term_relationships", row{"object_id": p.id, "term_taxonomy_id": term + 500})
	}
	s.addDates(p.id, p.start.Format(api.MySQLTime), p.start.Add(2*time.Hour).Format(api.MySQLTime), "Europe/Prague")
}
