package rest

import (
	"fmt"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpform"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// showsLD says whether structured data of a post is shown to this client. It has
// its own idea of passwords, which no parameter unlocks.
func (c *call) showsLD(p *wpstore.Post) bool {
	return !c.passwordRequired(p) && c.showsLDUnlocked(p)
}

// showsLDUnlocked is showsLD of a post whose password is no matter.
func (c *call) showsLDUnlocked(p *wpstore.Post) bool {
	if c.req.Viewer.User.ID == 0 {
		return p.Status == "publish"
	}
	if p.Status == "private" {
		return c.req.Viewer.User.Can("read_private_posts")
	}
	return c.req.Viewer.User.Can("read")
}

// writeEventLD writes "json_ld" of an event, or nothing.
func (c *call) writeEventLD(w *writer, set *loaded, p *wpstore.Post, m wpstore.Meta) {
	if !c.showsLD(p) {
		return
	}
	first := func(key string) string { v, _ := m.First(key); return v }
	url := c.ldURL(p)
	w.Key("json_ld")
	w.BeginObject()
	w.KeyString("@context", "http://schema.org")
	c.writeLDHead(w, set, p, m, "Event")
	w.KeyString("url", url)
	w.KeyString("eventAttendanceMode", "https://schema.org/OfflineEventAttendanceMode")
	status := "EventScheduled"
	switch first("_tribe_events_status") {
	case "canceled":
		status = "EventCancelled"
	case "postponed":
		status = "EventPostponed"
	}
	w.KeyString("eventStatus", "https://schema.org/"+status)
	w.KeyString("startDate", c.ldDate(m, "_EventStartDate"))
	w.KeyString("endDate", c.ldDate(m, "_EventEndDate"))
	for _, l := range []struct {
		kind *api.PostKind
		name string
	}{{api.Venues, "location"}, {api.Organizers, "organizer"}} {
		if id := firstLink(first(l.kind.LinkKey)); id > 0 {
			c.writeLinkedInLD(w, set, l.name, l.kind, id)
		}
	}
	c.writeOffers(w, p, m, url)
	w.KeyString("performer", "Organization")
	w.EndObject()
}

// ldURL is the permalink, with a trailing slash wherever permalinks are pretty.
// On the plain form the slash lands in the query, is encoded there, and added
// once more.
func (c *call) ldURL(p *wpstore.Post) string {
	url := c.permalink(p)
	if !c.req.Place.Links.Pretty {
		return url
	}
	if strings.Contains(url, "?") {
		url = phpform.AddQueryArg(url + "/")
	}
	return strings.TrimSuffix(url, "/") + "/"
}

// writeLDHead writes type, name, description and picture.
func (c *call) writeLDHead(w *writer, set *loaded, p *wpstore.Post, m wpstore.Meta, typ string) {
	w.KeyString("@type", typ)
	title := typography.Title(p.Title, c.req.Place.Site.Locale)
	if p.Password != "" {
		title = strings.Replace(c.req.Place.Words.Word("protected_title"), "%s", title, 1)
	} else if p.Status == "private" {
		title = strings.Replace(c.req.Place.Words.Word("private_title"), "%s", title, 1)
	}
	w.KeyString("name", escape.JS(title))
	w.KeyString("description", content.LDDescription(p.Excerpt, p.Content, c.req.Place.Text, set.media, set.state))
	if id := thumbnail(m); id > 0 {
		if a := set.media.Attachments[id]; a != nil {
			w.KeyString("image", a.FileURL(c.req.Place.Text.UploadsURL))
		} else {
			w.KeyBool("image", false)
		}
	}
}

// ldDate writes a stored date as ISO 8601 with the offset of the event's zone,
// or in the site's zone where the site shows all dates in that.
func (c *call) ldDate(m wpstore.Meta, key string) string {
	stored, _ := m.First(key)
	name, _ := m.First("_EventTimezone")
	zone := c.req.Place.Site.Zone
	if name != "" {
		var err error
		if zone, err = c.req.Place.Site.Zones.LiteralZone(name); err != nil {
			zone = time.UTC
		}
	}
	// The stored text is read in PHP's own zone, UTC, and its clock then taken for
	// local; so a missing date is the present UTC clock.
	read, err := c.req.Place.Site.Zones.Parse(stored, c.req.Clock.Present, time.UTC)
	if err != nil {
		return ""
	}
	at, err := time.ParseInLocation(api.MySQLTime, read.Wall(), zone)
	if err != nil {
		return ""
	}
	if c.req.Place.Site.SiteMode() {
		at = at.In(c.req.Place.Site.Zone)
	}
	return at.Format("2006-01-02T15:04:05-07:00")
}

// writeLinkedInLD writes the first venue or organizer; one that this client may
// not see is false.
func (c *call) writeLinkedInLD(w *writer, set *loaded, name string, kind *api.PostKind, id int64) {
	p := set.posts[set.translated(id, kind)]
	if p == nil || !c.showsLD(p) {
		w.KeyBool(name, false)
		return
	}
	w.Key(name)
	c.writeLinkedObject(w, set, kind, p, set.meta[p.ID])
}

// writeLinkedLD writes "json_ld" of a venue or organizer asked for by itself or
// shown inside a single event. What unlocks the post unlocks it too.
func (c *call) writeLinkedLD(w *writer, set *loaded, kind *api.PostKind, p *wpstore.Post, m wpstore.Meta) {
	if !c.showsLDUnlocked(p) {
		return
	}
	w.Key("json_ld")
	c.writeLinkedObject(w, set, kind, p, m)
}

func (c *call) writeLinkedObject(w *writer, set *loaded, kind *api.PostKind, p *wpstore.Post, m wpstore.Meta) {
	first := func(key string) string { v, _ := m.First(key); return v }
	w.BeginObject()
	if kind == api.Venues {
		c.writeLDHead(w, set, p, m, "Place")
		w.KeyString("url", "")
		w.KeyValue("address", ldAddress(first))
		w.KeyString("telephone", first("_VenuePhone"))
		w.KeyString("sameAs", first("_VenueURL"))
	} else {
		c.writeLDHead(w, set, p, m, "Person")
		website := escape.URL(escape.HTML(first("_OrganizerWebsite")), true)
		w.KeyString("url", website)
		w.KeyString("telephone", first("_OrganizerPhone"))
		w.KeyString("email", antispam(escape.HTML(first("_OrganizerEmail"))))
		w.KeyString("sameAs", website)
	}
	w.EndObject()
}

// passwordRequired says whether a post's password keeps this client's browser
// out: only WordPress's own cookie opens it.
func (c *call) passwordRequired(p *wpstore.Post) bool {
	if p.Password == "" {
		return false
	}
	c.cookieMatters = true
	return c.req.Viewer.PasswordRequired(p)
}

// lastCountry is the country of a venue; old sites store it as an array of code
// and name, of which the name comes last.
func lastCountry(stored string) string {
	list, ok := phpserial.Maybe(stored).(*php.Array)
	if !ok {
		return stored
	}
	last := ""
	for _, v := range list.All() {
		last = php.ToString(v)
	}
	return last
}

// antispam hides an e-mail address from harvesters. The reference writes each
// byte at random as itself or as a character reference; only the at sign is
// always hidden. Hiding that, and all bytes that are not ASCII, is one of its
// possible outputs, and the same each time, so that answers can be cached and
// compared.
func antispam(email string) string {
	var out strings.Builder
	for i := range len(email) {
		if b := email[i]; b == '@' || b >= 0x80 {
			fmt.Fprintf(&out, "&#%d;", b)
		} else {
			out.WriteByte(b)
		}
	}
	return out.String()
}

// ldAddress leaves out what is empty.
func ldAddress(first func(string) string) *php.Array {
	out := &php.Array{}
	out.SetString("@type", "PostalAddress")
	country := lastCountry(first("_VenueCountry"))
	region := first("_VenueStateProvince")
	if php.Empty(region) {
		if country == "United States" {
			region = first("_VenueState")
		} else {
			region = first("_VenueProvince")
		}
	}
	for _, f := range []struct{ name, value string }{
		{"streetAddress", escape.HTML(first("_VenueAddress"))}, {"addressLocality", escape.HTML(first("_VenueCity"))},
		{"addressRegion", region}, {"postalCode", escape.HTML(first("_VenueZip"))}, {"addressCountry", escape.HTML(country)},
	} {
		if !php.Empty(f.value) {
			out.SetString(f.name, f.value)
		}
	}
	return out
}

// writeOffers writes the price, where there is one.
func (c *call) writeOffers(w *writer, p *wpstore.Post, m wpstore.Meta, url string) {
	price := c.formatCost(eventCosts(m.All("_EventCost"), c.req.Place.Site.Facts.WPLang), nil)
	if price == "" {
		return
	}
	if price == c.req.Place.Words.Word("free") {
		price = "0"
	}
	code, _ := m.First("_EventCurrencyCode")
	if php.Empty(code) {
		code = c.req.Place.Site.OptionText("defaultCurrencyCode", "USD")
	}
	w.Key("offers")
	w.BeginObject()
	w.KeyString("@type", "Offer")
	w.KeyString("price", price)
	w.KeyString("priceCurrency", code)
	w.KeyString("url", url)
	w.KeyString("category", "primary")
	w.KeyString("availability", "inStock")
	w.KeyString("validFrom", c.validFrom(p))
	w.EndObject()
}

// validFrom is the publication day as the site writes dates, read back in UTC: a
// format that PHP cannot read gives 1970.
func (c *call) validFrom(p *wpstore.Post) string {
	at := time.Unix(0, 0)
	if published, err := time.ParseInLocation(api.MySQLTime, p.Date, c.req.Place.Site.Zone); err == nil {
		if unix, ok := c.req.Place.Site.Zones.Strtotime(phpdate.Format(published, c.req.Place.Site.Facts.DateFormat), c.req.Clock.Present, time.UTC); ok {
			at = time.Unix(unix, 0)
		}
	}
	return at.UTC().Format("2006-01-02T15:04:05-07:00")
}
