package render

import (
	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render/jsonld"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// event writes an event. single adds the structured data, also of linked posts; locked
// blanks the fields that a password protects.
func (w postWriter) event(p *wpstore.Post, single, locked bool) {
	set := w.set
	m := set.rows.Meta[p.ID]
	if !locked {
		set.renderLinked(m)
	}

	w.BeginObject()
	w.KeyInt("id", p.ID)
	writeGlobalID(w.Writer, w.place.GlobalID, p, m)
	writePostFields(w.Writer, p, w.permalink(p))
	w.KeyString("rest_url", w.self.Item(tribev1.Collection(api.Events), p.ID))
	w.KeyString("title", w.place.Text.Title(p.Title))
	if locked {
		writeLockedTexts(w.Writer, p)
	} else {
		own := set.texts.of(p)
		w.KeyString("description", own.description)
		w.KeyString("excerpt", own.excerpt)
		w.KeyString("slug", p.Name)
		w.KeyValue("image", set.image(m))
		w.KeyBool("all_day", m.Field(wpstore.MetaAllDay).Bool())
	}
	for _, d := range eventDateFields {
		v := m.Field(d.key)
		if v.Present {
			w.KeyString(d.field, v.Text())
		} else {
			w.KeyNull(d.field)
		}
		w.Key(d.field + "_details")
		writeDateParts(w.Writer, dateParts(w.place.Site.Zones, w.clock, v.Text()))
	}
	w.KeyString("timezone", m.Field(wpstore.MetaTimezone).Text())
	w.KeyString("timezone_abbr", m.Field(wpstore.MetaTimezoneAbbr).Text())
	if locked {
		writeLockedRest(w.Writer, set.past)
	} else {
		writeCost(w.Writer, w.place, m, currencyOf(m, set.tickets.of(p.ID), w.place.Site), hasRSVP(set.tickets.of(p.ID)))
		w.eventDetails(p, m, single)
	}
	if single {
		set.ld.Event(w.Writer, jsonld.Post{Post: p, Meta: m, Tickets: set.tickets.of(p.ID)}, set.firstLinks(m))
	}
	set.tickets.write(w.Writer, p.ID, w.viewer.ManagesAttendees(), locked)
	w.EndObject()
}

// eventDateFields maps the date fields to the metas that hold them.
var eventDateFields = []struct {
	field string
	key   wpstore.MetaKey
}{
	{"start_date", wpstore.MetaStart}, {"end_date", wpstore.MetaEnd},
	{"utc_start_date", wpstore.MetaStartUTC}, {"utc_end_date", wpstore.MetaEndUTC},
}

func (w postWriter) eventDetails(p *wpstore.Post, m wpstore.Meta, single bool) {
	if website := m.Field(wpstore.MetaWebsite); website.Present {
		w.KeyString("website", w.place.Text.Escape().HTML(website.Text()))
	} else {
		w.KeyString("website", w.permalink(p))
	}
	w.KeyBool("show_map", m.Field(wpstore.MetaShowMap).Bool())
	w.KeyBool("show_map_link", m.Field(wpstore.MetaShowMapLink).Bool())
	w.KeyBool("hide_from_listings", m.Field(wpstore.MetaHidden).Bool())
	w.KeyBool("sticky", p.MenuOrder == -1)
	w.KeyBool("featured", m.Field(wpstore.MetaFeatured).Bool())
	for _, tax := range []*api.TaxonomyKind{api.Categories, api.Tags} {
		w.Key(tribev1.TermCollection(tax))
		w.BeginList()
		for _, t := range w.set.rows.Terms[p.ID] {
			if t.Taxonomy == tax.Name {
				InEvent(w.Writer, w.links, tax, t)
			}
		}
		w.EndList()
	}
	w.linked(m, single)
	if !w.set.past.noCustomFields {
		writeCustomFields(w.Writer, w.place.Site, m)
	}
}

// linked writes the venue, an object where there is exactly one, and the
// organizers, always a list.
func (w postWriter) linked(m wpstore.Meta, single bool) {
	for _, kind := range []*api.PostKind{api.Venues, api.Organizers} {
		posts := w.set.linkedPosts(m, kind)
		w.Key(tribev1.Singular(kind))
		asList := kind == api.Organizers || len(posts) != 1
		if asList {
			w.BeginList()
		}
		for _, p := range posts {
			w.linkedPost(kind, p, single, w.set.locksLink(p))
		}
		if asList {
			w.EndList()
		}
	}
}

// writeLockedTexts and writeLockedRest write the fields of an event that a password blanks in
// lists.
func writeLockedTexts(w *phpjson.Writer, p *wpstore.Post) {
	w.KeyString("description", "")
	w.KeyString("excerpt", "")
	w.KeyString("slug", p.Name)
	w.KeyBool("image", false)
	w.KeyNull("all_day")
}

func writeLockedRest(w *phpjson.Writer, past past) {
	w.KeyString("cost", "")
	w.Key("cost_details")
	w.BeginObject()
	for _, name := range [...]string{"currency_symbol", "currency_position", "currency_code"} {
		w.KeyString(name, "")
	}
	w.KeyValue("values", (*php.Array)(nil))
	w.EndObject()
	w.KeyString("website", "")
	for _, name := range [...]string{"show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
		w.KeyNull(name)
	}
	for _, name := range [...]string{"categories", "tags", "venue", "organizer"} {
		w.KeyValue(name, (*php.Array)(nil))
	}
	if !past.noCustomFields {
		w.KeyValue("custom_fields", (*php.Array)(nil))
	}
}
