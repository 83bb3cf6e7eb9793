package render

import (
	"strconv"

	"calbridge/rest/cost"
	"calbridge/rest/phpjson"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
)

// writeGlobalID writes the global ids, by which a post can be followed across sites.
func writeGlobalID(w *phpjson.Writer, start string, p *wpstore.Post, m wpstore.Meta) {
	global := start + strconv.FormatInt(p.ID, 10)
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
func writePostFields(w *phpjson.Writer, p *wpstore.Post, url string) {
	w.KeyString("author", strconv.FormatInt(p.Author, 10))
	w.KeyString("status", p.Status)
	w.KeyString("date", p.Date)
	w.KeyString("date_utc", p.DateGMT)
	w.KeyString("modified", p.Modified)
	w.KeyString("modified_utc", p.ModifiedGMT)
	w.KeyString("url", url)
}

func (r *Renderer) permalink(p *wpstore.Post) string {
	return r.place.PostURL(p, r.viewer.Viewable(p))
}

func writeCost(w *phpjson.Writer, place *wpsite.Place, m wpstore.Meta) {
	locale := place.Site.Facts.WPLang
	costs := cost.Of(m.All("_EventCost"), locale)
	cur := cost.CurrencyOf(m, place.Site)
	w.KeyString("cost", cost.Format(costs, &cur, locale, place.Words))
	w.Key("cost_details")
	w.BeginObject()
	for _, f := range []struct{ field, key string }{
		{"currency_symbol", "_EventCurrencySymbol"}, {"currency_code", "_EventCurrencyCode"}, {"currency_position", "_EventCurrencyPosition"},
	} {
		v, _ := m.First(f.key)
		w.KeyString(f.field, v)
	}
	w.KeyValue("values", php.List(cost.Values(costs, place.Site.Locale)...))
	w.EndObject()
}

// writeCustomFields writes an add-on's additional fields, which the option
// custom-fields lists by name and label; an empty list without any.
func writeCustomFields(w *phpjson.Writer, site *wpsite.Site, m wpstore.Meta) {
	out := &php.Array{}
	if list, ok := site.Option("custom-fields").(*php.Array); ok {
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
