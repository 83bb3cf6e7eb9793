package render

import (
	"strings"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpjson"
)

// writeDateParts writes a date's parts, each as text.
func writeDateParts(w *phpjson.Writer, parts [6]string) {
	w.BeginObject()
	for i, name := range [...]string{"year", "month", "day", "hour", "minutes", "seconds"} {
		w.KeyString(name, parts[i])
	}
	w.EndObject()
}

// dateParts returns year, month, day, hour, minutes and seconds of a stored date,
// as text. The stored form is cut apart; other text is read as PHP reads it, and
// what is no date is the epoch.
func dateParts(zones *phpdate.Zones, clock *api.Clock, stored string) [6]string {
	if len(stored) == len(api.MySQLTime) && api.IsStoredDate(stored) {
		return [6]string{stored[0:4], stored[5:7], stored[8:10], stored[11:13], stored[14:16], stored[17:19]}
	}
	t := time.Unix(0, 0).UTC()
	if stored != "" {
		if r, err := zones.Parse(stored, clock.Present, time.UTC); err == nil {
			t = r.Time.UTC()
		}
	}
	var out [6]string
	copy(out[:], strings.Fields(t.Format("2006 01 02 15 04 05")))
	return out
}
