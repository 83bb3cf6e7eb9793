package render

import (
	"calbridge/rest/phpjson"
	"calbridge/wpstore"
)

// writeLockedTexts and writeLockedRest blank what a password protects in lists,
// at the places where the fields stand.
func writeLockedTexts(w *phpjson.Writer, p *wpstore.Post) {
	w.KeyString("description", "")
	w.KeyString("excerpt", "")
	w.KeyString("slug", p.Name)
	w.KeyBool("image", false)
	w.KeyNull("all_day")
}

func writeLockedRest(w *phpjson.Writer) {
	w.KeyString("cost", "")
	w.Key("cost_details")
	w.BeginObject()
	for _, name := range [...]string{"currency_symbol", "currency_position", "currency_code"} {
		w.KeyString(name, "")
	}
	w.Key("values")
	w.BeginList()
	w.EndList()
	w.EndObject()
	w.KeyString("website", "")
	for _, name := range [...]string{"show_map", "show_map_link", "hide_from_listings", "sticky", "featured"} {
		w.KeyNull(name)
	}
	for _, name := range [...]string{"categories", "tags", "venue", "organizer", "custom_fields"} {
		w.Key(name)
		w.BeginList()
		w.EndList()
	}
}
