package rest

import (
	"strconv"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/wptext/content"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/images"
	"calbridge/rest/wptext/typography"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// eventSingle answers GET /events/{id} and /events/by-slug/{slug}.
func (c *call) eventSingle() (*api.Response, error) {
	id, err := c.req.ItemID(c.ctx, api.Events)
	if err != nil {
		return nil, err
	}
	set, err := c.load([]int64{id}, loadEvents)
	if err != nil {
		return nil, err
	}
	p := set.posts[id]
	switch {
	case p == nil:
		return nil, api.Fail("rest-event-not-found", "id", strconv.FormatInt(id, 10))
	case p.Type != api.Events.PostType:
		return nil, api.Fail("rest-invalid-event-id")
	case p.Status == "trash":
		return nil, api.Fail("event-no-longer-available")
	case p.Status != "publish" && !c.req.Viewer.MayRead(p):
		return nil, api.Fail("event-not-accessible")
	case c.locked(p):
		return nil, api.Fail("event-password-protected")
	}
	w := c.newWriter()
	c.writeEventOnce(w, set, p, true)
	return &api.Response{Body: w.Bytes()}, nil
}

// writer builds the JSON of an answer.
type writer = phpjson.Writer

// newWriter returns one for the answer.
func (c *call) newWriter() *writer {
	c.writer = c.srv.buffers.Writer()
	return c.writer
}

// writeEvent writes the representation of an event. single adds the structured
// data, and asks for it in the linked posts too.
func (c *call) writeEvent(w *writer, set *loaded, p *wpstore.Post, single bool) {
	m := set.meta[p.ID]
	first := func(key string) string { v, _ := m.First(key); return v }
	locked := !single && c.locked(p)
	if !locked {
		c.renderLinked(set, m)
	}

	w.BeginObject()
	c.writeIdentity(w, p, m)
	c.writePostFields(w, p)
	w.KeyString("rest_url", c.req.Place.Links.Item(api.Events.Collection, p.ID))
	w.KeyString("title", typography.Title(p.Title, c.req.Place.Site.Locale))
	if locked {
		writeLockedTexts(w, p)
	} else {
		own := c.render(set, p)
		w.KeyString("description", own.description)
		w.KeyString("excerpt", own.excerpt)
		w.KeyString("slug", p.Name)
		w.KeyValue("image", c.image(set, m))
		w.KeyBool("all_day", php.Truthy(first("_EventAllDay")))
	}
	for _, d := range eventDateFields {
		v, ok := m.First(d.key)
		if ok {
			w.KeyString(d.field, v)
		} else {
			w.KeyNull(d.field)
		}
		c.writeDateDetails(w, d.field+"_details", v)
	}
	w.KeyString("timezone", first("_EventTimezone"))
	w.KeyString("timezone_abbr", first("_EventTimezoneAbbr"))
	if locked {
		writeLockedRest(w)
	} else {
		c.writeCost(w, m)
		c.writeEventDetails(w, set, p, m, single)
	}
	if single {
		c.writeEventLD(w, set, p, m)
	}
	w.EndObject()
}

// eventDateFields maps the date fields to the metas that hold them.
var eventDateFields = []struct{ field, key string }{
	{"start_date", "_EventStartDate"}, {"end_date", "_EventEndDate"},
	{"utc_start_date", "_EventStartDateUTC"}, {"utc_end_date", "_EventEndDateUTC"},
}

// writeIdentity writes id and the global ids, with which an event can be
// followed across sites.
func (c *call) writeIdentity(w *writer, p *wpstore.Post, m wpstore.Meta) {
	w.KeyInt("id", p.ID)
	c.writeGlobalID(w, p, m)
}

func (c *call) writeGlobalID(w *writer, p *wpstore.Post, m wpstore.Meta) {
	global := c.req.Place.GlobalID + strconv.FormatInt(p.ID, 10)
	w.KeyString("global_id", global)
	w.Key("global_id_lineage")
	w.BeginList()
	w.String(global)
	for _, v := range m.All("_tribe_aggregator_global_id_lineage") {
		w.String(v)
	}
	w.EndList()
}

// writePostFields writes what all three kinds take from the posts table as it
// stands.
func (c *call) writePostFields(w *writer, p *wpstore.Post) {
	w.KeyString("author", strconv.FormatInt(p.Author, 10))
	w.KeyString("status", p.Status)
	w.KeyString("date", p.Date)
	w.KeyString("date_utc", p.DateGMT)
	w.KeyString("modified", p.Modified)
	w.KeyString("modified_utc", p.ModifiedGMT)
	w.KeyString("url", c.permalink(p))
}

func (c *call) writeEventDetails(w *writer, set *loaded, p *wpstore.Post, m wpstore.Meta, single bool) {
	if website, ok := m.First("_EventURL"); ok {
		w.KeyString("website", escape.HTML(website))
	} else {
		w.KeyString("website", c.permalink(p))
	}
	for _, f := range []struct{ field, key string }{{"show_map", "_EventShowMap"}, {"show_map_link", "_EventShowMapLink"}} {
		v, ok := m.First(f.key)
		w.KeyBool(f.field, !ok || php.ToBool(v))
	}
	hidden, _ := m.First("_EventHideFromUpcoming")
	w.KeyBool("hide_from_listings", hidden == "yes")
	w.KeyBool("sticky", p.MenuOrder == -1)
	featured, _ := m.First("_tribe_featured")
	w.KeyBool("featured", php.IsNumericString(featured) && php.ToFloat(featured) == 1)
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		w.Key(tax.Collection)
		w.BeginList()
		for _, t := range set.terms[p.ID] {
			if t.Taxonomy == tax.Name {
				c.writeEmbeddedTerm(w, tax, t)
			}
		}
		w.EndList()
	}
	c.writeLinked(w, set, m, single)
	c.writeCustomFields(w, m)
}

// writeLinked writes the venue, an object where there is exactly one, and the
// organizers, always a list.
func (c *call) writeLinked(w *writer, set *loaded, m wpstore.Meta, single bool) {
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		posts := set.linked(m, kind)
		w.Key(kind.Singular)
		asList := kind == api.Organizers || len(posts) != 1
		if asList {
			w.BeginList()
		}
		for _, p := range posts {
			c.writeLinkedPost(w, set, kind, p, single, p.Password != "")
		}
		if asList {
			w.EndList()
		}
	}
}

// linked returns the existing posts that an event links to, in meta order,
// whatever their status and even their type.
func (set *loaded) linked(m wpstore.Meta, kind *api.PostKind) []*wpstore.Post {
	var out []*wpstore.Post
	for _, raw := range m.All(kind.LinkKey) {
		for _, id := range linkIDs(raw) {
			if p := set.posts[set.translated(id, kind)]; p != nil {
				out = append(out, p)
			}
		}
	}
	return out
}

// writeCustomFields writes an add-on's additional fields, which the option
// custom-fields lists by name and label; an empty list without any.
func (c *call) writeCustomFields(w *writer, m wpstore.Meta) {
	out := &php.Array{}
	if list, ok := c.req.Place.Site.Option("custom-fields").(*php.Array); ok {
		for _, v := range list.All() {
			f, ok := v.(*php.Array)
			if !ok {
				continue
			}
			name := php.ToString(f.At("name"))
			if value, _ := m.First(name); !php.Empty(value) {
				entry := &php.Array{}
				entry.SetString("label", f.At("label"))
				entry.SetString("value", phpserial.Maybe(value))
				out.SetString(name, entry)
			}
		}
	}
	w.KeyValue("custom_fields", out)
}

func (c *call) content(set *loaded, p *wpstore.Post) string {
	return content.Render(p.Content, c.req.Place.Text, set.media, set.state)
}

func (c *call) excerpt(set *loaded, p *wpstore.Post) string {
	if p.Excerpt == "" {
		return ""
	}
	opt := content.ExcerptOptions{
		Locale: c.req.Place.Site.Locale, UseSmilies: c.req.Place.Text.UseSmilies, SiteURL: c.req.Place.Text.SiteURL,
		TagFilter: func(html string) string { return images.CompleteTags(html, c.req.Place.Text, set.media, set.state) },
	}
	if c.req.Place.Text.FixInsecureHome {
		opt.FixHomeURL = func(s string) string { return content.SecureHomeURL(s, c.req.Place.Text.Home) }
	}
	return content.Excerpt(p.Excerpt, opt)
}

// writeDateDetails splits a stored date into its parts; what cannot be read is
// the epoch.
func (c *call) writeDateDetails(w *writer, field, stored string) {
	parts := c.dateParts(stored)
	w.Key(field)
	w.BeginObject()
	for i, name := range [...]string{"year", "month", "day", "hour", "minutes", "seconds"} {
		w.KeyString(name, parts[i])
	}
	w.EndObject()
}

// writeLockedTexts and writeLockedRest blank what a password protects in lists,
// at the places where the fields stand.
func writeLockedTexts(w *writer, p *wpstore.Post) {
	w.KeyString("description", "")
	w.KeyString("excerpt", "")
	w.KeyString("slug", p.Name)
	w.KeyBool("image", false)
	w.KeyNull("all_day")
}

func writeLockedRest(w *writer) {
	w.KeyString("cost", "")
	w.Key("cost_details")
	w.BeginObject()
	for _, name := range [...]string{"currency_symbol", "currency_position", "currency_code"} {
		w.KeyString(name, "")
	}
	w.Key("values")
	w.BeginList()
	w.EndList()
	w.EndObject()
	w.KeyString("website", "")
	for _, name := range [...]string{"show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
		w.KeyNull(name)
	}
	for _, name := range [...]string{"categories", "tags", "venue", "organizer", "custom_fields"} {
		w.Key(name)
		w.BeginList()
		w.EndList()
	}
}

func (c *call) locked(p *wpstore.Post) bool { return !c.unlocked && c.req.Viewer.Locked(p) }

func (c *call) permalink(p *wpstore.Post) string {
	return c.req.Place.PostURL(p, c.req.Viewer.Viewable(p))
}
