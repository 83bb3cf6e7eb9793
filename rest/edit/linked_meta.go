package edit

import (
	"calbridge/rest/api"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
)

// input gives the value of a field of a venue or an organizer, nil where there is
// none: that of a request, or of the data inside of an event.
type input func(name string) php.Value

// linkedMeta writes the metadata of one venue or organizer.
type linkedMeta struct {
	*rowedit.MetaEdit
	kind  *api.PostKind
	in    input
	text  metaText
	words *api.Wording
}

// storedField is a field and the meta that holds it.
type storedField struct{ field, key string }

// The fields of each kind in the order in which they are stored. stateprovince is derived where it is not given.
var (
	venueWritten = []storedField{
		{"address", "_VenueAddress"}, {"city", "_VenueCity"}, {"country", "_VenueCountry"},
		{"province", "_VenueProvince"}, {"state", "_VenueState"}, {"stateprovince", "_VenueStateProvince"},
		{"zip", "_VenueZip"}, {"phone", "_VenuePhone"}, {"website", "_VenueURL"},
	}
	organizerWritten = []storedField{
		{"phone", "_OrganizerPhone"}, {"website", "_OrganizerWebsite"}, {"email", "_OrganizerEmail"},
	}
)

// writeShared writes what every save sets: whether maps are shown, which they are
// unless the request says no, and the picture, which goes unless it is named.
func (m *linkedMeta) writeShared(image int64) {
	if m.kind == api.Venues {
		link, shown := m.flag("show_map_link"), m.flag("show_map")
		m.Update("_EventShowMapLink", link)
		m.Update("_EventShowMap", shown)
		m.Update("_VenueShowMapLink", link)
		m.Update("_VenueShowMap", shown)
	}
	writeThumbnail(m.MetaEdit, image)
}

// flag is how a venue's yes or no is stored.
func (m *linkedMeta) flag(name string) string {
	switch v := m.in(name); {
	case v == nil || php.Truthy(v):
		return "1"
	case bool(m.text):
		return ""
	}
	return "false"
}

// writeCreated writes the metas that only making a post leaves behind: columns of the
// post that the reference takes for fields.
func (m *linkedMeta) writeCreated(status, date, dateUTC string) {
	prefix := "_Venue"
	if m.kind == api.Organizers {
		prefix = "_Organizer"
	} else if id := m.in("id"); !php.Empty(id) {
		m.Update(prefix+"VenueID", m.text.field(id))
	}
	if author := php.ToInt(m.in("author")); author != 0 {
		m.Update(prefix+"post_author", php.ToString(author))
	}
	m.Update(prefix+"post_date", date)
	m.Update(prefix+"post_date_gmt", dateUTC)
	if m.kind == api.Organizers {
		m.Update(prefix+"post_status", status)
	}
	if description := m.in("description"); description != nil {
		m.Update(prefix+"Description", m.text.field(description))
	}
}

// writeFields writes what the request names, and the state or province of a venue
// always.
func (m *linkedMeta) writeFields() {
	if m.kind == api.Organizers {
		for _, f := range organizerWritten {
			if v := m.in(f.field); v != nil {
				m.Update(f.key, m.text.field(v))
			}
		}
		return
	}
	region := m.text.field(m.region())
	for _, f := range venueWritten {
		switch v := m.in(f.field); {
		case v == nil:
		case f.field == "stateprovince":
			m.Update(f.key, region)
		default:
			m.Update(f.key, m.text.field(v))
		}
	}
	if m.in("stateprovince") == nil {
		m.Update("_VenueStateProvince", region)
	}
}

// region is the state of a venue in the United States, or in no country, else its
// province, as far as this request names them.
func (m *linkedMeta) region() php.Value {
	if given := m.in("stateprovince"); !php.Empty(given) {
		return given
	}
	state, country := m.in("state"), php.ToString(m.in("country"))
	if !php.Empty(state) && (php.Empty(country) || country == "US" || country == "United States" || country == m.words.Word("united_states")) {
		return state
	}
	if province := m.in("province"); !php.Empty(province) {
		return province
	}
	return ""
}
