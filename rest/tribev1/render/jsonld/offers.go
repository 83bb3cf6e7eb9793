package jsonld

import (
	"strings"
	"time"

	"calbridge/rest/cost"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpjson"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// writeOffers writes the price, if there is one.
func (l *Writer) writeOffers(w *phpjson.Writer, p Post, url string) {
	locale := l.Place.Site.Facts.WPLang
	price := cost.Format(cost.Of(p.Meta.All(wpstore.MetaCost.Name()), locale), nil, locale, l.Place.Words)
	if price == "" {
		return
	}
	if price == l.Place.Words.Word("free") {
		price = "0"
	}
	code := p.Meta.Single(wpstore.MetaCurrencyCode).Text()
	if php.Empty(code) {
		code = l.Place.Site.OptionText("defaultCurrencyCode", "USD")
	}
	w.Key("offers")
	w.BeginObject()
	w.KeyString("@type", "Offer")
	w.KeyString("price", price)
	w.KeyString("priceCurrency", code)
	w.KeyString("url", url)
	w.KeyString("category", "primary")
	w.KeyString("availability", "inStock")
	w.KeyString("validFrom", l.validFrom(p.Post))
	w.EndObject()
}

// validFrom returns the publication day, formatted by the site's date format and parsed in UTC.
// A format that PHP cannot parse gives 1970, and so does the zero date.
func (l *Writer) validFrom(p *wpstore.Post) string {
	at, zones := time.Unix(0, 0), l.Place.Site.Zones
	if published, err := zones.Parse(p.Date, l.Clock.Present, l.Place.Site.Zone); err == nil && p.Date != "" && p.Date != wpstore.NoDate {
		if unix, ok := zones.Strtotime(phpdate.Format(published.Time, l.Place.Site.Facts.DateFormat), l.Clock.Present, time.UTC); ok {
			at = time.Unix(unix, 0)
		}
	}
	return at.UTC().Format("2006-01-02T15:04:05-07:00")
}

// writeTickets writes an offer for each ticket.
func (l *Writer) writeTickets(w *phpjson.Writer, tickets []wpstore.Ticket, url string) {
	w.Key("offers")
	w.BeginList()
	for _, t := range tickets {
		w.BeginObject()
		w.KeyString("@type", "Offer")
		w.KeyString("url", url)
		w.KeyString("price", trimZeros(t.Meta.Single(wpstore.MetaTicketPrice).Text()))
		w.KeyString("category", "primary")
		w.KeyString("availability", availability(t.Meta))
		w.KeyString("priceCurrency", l.Place.Site.Tickets.Currency.Code)
		for _, f := range []struct {
			name string
			key  wpstore.MetaKey
		}{{"validFrom", wpstore.MetaTicketStart}, {"validThrough", wpstore.MetaTicketEnd}} {
			if day, ok := l.day(t.Meta.Single(f.key).Text()); ok {
				w.KeyString(f.name, day)
			}
		}
		w.EndObject()
	}
	w.EndList()
}

// trimZeros removes zeros at the end of a price's decimals. A ticket without a price is free.
func trimZeros(price string) string {
	if price == "" {
		return "0"
	}
	if !php.IsNumericString(price) || !strings.Contains(price, ".") {
		return price
	}
	return strings.TrimSuffix(strings.TrimRight(price, "0"), ".")
}

// fewTickets is the largest number of remaining tickets for which an offer states that there are
// few.
const fewTickets = 5

// availability reports whether there are tickets left, without regard to when they are sold.
func availability(m wpstore.Meta) string {
	managed, capacity := m.Single(wpstore.MetaTicketManageStock).Text(), m.Single(wpstore.MetaTicketCapacity).Text()
	stock := m.Single(wpstore.MetaTicketStock)
	left := stock.Int()
	switch {
	case managed == "no" || capacity == "-1" || stock.Text() == "":
		return "InStock"
	case left <= 0:
		return "SoldOut"
	case left <= fewTickets:
		return "LimitedAvailability"
	}
	return "InStock"
}

// day returns the day of a stored date or time, as midnight in UTC.
func (l *Writer) day(stored string) (string, bool) {
	const days = "2006-01-02"
	if stored == "" {
		return "", false
	}
	text, _, _ := strings.Cut(stored, " ")
	at, err := time.Parse(days, text)
	if err != nil {
		unix, ok := l.Place.Site.Zones.Strtotime(stored, l.Clock.Present, time.UTC)
		if !ok {
			return "", false
		}
		at = time.Unix(unix, 0).UTC()
	}
	return at.Format(days) + "T00:00:00+00:00", true
}
