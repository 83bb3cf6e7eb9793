package eventlist

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpform"
	"calbridge/rest/tribev1"
	"calbridge/rest/wprest"
	"calbridge/rest/wpsite"
	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

var relativeDates = []string{"starts_before", "starts_after", "ends_before", "ends_after"}

// eventDates resolves the six date arguments to the texts that the list's URL repeats. Arguments
// that do not apply are omitted.
func eventDates(r *wprest.Request) map[string]phpform.Arg {
	d := dateReader{site: r.Place.Site, clock: r.Clock, strict: strictDates(&r.Params)}
	out := make(map[string]phpform.Arg, 6)
	relative := false
	for _, name := range relativeDates {
		if v := r.Get(name); v != nil {
			relative = true
			if text, ok := d.bound(v, true); ok {
				out[name] = phpform.Arg{Name: name, Value: text}
			}
		}
	}
	include := r.Get("include") != nil
	for _, name := range []string{"start_date", "end_date"} {
		_, explicit := r.Query.Lookup(name)
		if relative && !explicit {
			continue
		}
		if name == "end_date" && (include || d.strict && !explicit) { // the default's time of day is shown or compared
			r.Clock.Present()
		}
		text, ok := "", true
		switch {
		case !include:
			text, ok = d.bound(r.Get(name), name == "end_date")
		case name == "start_date":
			text = php.ToString(tribev1.StartDateDefault(r))
		default:
			text = php.ToString(tribev1.EndDateDefault(r))
		}
		if ok {
			out[name] = phpform.Arg{Name: name, Value: text}
		}
	}
	return out
}

// feedDates resolves the date arguments of a feed, where missing ones have no default.
func feedDates(r *wprest.Request) map[string]phpform.Arg {
	d := dateReader{site: r.Place.Site, clock: r.Clock, strict: strictDates(&r.Params)}
	out := make(map[string]phpform.Arg, 6)
	for _, name := range append([]string{"start_date", "end_date"}, relativeDates...) {
		if v := r.Get(name); v != nil {
			if text, ok := d.bound(v, name != "start_date"); ok {
				out[name] = phpform.Arg{Name: name, Value: text}
			}
		}
	}
	return out
}

// bounds turns the resolved dates into comparisons. starts_after replaces start_date, and
// ends_before replaces end_date.
func bounds(dates map[string]phpform.Arg) (out []wpstore.Bound) {
	add := func(name, insteadOf string, end bool, op string) {
		arg, ok := dates[name]
		if _, replaced := dates[insteadOf]; ok && !replaced {
			out = append(out, wpstore.Bound{End: end, Op: op, Value: php.ToString(arg.Value)})
		}
	}
	add("start_date", "starts_after", false, ">=")
	add("end_date", "ends_before", true, "<=")
	add("starts_before", "", false, "<")
	add("starts_after", "", false, ">")
	add("ends_before", "", true, "<")
	add("ends_after", "", true, ">")
	return out
}

// strictDates reports whether the dates of the request are exact times instead of whole days.
func strictDates(params *api.Params) bool {
	return slices.Contains([]string{"1", "true", "on", "yes"}, strings.ToLower(params.Text("strict_dates")))
}

// dateReader reads the date arguments of one request.
type dateReader struct {
	site  *wpsite.Site
	clock *api.Clock
	// strict reports that dates are exact times instead of whole days.
	strict bool
}

// bound converts the value of a date argument to the text that the query compares with: the
// start of the day or, if endOfDay is set, its last second. Every argument but start_date
// takes the end. Of whole days, ok is false for a text that passed the validator but is not a date,
// such as a timestamp with a fraction: the argument has no effect.
func (dr *dateReader) bound(v php.Value, endOfDay bool) (text string, ok bool) {
	at, ok := dr.instant(v)
	if dr.strict {
		return at.In(dr.site.Zone).Format(api.MySQLTime), true
	}
	if php.ToString(v) == "0" {
		at = dr.clock.Present()
	}
	day, again := dr.day(at)
	if !ok || !again {
		return "", false
	}
	hours, minutes := dr.site.DayCutoff()
	if endOfDay {
		hours += 24
	}
	day = day.Add(time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
	if endOfDay {
		day = day.Add(-time.Second)
	}
	return day.Format(api.MySQLTime), true
}

// day returns the start of a day in UTC. The reference writes the day and reads it again, which
// finds another one for a year of more than four digits. Timestamps in milliseconds have such.
func (dr *dateReader) day(at time.Time) (time.Time, bool) {
	y, m, d := at.UTC().Date()
	if y >= 0 && y <= lastPlainYear {
		return time.Date(y, m, d, 0, 0, 0, 0, time.UTC), true
	}
	unix, ok := dr.site.Zones.Strtotime(phpdate.Format(at.UTC(), "Y-m-d"), dr.clock.Present, time.UTC)
	return time.Unix(unix, 0).UTC(), ok
}

// lastPlainYear is the last year that PHP reads as it writes it.
const lastPlainYear = 9999

// instant reads a whole number as a Unix timestamp and other text as PHP reads dates in UTC. For
// another number, of which ok is false, it returns the whole seconds.
func (dr *dateReader) instant(v php.Value) (at time.Time, ok bool) {
	s := php.ToString(v)
	if strings.Trim(strings.TrimLeft(s, "+-"), "0123456789") == "" { // else the error would take memory
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return time.Unix(n, 0), true
		}
	}
	unix, ok := dr.site.Zones.Strtotime(s, dr.clock.Present, time.UTC)
	if !ok {
		unix = php.ToInt(v)
	}
	return time.Unix(unix, 0), ok
}
