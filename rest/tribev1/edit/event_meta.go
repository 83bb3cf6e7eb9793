package edit

import (
	"strings"

	"calbridge/rest/api"
	wpedit "calbridge/wpstore/edit"
	"calbridge/wpstore/php"
	"calbridge/wpstore/rowedit"
)

// eventMeta writes the metadata of one event.
type eventMeta struct {
	*rowedit.MetaEdit
	in      *api.Params
	reader  dateReader
	text    metaText
	created bool
	// fixed reports the level fixed.
	fixed bool
}

// write stores the metadata of e, row by row in the order of the reference.
func (m *eventMeta) write(e *wpedit.PostEdit, p *eventParts) {
	m.AddOnce(api.Events.OriginKey, "events-calendar")
	m.writeFlag("_EventShowMapLink", "show_map_link")
	m.writeFlag("_EventShowMap", "show_map")
	if e.Status != "inherit" {
		p.links.write(m.MetaEdit, e.Content)
	}
	writeThumbnail(m.MetaEdit, p.image)
	m.writeAllDay()
	m.writeDates(&p.dates)
	writeCost(m.MetaEdit, m.in.Get("cost"), m.text, m.created)
	if url := m.website(); url != "" || !m.created {
		m.Update("_EventURL", url)
	}
	m.writeIf("hide_from_listings", "_EventHideFromUpcoming", "yes")
	m.Update("_EventTimezone", m.text.plain(p.zone))
	start, _ := m.First("_EventStartDate")
	m.Update("_EventTimezoneAbbr", m.reader.abbreviation(p.zone, start))
	m.writeIf("featured", "_tribe_featured", "1")
}

// writeIf stores a value if a parameter is true, and deletes the row otherwise.
func (m *eventMeta) writeIf(name, key, value string) {
	if php.ToBool(m.in.Get(name)) {
		m.Update(key, value)
	} else {
		m.Delete(key)
	}
}

// writeFlag stores a yes or no. The reference resets it first, so that a yes is always a change.
func (m *eventMeta) writeFlag(key, name string) {
	yes := php.ToBool(m.in.Get(name))
	if !yes || !m.created {
		m.Update(key, "")
	}
	if yes {
		m.Update(key, "1")
	}
}

// writeAllDay deletes the row whenever it is false. An update then adds it again.
func (m *eventMeta) writeAllDay() {
	yes, no := "1", ""
	if !m.text {
		yes, no = "yes", "no"
	}
	if allDay(m.in) {
		m.Update("_EventAllDay", yes)
		return
	}
	m.Delete("_EventAllDay")
	if !m.created {
		m.Add("_EventAllDay", no)
	}
}

func (m *eventMeta) writeDates(d *writtenDates) {
	if !d.given {
		m.AddOnce("_EventStartDate", "")
		m.AddOnce("_EventEndDate", "")
		return
	}
	m.Update("_EventStartDate", d.start)
	m.Update("_EventEndDate", d.end)
	m.Update("_EventStartDateUTC", d.startUTC)
	m.Update("_EventEndDateUTC", d.endUTC)
	switch {
	case !allDay(m.in):
		m.Update("_EventDuration", php.ToString(d.duration))
	case m.fixed: // known difference F4
		m.Delete("_EventDuration")
	}
}

// website returns the event's address without characters that are invalid in addresses.
func (m *eventMeta) website() string {
	v := php.ToString(m.in.Get("website"))
	return m.text.plain(strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return -1
	}, v))
}
