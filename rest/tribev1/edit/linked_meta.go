package edit

import (
	"slices"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
)

// input returns a field of a venue or an organizer, from its own request or from that of an
// event; nil for none.
type input func(name string) php.Value

// linkedMeta writes the metadata of one venue or organizer.
type linkedMeta struct {
	*rowedit.MetaEdit
	kind  *api.PostKind
	in    input
	text  metaText
	words *api.Wording
}

// storedField is a field and its meta key.
type storedField struct{ field, key string }

// The fields of each kind in the order in which they are stored. A missing stateprovince is
// derived.
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

// writeShared writes the metas that every save sets: whether maps are shown, by default yes, and
// the picture, by default none.
func (m *linkedMeta) writeShared(image int64) {
	if m.kind == api.Venues {
		for _, prefix := range []string{"_Event", "_Venue"} {
			m.Update(prefix+"ShowMapLink", m.flag("show_map_link"))
			m.Update(prefix+"ShowMap", m.flag("show_map"))
		}
	}
	writeThumbnail(m.MetaEdit, image)
}

// flag returns the stored form of a venue's yes or no.
func (m *linkedMeta) flag(name string) string {
	switch v := m.in(name); {
	case v == nil || php.Truthy(v):
		return "1"
	case bool(m.text):
		return ""
	}
	return "false"
}

// writeCreated writes the metas that only a new post gets: columns of the post that the reference
// treats as fields.
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

// writeFields writes the fields that the request names, and always the state or province of
// a venue.
func (m *linkedMeta) writeFields() {
	fields := organizerWritten
	if m.kind == api.Venues {
		fields = venueWritten
	}
	for _, f := range fields {
		v := m.in(f.field)
		if v != nil && f.field == "stateprovince" {
			v = m.region()
		}
		if v != nil {
			m.Update(f.key, m.text.field(v))
		}
	}
	if m.kind == api.Venues && m.in("stateprovince") == nil {
		m.Update("_VenueStateProvince", m.text.field(m.region()))
	}
}

// region returns the state of a venue in the United States or without a country, else its
// province, both from this request.
func (m *linkedMeta) region() php.Value {
	if given := m.in("stateprovince"); !php.Empty(given) {
		return given
	}
	state, country := m.in("state"), php.ToString(m.in("country"))
	unitedStates := []string{"US", "United States", m.words.Word("united_states")}
	if !php.Empty(state) && (php.Empty(country) || slices.Contains(unitedStates, country)) {
		return state
	}
	if province := m.in("province"); !php.Empty(province) {
		return province
	}
	return ""
}
