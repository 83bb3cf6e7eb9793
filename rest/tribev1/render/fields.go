package render

import (
	"strconv"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/cost"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// writeGlobalID writes the ids that follow a post across sites.
func writeGlobalID(w *phpjson.Writer, start string, p *wpstore.Post, m wpstore.Meta) {
	global := start + strconv.FormatInt(p.ID, 10)
	w.KeyString("global_id", global)
	w.Key("global_id_lineage")
	w.BeginList()
	w.String(global)
	for v := range m.Each(wpstore.MetaLineage.Name()) {
		w.Value(phpserial.Maybe(v))
	}
	w.EndList()
}

// writePostFields writes the columns that all three kinds show unchanged.
func writePostFields(w *phpjson.Writer, p *wpstore.Post, url string) {
	w.KeyString("author", strconv.FormatInt(p.Author, 10))
	w.KeyString("status", p.Status)
	w.KeyString("date", p.Date)
	w.KeyString("date_utc", p.DateGMT)
	w.KeyString("modified", p.Modified)
	w.KeyString("modified_utc", p.ModifiedGMT)
	w.KeyString("url", url)
}

// writeCost writes the cost in a currency. If free is set, an event without a cost is free.
func writeCost(w *phpjson.Writer, place *wpsite.Place, m wpstore.Meta, cur cost.Currency, free bool) {
	locale := place.Site.Facts.WPLang
	costs := cost.Of(m.All(wpstore.MetaCost.Name()), locale)
	text := cost.Format(costs, &cur, locale, place.Words)
	if text == "" && free {
		text = place.Words.Word("free")
	}
	w.KeyString("cost", text)
	w.Key("cost_details")
	w.BeginObject()
	for _, f := range []struct {
		field string
		key   wpstore.MetaKey
	}{
		{"currency_symbol", wpstore.MetaCurrencySymbol}, {"currency_code", wpstore.MetaCurrencyCode}, {"currency_position", wpstore.MetaCurrencyPosition},
	} {
		w.KeyString(f.field, m.Field(f.key).Text())
	}
	w.KeyValue("values", php.List(cost.Values(costs, place.Site.Locale)...))
	w.EndObject()
}

// writeCustomFields writes an add-on's additional fields, which the option custom-fields
// lists by name and label.
func writeCustomFields(w *phpjson.Writer, site *wpsite.Site, m wpstore.Meta) {
	out := &php.Array{}
	list, _ := site.Option("custom-fields").(*php.Array)
	for _, v := range list.All() {
		f, _ := v.(*php.Array)
		name := php.ToString(f.At("name"))
		if value, _ := m.First(name); f != nil && !php.Empty(value) {
			out.SetString(name, api.Object("label", f.At("label"), "value", phpserial.Maybe(value)))
		}
	}
	w.KeyValue("custom_fields", out)
}

// writeDateParts writes a date's parts, each as text.
func writeDateParts(w *phpjson.Writer, parts [6]string) {
	w.BeginObject()
	for i, name := range [...]string{"year", "month", "day", "hour", "minutes", "seconds"} {
		w.KeyString(name, parts[i])
	}
	w.EndObject()
}

// dateParts returns year, month, day, hour, minutes and seconds of a stored date, as text. PHP also
// parses other forms than the stored one. An invalid date is the epoch.
func dateParts(zones *phpdate.Zones, clock *api.Clock, stored string) [6]string {
	if len(stored) == len(api.MySQLTime) && api.IsStoredDate(stored) {
		return [6]string{stored[0:4], stored[5:7], stored[8:10], stored[11:13], stored[14:16], stored[17:19]}
	}
	t := time.Unix(0, 0).UTC()
	if stored != "" {
		if r, err := zones.Parse(stored, clock.Present, time.UTC); err == nil {
			t = r.Time.UTC()
		}
	}
	var out [6]string
	copy(out[:], strings.Fields(t.Format("2006 01 02 15 04 05")))
	return out
}
