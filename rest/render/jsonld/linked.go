package jsonld

import (
	"fmt"
	"strings"

	"calbridge/rest/api"
	"calbridge/rest/phpjson"
	"calbridge/rest/trait"
	"calbridge/rest/wptext/escape"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// writeLink writes the first venue or organizer, or false for one that this client may not
// see.
func (l *Writer) writeLink(w *phpjson.Writer, link Link) {
	name := map[*api.PostKind]string{api.Venues: "location", api.Organizers: "organizer"}[link.Kind]
	if link.To.Post == nil || !l.shows(link.To.Post) {
		w.KeyBool(name, false)
		return
	}
	w.Key(name)
	l.writeLinked(w, link.Kind, link.To)
}

// Linked writes the member "json_ld" of a venue or organizer, single or in a single event.
// The caller has checked the post's password, unless the site ignores it.
func (l *Writer) Linked(w *phpjson.Writer, kind *api.PostKind, p Post) {
	shows := l.showsUnlocked
	if l.traits().Has(trait.LinkedPostsIgnorePasswords) {
		shows = l.shows
	}
	if !shows(p.Post) {
		return
	}
	w.Key("json_ld")
	l.writeLinked(w, kind, p)
}

func (l *Writer) writeLinked(w *phpjson.Writer, kind *api.PostKind, p Post) {
	first := p.Meta.Text
	w.BeginObject()
	if kind == api.Venues {
		l.writeHead(w, p, "Place")
		w.KeyString("url", "")
		w.KeyValue("address", address(p.Meta, l.Place.Text.Escape()))
		w.KeyString("telephone", first("_VenuePhone"))
		w.KeyString("sameAs", first("_VenueURL"))
	} else {
		l.writeHead(w, p, "Person")
		rules := l.Place.Text.Escape()
		website := rules.URL(rules.HTML(first("_OrganizerWebsite")))
		w.KeyString("url", website)
		w.KeyString("telephone", first("_OrganizerPhone"))
		w.KeyString("email", antispam(rules.HTML(first("_OrganizerEmail"))))
		w.KeyString("sameAs", website)
	}
	w.EndObject()
}

// address writes the parts that are not empty.
func address(m wpstore.Meta, rules escape.Rules) *php.Array {
	first := m.Text
	out := &php.Array{}
	out.SetString("@type", "PostalAddress")
	country := lastCountry(m.Value("_VenueCountry"))
	region := first("_VenueStateProvince")
	switch {
	case !php.Empty(region):
	case country == "United States":
		region = first("_VenueState")
	default:
		region = first("_VenueProvince")
	}
	for _, f := range []struct{ name, value string }{
		{"streetAddress", rules.HTML(first("_VenueAddress"))}, {"addressLocality", rules.HTML(first("_VenueCity"))},
		{"addressRegion", region}, {"postalCode", rules.HTML(first("_VenueZip"))}, {"addressCountry", rules.HTML(country)},
	} {
		if !php.Empty(f.value) {
			out.SetString(f.name, f.value)
		}
	}
	return out
}

// lastCountry returns the country of a venue, which old sites store as an array of code and name.
func lastCountry(stored php.Value) string {
	list, ok := stored.(*php.Array)
	switch {
	case !ok:
		return php.ToString(stored)
	case list.Len() == 0:
		return ""
	}
	return php.ToString(list.Values()[list.Len()-1])
}

// antispam hides an e-mail address from harvesters. The reference always encodes the at sign,
// and the other bytes at random. Encoding the at sign and all bytes that are not ASCII is one
// of its possible outputs, and constant, so that answers can be cached and compared (known
// difference D2).
func antispam(email string) string {
	var out strings.Builder
	for i := range len(email) {
		if b := email[i]; b == '@' || b >= 0x80 {
			fmt.Fprintf(&out, "&#%d;", b)
		} else {
			out.WriteByte(b)
		}
	}
	return out.String()
}
