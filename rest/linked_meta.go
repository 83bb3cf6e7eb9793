package rest

import (
	"calbridge/rest/api"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// linkedMeta writes the metadata of one venue or organizer.
type linkedMeta struct {
	*call
	kind *api.PostKind
	meta *wpstore.MetaEdit
	in   input
	// image is the id of the picture, 0 for none.
	image int64
}

// linkedField is a field of a venue or organizer and the meta that holds it.
type linkedField struct{ field, key string }

// writtenFields lists the fields of each kind in the order in which they are
// stored. stateprovince is derived where it is not given.
var (
	venueWritten = []linkedField{
		{field: "address", key: "_VenueAddress"}, {field: "city", key: "_VenueCity"}, {field: "country", key: "_VenueCountry"},
		{field: "province", key: "_VenueProvince"}, {field: "state", key: "_VenueState"}, {field: "stateprovince", key: "_VenueStateProvince"},
		{field: "zip", key: "_VenueZip"}, {field: "phone", key: "_VenuePhone"}, {field: "website", key: "_VenueURL"},
	}
	organizerWritten = []linkedField{
		{field: "phone", key: "_OrganizerPhone"}, {field: "website", key: "_OrganizerWebsite"}, {field: "email", key: "_OrganizerEmail"},
	}
)

// shared writes what every save sets: whether maps are shown, which they are
// unless the request says no, and the picture, which goes unless it is named.
func (m *linkedMeta) shared() {
	if m.kind == api.Venues {
		link, shown := m.flag("show_map_link"), m.flag("show_map")
		m.meta.Update("_EventShowMapLink", link)
		m.meta.Update("_EventShowMap", shown)
		m.meta.Update("_VenueShowMapLink", link)
		m.meta.Update("_VenueShowMap", shown)
	}
	writeThumbnail(m.meta, m.image)
}

// flag is how a venue's yes or no is stored.
func (m *linkedMeta) flag(name string) string {
	switch v := m.in(name); {
	case v == nil || php.Truthy(v):
		return "1"
	case m.req.Place.Text.TECBlocks:
		return ""
	}
	return "false"
}

// created writes the metas that only making a post leaves behind: columns of the
// post that the reference takes for fields.
func (m *linkedMeta) created(status, date, dateUTC string) {
	prefix := "_Venue"
	if m.kind == api.Organizers {
		prefix = "_Organizer"
	} else if id := m.in("id"); !php.Empty(id) {
		m.meta.Update(prefix+"VenueID", m.storedText(id))
	}
	if author := php.ToInt(m.in("author")); author != 0 {
		m.meta.Update(prefix+"post_author", php.ToString(author))
	}
	m.meta.Update(prefix+"post_date", date)
	m.meta.Update(prefix+"post_date_gmt", dateUTC)
	if m.kind == api.Organizers {
		m.meta.Update(prefix+"post_status", status)
	}
	if description := m.in("description"); description != nil {
		m.meta.Update(prefix+"Description", m.storedText(description))
	}
}

// fields writes what the request names, and the state or province of a venue
// always.
func (m *linkedMeta) fields() {
	if m.kind == api.Organizers {
		for _, f := range organizerWritten {
			if v := m.in(f.field); v != nil {
				m.meta.Update(f.key, m.storedText(v))
			}
		}
		return
	}
	region := m.storedText(m.region())
	for _, f := range venueWritten {
		switch v := m.in(f.field); {
		case v == nil:
		case f.field == "stateprovince":
			m.meta.Update(f.key, region)
		default:
			m.meta.Update(f.key, m.storedText(v))
		}
	}
	if m.in("stateprovince") == nil {
		m.meta.Update("_VenueStateProvince", region)
	}
}

// region is the state of a venue in the United States, or in no country, else its
// province, as far as this request names them.
func (m *linkedMeta) region() php.Value {
	if given := m.in("stateprovince"); !php.Empty(given) {
		return given
	}
	state, country := m.in("state"), php.ToString(m.in("country"))
	if !php.Empty(state) && (php.Empty(country) || country == "US" || country == "United States" || country == m.req.Place.Words.Word("united_states")) {
		return state
	}
	if province := m.in("province"); !php.Empty(province) {
		return province
	}
	return ""
}
