package render

import (
	"calbridge/rest/api"
	"calbridge/rest/tribev1"
	"calbridge/rest/tribev1/render/jsonld"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// linkedField is a field of a venue or organizer with its meta key. blank reports that a password
// blanks it.
type linkedField struct {
	field string
	key   wpstore.MetaKey
	blank bool
}

var venueFields = []linkedField{
	{"address", wpstore.MetaVenueAddress, true}, {"city", wpstore.MetaVenueCity, true}, {"country", wpstore.MetaVenueCountry, true},
	{"province", wpstore.MetaVenueProvince, true}, {"state", wpstore.MetaVenueState, false}, {"zip", wpstore.MetaVenueZip, true},
	{"phone", wpstore.MetaVenuePhone, true}, {"website", wpstore.MetaVenueURL, true}, {"stateprovince", wpstore.MetaVenueStateProvince, true},
}

var organizerFields = []linkedField{
	{"phone", wpstore.MetaOrganizerPhone, true}, {"website", wpstore.MetaOrganizerWebsite, true}, {"email", wpstore.MetaOrganizerEmail, true},
}

// linkedPost writes a venue or an organizer, without its empty fields. locked blanks the remaining
// fields that a password protects.
func (w postWriter) linkedPost(kind *api.PostKind, p *wpstore.Post, single, locked bool) {
	set := w.set
	m := set.rows.Meta[p.ID]
	text := func(field, value string) {
		if php.Empty(value) {
			return
		}
		if locked {
			value = ""
		}
		w.KeyString(field, value)
	}
	w.BeginObject()
	w.KeyInt("id", p.ID)
	writePostFields(w.Writer, p, w.permalink(p))
	if title := w.place.Text.Title(p.Title); !php.Empty(title) {
		if locked {
			w.KeyValue(tribev1.Singular(kind), &php.Array{})
		} else {
			w.KeyString(tribev1.Singular(kind), title)
		}
	}
	own, rendered := set.linked[p.ID]
	if !rendered {
		own = set.textOf(p, locked)
	}
	text("description", own.description)
	text("excerpt", own.excerpt)
	if !php.Empty(p.Name) {
		w.KeyString("slug", p.Name)
	}
	if image := set.image(m); !php.Empty(image) {
		if locked {
			image = false
		}
		w.KeyValue("image", image)
	}
	fields := venueFields
	if kind == api.Organizers {
		fields = organizerFields
	}
	for _, f := range fields {
		v := m.Field(f.key).Text()
		if f.blank {
			text(f.field, v)
		} else if !php.Empty(v) {
			w.KeyString(f.field, v)
		}
	}
	if single && !locked {
		set.ld.Linked(w.Writer, kind, jsonld.Post{Post: p, Meta: m})
	}
	if kind == api.Venues {
		for _, f := range []struct {
			field string
			key   wpstore.MetaKey
		}{{"show_map", wpstore.MetaVenueShowMap}, {"show_map_link", wpstore.MetaVenueShowMapLink}} {
			if locked {
				w.KeyNull(f.field)
			} else {
				w.KeyBool(f.field, m.Field(f.key).Bool())
			}
		}
	}
	writeGlobalID(w.Writer, w.place.GlobalID, p, m)
	w.EndObject()
}
