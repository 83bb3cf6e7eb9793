package routes

import (
	"time"

	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// startDateDefault is yesterday 23:59 in UTC, PHP's own zone, shown in the site's
// zone.
func StartDateDefault(r *Request) php.Value {
	y, m, d := r.Clock.Present().UTC().AddDate(0, 0, -1).Date()
	return time.Date(y, m, d, 23, 59, 0, 0, time.UTC).In(r.Place.Site.Zone).Format(api.MySQLTime)
}

// endDateDefault is 24 months from now, in UTC.
func EndDateDefault(r *Request) php.Value {
	return r.Clock.Present().UTC().AddDate(0, 24, 0).Format(api.MySQLTime)
}

// perPageDefault is the calendar's own page size, else the site's, with the type
// that it is stored with, else 20.
func perPageDefault(r *Request) php.Value {
	v := r.Place.Site.Option("posts_per_page")
	if v == nil {
		v = r.Place.Site.Facts.PostsPerPage
	}
	if php.Empty(v) {
		return int64(20)
	}
	return v
}
