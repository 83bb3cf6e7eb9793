package exporturl

import "calbridge/wpstore/php"

// eventsPage returns the page of a path below the calendar's word.
func (s *Site) eventsPage(parts []string) page {
	if len(parts) >= 2 {
		switch {
		case same(parts[0], s.Slugs.Category):
			return categoryPage(parts[1:])
		case parts[0] == "tag":
			return eventTagPage(parts[1], parts[2:])
		}
	}
	p, ok := view(parts)
	if !ok {
		return page{kind: Missing}
	}
	return p
}

// view reads a path below the calendar's word that names no term.
func view(parts []string) (p page, ok bool) {
	p = page{kind: Archive, display: "default"}
	if len(parts) == 0 {
		return p, true
	}
	if last := len(parts) - 1; parts[last] == "ical" {
		switch p, ok = view(parts[:last]); {
		case !ok || p.number > 0:
			return p, false
		case last == 0, last == 1 && (parts[0] == "featured" || isDay(parts[0])):
			p.ical = true
			return p, true
		}
		return p, false
	}
	if n := len(parts); n >= 2 && parts[n-2] == "page" && isNumber(parts[n-1]) {
		p.number = php.ToInt(parts[n-1])
		switch before := parts[:n-2]; {
		case len(before) == 0:
			return p, true
		case len(before) == 1 && before[0] == "list":
			p.display = "list"
			return p, true
		case len(before) == 1 && before[0] == "featured":
			p.display, p.featured = "list", true
			return p, true
		}
		return p, false
	}
	if n := len(parts); parts[n-1] == "featured" {
		p.featured, parts = true, parts[:n-1]
		if len(parts) == 0 {
			p.display = ""
			return p, true
		}
	}
	return p, p.view(parts)
}

// view reads words of a path that name a view, and maybe its date.
func (p *page) view(words []string) bool {
	switch len(words) {
	case 1:
		switch word := words[0]; {
		case word == "list", word == "month":
			p.display = word
		case word == "today":
			p.display = "day"
		default:
			return p.dated(word)
		}
		return true
	case 2:
		return words[0] == "month" && isMonth(words[1]) && p.dated(words[1])
	}
	return false
}

// dated sets the view of a date: a month, or a day.
func (p *page) dated(word string) bool {
	switch {
	case isMonth(word):
		p.display = "month"
	case isDay(word):
		p.display = "day"
	default:
		return false
	}
	p.date = word
	return true
}

// ending reads what follows a term in a path.
func (p *page) ending(words []string) bool {
	switch {
	case len(words) == 0:
		return true
	case len(words) == 2 && words[0] == "page" && isNumber(words[1]):
		p.display, p.number = "list", php.ToInt(words[1])
		return true
	case len(words) == 2 && words[0] == "day" && isDay(words[1]):
		return p.dated(words[1])
	case len(words) == 1 && words[0] == "ical":
		p.ical = true
		return true
	case len(words) == 1 && words[0] == "featured":
		p.display, p.featured = "", true
		return true
	case len(words) == 2 && words[0] == "featured" && words[1] == "ical":
		p.display, p.featured, p.ical = "", true, true
		return true
	}
	return len(words) == 1 && p.view(words)
}

// categoryPage returns the page of a category. Any segments may precede its slug, so that the
// longest ending decides: of "a/list/page/2" the category is "list".
func categoryPage(parts []string) page {
	const longest = 2 // of endings
	for n := min(longest, len(parts)-1); n >= 0; n-- {
		at := len(parts) - n
		p := page{kind: Archive, display: "default", category: parts[at-1]}
		if p.ending(parts[at:]) {
			return p
		}
	}
	return page{kind: Missing}
}

// eventTagPage returns the calendar's page of a tag.
func eventTagPage(tag string, behind []string) page {
	p := page{kind: Archive, display: "default", tag: tag}
	if len(behind) == 3 && behind[0] == "list" {
		behind = behind[1:]
	}
	if !p.ending(behind) {
		return page{kind: Missing}
	}
	return p
}

// isMonth reports whether a text looks like a month, 2026-13 too.
func isMonth(s string) bool {
	return len(s) == len("2006-01") && s[4] == '-' && isNumber(s[:4]) && isNumber(s[5:])
}

// isDay reports whether a text looks like a day.
func isDay(s string) bool {
	return len(s) == len("2006-01-02") && isMonth(s[:7]) && s[7] == '-' && isNumber(s[8:])
}
