package tribev1

import (
	"time"

	"calbridge/rest/api"
	"calbridge/rest/wprest"
	"calbridge/wpstore/php"
)

// StartDateDefault returns yesterday 23:59 in UTC, PHP's own zone, on the site's clock.
func StartDateDefault(r *wprest.Request) php.Value {
	y, m, d := r.Clock.Today().UTC().AddDate(0, 0, -1).Date()
	return time.Date(y, m, d, 23, 59, 0, 0, time.UTC).In(r.Place.Site.Zone).Format(api.MySQLTime)
}

// EndDateDefault returns 24 months from now, in UTC. Most responses depend only on its day. The others
// must ask the clock for the present themselves.
func EndDateDefault(r *wprest.Request) php.Value {
	return r.Clock.Today().UTC().AddDate(0, 24, 0).Format(api.MySQLTime)
}

// perPageDefault returns the calendar's page size, else the site's, in the type in which it
// is stored, else 20.
func perPageDefault(r *wprest.Request) php.Value {
	v := r.Place.Site.Option("posts_per_page")
	if v == nil {
		v = r.Place.Site.Facts.PostsPerPage
	}
	if php.Empty(v) {
		return int64(20)
	}
	return v
}
