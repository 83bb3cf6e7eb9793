package exporturl

import (
	"strings"

	"calbridge/rest/phpform"
	"calbridge/wpstore/php"
)

// Selection is which events an export has.
type Selection struct {
	// View is list, month, day, single-event, latest-past or reflector.
	View string
	// Past: the events are the latest past ones, the last of them first.
	Past bool
	// Date is the date that the view begins with, as it was written; "" is now.
	Date string
	// Offset is the number of events that earlier pages have.
	Offset int64
	// Categories and Tags are the terms asked for; nil without a filter.
	Categories, Tags []string
	Featured         bool
	// Search is the text to search for; nil without one.
	Search php.Value
}

// Limit is how many events an export has at most, unless the request names them.
const Limit = 30

// Variables are those of WordPress's main query, which decides whether the page exists.
type Variables struct {
	// Display is the view, "" without one, and Date the date of the path.
	Display, PathDate string
	// BarDate is the date of the calendar's own search form.
	BarDate string
	// Paged is the number of the page: that of the calendar's own links, else WordPress's.
	Paged int64
	// Typed: they name the type of post.
	Typed bool
}

// latestPast is the view of the latest past events.
const latestPast = "latest-past"

func known(view string) bool {
	switch view {
	case "list", "month", "day", "single-event", latestPast, "reflector":
		return true
	}
	return false
}

// choose reads view, date, page and filters.
func (r *Request) choose(s *Site, p *page, query *php.Array, ical php.Value) {
	named, word := r.viewOf(p, query, ical)
	r.View = named
	if !known(named) {
		r.View = s.DefaultView
		if !known(r.View) {
			r.View = "list"
		}
	}
	r.Past = r.View == "list" && word == "past" || r.View == latestPast

	r.Date = p.date
	bar, _ := query.At("view_data").(*php.Array)
	if v := text(bar.At("bar-date")); v != "" {
		r.Date = v
	} else if v, ok := first(query, "eventDate", "tribe-bar-date"); ok {
		r.Date = v
	}
	r.Offset = offset(s, p, query)
	r.Categories = terms(p.category, query, "tribe_events_cat")
	r.Tags = terms(p.tag, query, "tag")
	r.Featured = p.featured || php.Truthy(query.At("featured"))
	r.Search = search(query, bar)
}

// viewOf returns the word that names the view, and that which may name the past.
func (r *Request) viewOf(p *page, query *php.Array, ical php.Value) (view, past string) {
	past, _ = first(query, "view", "tribe_view", "tribe_event_display", "eventDisplay")
	if p.display != "" && p.display != "default" {
		return p.display, past
	}
	if v := text(query.At("eventDisplay")); v != "" && v != "default" {
		return v, past
	}
	if v, ok := first(query, "view", "tribe_view", "tribe_event_display"); ok {
		return v, past
	}
	if r.Kind == Event || r.Kind == ByID {
		if php.ToInt(ical) == 1 {
			return "single-event", past
		}
	}
	return "", past
}

// text returns a value as text, that of a list being its first one.
func text(v php.Value) string {
	if list, ok := v.(*php.Array); ok {
		for _, v := range list.All() {
			return text(v)
		}
		return ""
	}
	return php.ToString(v)
}

// first returns the value of the first argument that is present.
func first(query *php.Array, names ...string) (string, bool) {
	for _, name := range names {
		if v, ok := query.Lookup(name); ok {
			return text(v), true
		}
	}
	return "", false
}

// maxPage bounds page numbers and sizes, so that their product is a number.
const maxPage = 1 << 30

// offset returns the number of events before the page.
func offset(s *Site, p *page, query *php.Array) int64 {
	number := max(1, p.number, php.ToInt(query.At("page")), php.ToInt(query.At("paged")), php.ToInt(query.At("tribe_paged")))
	size := s.PerPage
	if v, ok := query.Lookup("posts_per_page"); ok {
		size = php.ToInt(v)
	}
	skipped := (min(number, maxPage) - 1) * min(size, maxPage)
	if skipped <= 0 && number > 1 {
		skipped = (min(number, maxPage) - 1) * Limit
	}
	return skipped
}

// terms returns those of a filter: the argument's, else the path's.
func terms(ofPath string, query *php.Array, name string) []string {
	v, given := query.Lookup(name)
	if !given {
		v = ofPath
	}
	list, isList := v.(*php.Array)
	if !isList {
		if php.ToString(v) == "" {
			return nil
		}
		return strings.Split(php.ToString(v), ",")
	}
	out := []string{}
	for _, v := range list.All() {
		out = append(out, php.ToString(v))
	}
	return out
}

// search returns the text to search for.
func search(query, bar *php.Array) php.Value {
	if v := bar.At("bar-keyword"); !php.Empty(v) {
		return v
	}
	for _, name := range []string{"s", "search", "tribe-bar-search"} {
		if v, ok := query.Lookup(name); ok {
			return v
		}
	}
	return nil
}

// setVariables reads what WordPress's main query depends on. Arguments come before the
// path.
func (r *Request) setVariables(p *page, query *php.Array) {
	r.Display, r.PathDate, r.Paged = p.display, p.date, p.number
	if v, ok := query.Lookup("eventDisplay"); ok {
		r.Display = text(v)
	}
	if v, ok := query.Lookup("paged"); ok {
		r.Paged = php.ToInt(v)
	}
	if v := query.At("tribe_paged"); !php.Empty(v) {
		r.Paged = php.ToInt(v)
	}
	r.BarDate = text(query.At("tribe-bar-date"))
	r.Typed = r.Kind == Archive && (p.kind == Archive || r.TypeGiven)
}

// withoutArguments returns a query without some of its arguments.
func withoutArguments(query string, names ...string) string {
	url := "?" + query
	for _, name := range names {
		url = phpform.RemoveQueryArg(url, name)
	}
	return strings.TrimPrefix(url, "?")
}
