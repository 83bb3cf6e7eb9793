package export

import (
	"net/http"
	"net/url"

	"calbridge/i18n"
	"calbridge/rest/api"
	"calbridge/rest/ical"
	"calbridge/wpstore/php"
)

// calendarOf returns the calendar of an export, without its events.
func calendarOf(r *request) *ical.Calendar {
	site := r.Place.Site
	calendar := &ical.Calendar{
		Name: site.RawOption("blogname", ""), Home: home(r), Outlook: r.feed.Outlook,
		Version: php.ToString(site.Option("latest_ecp_version")), Description: r.Place.Words.Word("calendar_description"),
		Form: form(site.Compat), Present: r.Clock.Present,
	}
	if home, err := url.Parse(calendar.Home); err == nil {
		calendar.Host = home.Hostname()
	}
	return calendar
}

// form returns that of exports at a level of compat.
func form(level api.Compat) ical.Form {
	switch {
	case level.Fixed():
		return ical.Standard
	case level.Exact():
		return ical.AsReference
	}
	return ical.Contained
}

// home returns the address of the site. Under WPML it is that of the language's directory.
func home(r *request) string {
	own := r.Place.LinksFor("").Home
	if r.Place.Site.Languages.Plugin == i18n.WPML && r.Place.Links.Home != own {
		return r.Place.Links.Home + "/"
	}
	return own
}

// empty returns the answer without an event; none: nor does the calendar have such a page.
func empty(r *request, page page, none bool) *Answer {
	res := &Answer{Status: http.StatusOK, Header: header(r, "text/html; charset=UTF-8", page)}
	if none {
		res.Status = http.StatusNotFound
	}
	return res
}

// redirected returns the answer that redirects.
func redirected(r *request, to *redirect, page page) *Answer {
	res := &Answer{Status: http.StatusMovedPermanently}
	if to.temporary {
		res.Status, res.Header = http.StatusFound, http.Header{"Content-Type": {"text/html; charset=UTF-8"}}
	} else {
		res.Header = header(r, "text/html; charset=UTF-8", page)
	}
	res.Header.Set("Location", to.target)
	res.Header.Set("X-Redirect-By", to.by)
	return res
}

// header returns the headers of all answers but temporary redirects.
func header(r *request, contentType string, page page) http.Header {
	h := http.Header{"Content-Type": {contentType}}
	if r.feed.Robots {
		h.Set("X-Robots-Tag", "noindex, nofollow")
	}
	if page.missing || page.personal {
		h.Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
		h.Set("Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private")
	}
	if cookie := userCookie(r); cookie != "" {
		h.Set("Set-Cookie", cookie)
	}
	return h
}
