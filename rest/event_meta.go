package rest

import (
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wptext/escape"
	"calbridge/rest/wptext/sanitize"
	"calbridge/wpstore/php"
)

// writeMeta brings the event's metadata into the state that the request asks for,
// row by row in the order of the reference.
func (w *eventWrite) writeMeta(venue int64, organizers []int64) {
	m := w.edit.Meta
	m.AddOnce(api.Events.OriginKey(), "events-calendar")
	w.writeFlag("_EventShowMapLink", "show_map_link")
	w.writeFlag("_EventShowMap", "show_map")
	if w.edit.Status != "inherit" {
		if venue != 0 {
			// A venue is one: where a block names another, that one comes first.
			w.link(api.Venues.LinkKey, w.inBlockOrder([]int64{venue}, api.Venues)[:1])
		}
		w.link(api.Organizers.LinkKey, w.inBlockOrder(organizers, api.Organizers))
	}
	writeThumbnail(m, w.image)
	w.writeAllDay()
	w.writeDates()
	w.writeCost()
	if url := w.website(); url != "" || !w.created {
		m.Update("_EventURL", url)
	}
	if php.ToBool(w.req.Get("hide_from_listings")) {
		m.Update("_EventHideFromUpcoming", "yes")
	} else {
		m.Delete("_EventHideFromUpcoming")
	}
	m.Update("_EventTimezone", w.text1(w.zone))
	m.Update("_EventTimezoneAbbr", w.abbreviation())
	if php.ToBool(w.req.Get("featured")) {
		m.Update("_tribe_featured", "1")
	} else {
		m.Delete("_tribe_featured")
	}
}

// writeFlag stores a yes or no. The reference resets it on the way, so that a yes
// always counts as a change.
func (w *eventWrite) writeFlag(key, name string) {
	yes := php.ToBool(w.req.Get(name))
	if !yes || !w.created {
		w.edit.Meta.Update(key, "")
	}
	if yes {
		w.edit.Meta.Update(key, "1")
	}
}

// writeAllDay makes the row anew whenever it is false.
func (w *eventWrite) writeAllDay() {
	m := w.edit.Meta
	yes, no := "1", ""
	if !w.req.Place.Text.TECBlocks {
		yes, no = "yes", "no"
	}
	switch {
	case w.allDay():
		m.Update("_EventAllDay", yes)
	case !w.created:
		m.Delete("_EventAllDay")
		m.Add("_EventAllDay", no)
	}
}

func (w *eventWrite) writeDates() {
	m, d := w.edit.Meta, w.dates
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
	case !w.allDay():
		m.Update("_EventDuration", php.ToString(d.duration))
	case w.req.Place.Site.Compat.Fixed(): // known difference F4
		m.Delete("_EventDuration")
	}
}

// abbreviation is that of the event's zone when it starts.
func (w *eventWrite) abbreviation() string {
	start := w.req.Clock.At
	if stored, _ := w.edit.Meta.First("_EventStartDate"); stored != "" {
		if t, ok := w.instantIn(w.zone, stored); ok {
			start = t
		} else if t, err := time.Parse(api.MySQLTime, stored); err == nil {
			start = t
		}
	}
	abbreviation, err := w.req.Place.Site.Zones.StoredAbbr(w.zone, start)
	if err != nil {
		return ""
	}
	return abbreviation
}

// website is the event's address without the characters that no address has.
func (w *eventWrite) website() string {
	v := php.ToString(w.req.Get("website"))
	return w.text1(strings.Map(func(r rune) rune {
		if r > ' ' && r < 0x7f {
			return r
		}
		return -1
	}, v))
}

// markup undoes the encoding of the signs that mean something in HTML.
var markup = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">", "&quot;", `"`, "&#039;", "'", "&apos;", "'")

// text1 is a text as a meta of an event holds it.
func (w *eventWrite) text1(s string) string { return w.stored(sanitize.StripTags(markup.Replace(s))) }

// stored is what saving makes of a text: sites with the block editor filter it.
func (w *eventWrite) stored(s string) string {
	if w.req.Place.Text.TECBlocks {
		s = sanitize.TextField(s)
	}
	return escape.StripSlashes(s)
}
