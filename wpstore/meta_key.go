package wpstore

import (
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// MetaKey is a key of the metadata of posts that responses read. [MetaRules] has the rule of each.
type MetaKey uint8

// The keys of events.
const (
	MetaAllDay MetaKey = iota
	MetaStart
	MetaEnd
	MetaStartUTC
	MetaEndUTC
	MetaTimezone
	MetaTimezoneAbbr
	MetaCost
	MetaCurrencySymbol
	MetaCurrencyCode
	MetaCurrencyPosition
	MetaWebsite
	MetaShowMap
	MetaShowMapLink
	MetaHidden
	MetaFeatured
	MetaStatus
	MetaVenue
	MetaOrganizer
)

// The keys of all kinds of posts.
const (
	MetaThumbnail MetaKey = MetaOrganizer + 1 + iota
	MetaLineage
)

// The keys of venues and organizers.
const (
	MetaVenueAddress MetaKey = MetaLineage + 1 + iota
	MetaVenueCity
	MetaVenueCountry
	MetaVenueProvince
	MetaVenueState
	MetaVenueStateProvince
	MetaVenueZip
	MetaVenuePhone
	MetaVenueURL
	MetaVenueShowMap
	MetaVenueShowMapLink
	MetaVenueLatitude
	MetaVenueLongitude
	MetaOrganizerPhone
	MetaOrganizerWebsite
	MetaOrganizerEmail
)

// The keys of attachments and tickets.
const (
	MetaFile MetaKey = MetaOrganizerEmail + 1 + iota
	MetaFileSizes
	MetaFileAlt
	MetaTicketPrice
	MetaTicketStock
	MetaTicketManageStock
	MetaTicketCapacity
	MetaTicketStart
	MetaTicketEnd
)

// MetaReading is a way in which PHP turns the rows of a key into a value. The zero value means
// that a part of responses doesn't read the key.
type MetaReading uint8

// The readings of the first row as it is stored, serialized or not.
const (
	StoredText    MetaReading = 1 + iota
	StoredOrNull              // null is shown for a missing value
	StoredOrLink              // the event's own address is shown for a missing value
	StoredTrue                // PHP's (bool), true for a missing value
	StoredSetting             // a setting of The Events Calendar, false for a missing value
	StoredOn                  // a setting, true for a missing value
	StoredYes                 // whether it is "yes"
	StoredOne                 // whether it equals 1 under PHP's ==
)

// The readings of the first row as WordPress reads a single value: unserialized.
const (
	Printed        MetaReading = StoredOne + 1 + iota // as text
	PrintedSetting                                    // as text, then a setting of The Events Calendar
	PrintedLast                                       // as text; of an array the last element
	Cast                                              // as an integer
	Unserialized                                      // as a value of PHP
)

// The readings of all rows, each unserialized.
const (
	EachRow     MetaReading = Unserialized + 1 + iota // a value of each row
	EachElement                                       // elements of arrays count as rows
	EachID                                            // positive integers; elements of arrays count as rows
)

// String describes the reading, with what is shown where there is no row, or NULL in the first.
func (r MetaReading) String() string {
	return [...]string{
		0:              "–",
		StoredText:     "as stored; missing: empty",
		StoredOrNull:   "as stored; missing: `null`",
		StoredOrLink:   "as stored; missing: the event's address",
		StoredTrue:     "true unless stored empty or as `0`; missing: true",
		StoredSetting:  "true if stored as `1`, `yes`, `true`, `on` …; missing: false",
		StoredOn:       "true if stored as `1`, `yes`, `true`, `on` …; missing: true",
		StoredYes:      "true if stored as `yes`; missing: false",
		StoredOne:      "true if stored as a number that equals 1; missing: false",
		Printed:        "unserialized, as text; missing: empty",
		PrintedSetting: "unserialized, true if `1`, `yes`, `true`, `on` …; missing: false",
		PrintedLast:    "unserialized, of an array the last element, as text; missing: empty",
		Cast:           "unserialized, as an integer, 1 for an array that isn't empty; missing: 0",
		Unserialized:   "unserialized; missing: none",
		EachRow:        "each row, unserialized; `NULL` as empty text",
		EachElement:    "each row, unserialized, and each element of arrays; missing: left out",
		EachID:         "each row, unserialized, and each element of arrays, as integers; missing: left out",
	}[r]
}

// MetaEvidence names how it is known that PHP reads a key so.
type MetaEvidence string

// Recorded readings are seen in the reference's responses for NULL or serialized values. Specified
// ones are seen for plain texts. Of assumed ones nothing is seen: they are what calbridge does.
const (
	Recorded  MetaEvidence = "recorded"
	Specified MetaEvidence = "specified"
	Assumed   MetaEvidence = "assumed"
)

// MetaRule describes how responses read a key.
type MetaRule struct {
	Key string
	// Field is the reading of the fields of posts, tickets and files.
	Field      MetaReading
	FieldShown MetaEvidence
	// Single is the reading of structured data, iCalendar exports and feeds.
	Single      MetaReading
	SingleShown MetaEvidence
}

// metaRules is indexed by MetaKey.
var metaRules = [...]MetaRule{
	MetaAllDay:             {"_EventAllDay", StoredSetting, Specified, PrintedSetting, Assumed},
	MetaStart:              {"_EventStartDate", StoredOrNull, Recorded, Printed, Assumed},
	MetaEnd:                {"_EventEndDate", StoredOrNull, Specified, Printed, Assumed},
	MetaStartUTC:           {"_EventStartDateUTC", StoredOrNull, Specified, Printed, Assumed},
	MetaEndUTC:             {"_EventEndDateUTC", StoredOrNull, Specified, Printed, Assumed},
	MetaTimezone:           {"_EventTimezone", StoredText, Recorded, Printed, Assumed},
	MetaTimezoneAbbr:       {"_EventTimezoneAbbr", StoredText, Specified, 0, ""},
	MetaCost:               {"_EventCost", EachElement, Recorded, EachElement, Assumed},
	MetaCurrencySymbol:     {"_EventCurrencySymbol", StoredText, Specified, 0, ""},
	MetaCurrencyCode:       {"_EventCurrencyCode", StoredText, Specified, StoredText, Assumed},
	MetaCurrencyPosition:   {"_EventCurrencyPosition", StoredText, Specified, 0, ""},
	MetaWebsite:            {"_EventURL", StoredOrLink, Recorded, 0, ""},
	MetaShowMap:            {"_EventShowMap", StoredTrue, Recorded, 0, ""},
	MetaShowMapLink:        {"_EventShowMapLink", StoredTrue, Recorded, 0, ""},
	MetaHidden:             {"_EventHideFromUpcoming", StoredYes, Specified, 0, ""},
	MetaFeatured:           {"_tribe_featured", StoredOne, Specified, 0, ""},
	MetaStatus:             {"_tribe_events_status", 0, "", Printed, Recorded},
	MetaVenue:              {VenueLink, EachID, Recorded, Cast, Recorded},
	MetaOrganizer:          {OrganizerLink, EachID, Recorded, Cast, Recorded},
	MetaThumbnail:          {"_thumbnail_id", Cast, Recorded, Cast, Recorded},
	MetaLineage:            {"_tribe_aggregator_global_id_lineage", EachRow, Recorded, 0, ""},
	MetaVenueAddress:       {"_VenueAddress", StoredText, Specified, Printed, Assumed},
	MetaVenueCity:          {"_VenueCity", StoredText, Recorded, Printed, Recorded},
	MetaVenueCountry:       {"_VenueCountry", StoredText, Specified, PrintedLast, Assumed},
	MetaVenueProvince:      {"_VenueProvince", StoredText, Specified, Printed, Assumed},
	MetaVenueState:         {"_VenueState", StoredText, Specified, Printed, Assumed},
	MetaVenueStateProvince: {"_VenueStateProvince", StoredText, Specified, Printed, Assumed},
	MetaVenueZip:           {"_VenueZip", StoredText, Specified, Printed, Assumed},
	MetaVenuePhone:         {"_VenuePhone", StoredText, Recorded, Printed, Recorded},
	MetaVenueURL:           {"_VenueURL", StoredText, Specified, Printed, Assumed},
	MetaVenueShowMap:       {"_VenueShowMap", StoredOn, Recorded, 0, ""},
	MetaVenueShowMapLink:   {"_VenueShowMapLink", StoredOn, Recorded, 0, ""},
	MetaVenueLatitude:      {"_VenueLat", 0, "", Printed, Assumed},
	MetaVenueLongitude:     {"_VenueLng", 0, "", Printed, Assumed},
	MetaOrganizerPhone:     {"_OrganizerPhone", StoredText, Specified, Printed, Assumed},
	MetaOrganizerWebsite:   {"_OrganizerWebsite", StoredText, Specified, Printed, Assumed},
	MetaOrganizerEmail:     {"_OrganizerEmail", StoredText, Specified, Printed, Assumed},
	MetaFile:               {"_wp_attached_file", StoredText, Assumed, 0, ""},
	MetaFileSizes:          {"_wp_attachment_metadata", Unserialized, Specified, 0, ""},
	MetaFileAlt:            {"_wp_attachment_image_alt", StoredText, Assumed, 0, ""},
	MetaTicketPrice:        {TicketPrice, 0, "", StoredText, Assumed},
	MetaTicketStock:        {TicketStock, 0, "", StoredText, Assumed},
	MetaTicketManageStock:  {TicketManageStock, 0, "", StoredText, Assumed},
	MetaTicketCapacity:     {TicketCapacity, 0, "", StoredText, Assumed},
	MetaTicketStart:        {TicketStart, 0, "", StoredText, Assumed},
	MetaTicketEnd:          {TicketEnd, 0, "", StoredText, Assumed},
}

// MetaRules returns the rules of all keys, in the order of the keys.
func MetaRules() []MetaRule { return append([]MetaRule(nil), metaRules[:]...) }

// Name returns the key as it is stored.
func (k MetaKey) Name() string { return metaRules[k].Key }

// Field reads the first row of a key as the fields of posts, tickets and files do.
func (m Meta) Field(k MetaKey) MetaValue { return m.read(metaRules[k].Key, metaRules[k].Field) }

// Single reads the first row of a key as structured data, iCalendar exports and feeds do.
func (m Meta) Single(k MetaKey) MetaValue { return m.read(metaRules[k].Key, metaRules[k].Single) }

func (m Meta) read(key string, as MetaReading) MetaValue {
	stored, present := m.First(key)
	v := MetaValue{as: as, text: stored, Present: present}
	if as >= Printed && phpserial.LooksSerialized(stored) {
		v.unserialized, v.value = true, phpserial.Maybe(stored)
		v.text = php.ToString(v.value)
		if list, ok := v.value.(*php.Array); ok && as == PrintedLast {
			v.text = ""
			if values := list.Values(); len(values) > 0 {
				v.text = php.ToString(values[len(values)-1])
			}
		}
	}
	return v
}

// MetaValue is the first value of a key as its rule reads it.
type MetaValue struct {
	// Present reports whether there is a row, and its value isn't NULL.
	Present bool

	as           MetaReading
	text         string
	unserialized bool
	value        php.Value // the value that was unserialized
}

// Text returns the value as text, "" for a missing one.
func (v MetaValue) Text() string { return v.text }

// Int returns the value as PHP converts it to an integer, 0 for a missing one.
func (v MetaValue) Int() int64 {
	if v.unserialized {
		return php.ToInt(v.value)
	}
	return php.ToInt(v.text)
}

// Bool reports whether the value is true by the rule of its key.
func (v MetaValue) Bool() bool {
	switch v.as {
	case StoredTrue:
		return !v.Present || php.ToBool(v.text)
	case StoredOn:
		return !v.Present || php.Truthy(v.text)
	case StoredYes:
		return v.text == "yes"
	case StoredOne:
		return php.IsNumericString(v.text) && php.ToFloat(v.text) == 1
	}
	return php.Truthy(v.text)
}
