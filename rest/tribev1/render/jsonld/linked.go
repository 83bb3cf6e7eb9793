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
	first := func(key wpstore.MetaKey) string { return p.Meta.Single(key).Text() }
	w.BeginObject()
	if kind == api.Venues {
		l.writeHead(w, p, "Place")
		w.KeyString("url", "")
		w.KeyValue("address", address(p.Meta, l.Place.Text.Escape()))
		w.KeyString("telephone", first(wpstore.MetaVenuePhone))
		w.KeyString("sameAs", first(wpstore.MetaVenueURL))
	} else {
		l.writeHead(w, p, "Person")
		rules := l.Place.Text.Escape()
		website := rules.URL(rules.HTML(first(wpstore.MetaOrganizerWebsite)))
		w.KeyString("url", website)
		w.KeyString("telephone", first(wpstore.MetaOrganizerPhone))
		w.KeyString("email", antispam(rules.HTML(first(wpstore.MetaOrganizerEmail))))
		w.KeyString("sameAs", website)
	}
	w.EndObject()
}

// address writes the parts that are not empty.
func address(m wpstore.Meta, rules escape.Rules) *php.Array {
	first := func(key wpstore.MetaKey) string { return m.Single(key).Text() }
	out := &php.Array{}
	out.SetString("@type", "PostalAddress")
	country := first(wpstore.MetaVenueCountry)
	region := first(wpstore.MetaVenueStateProvince)
	switch {
	case !php.Empty(region):
	case country == "United States":
		region = first(wpstore.MetaVenueState)
	default:
		region = first(wpstore.MetaVenueProvince)
	}
	for _, f := range []struct{ name, value string }{
		{"streetAddress", rules.HTML(first(wpstore.MetaVenueAddress))}, {"addressLocality", rules.HTML(first(wpstore.MetaVenueCity))},
		{"addressRegion", region}, {"postalCode", rules.HTML(first(wpstore.MetaVenueZip))}, {"addressCountry", rules.HTML(country)},
	} {
		if !php.Empty(f.value) {
			out.SetString(f.name, f.value)
		}
	}
	return out
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
