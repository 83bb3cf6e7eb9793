package edit

import (
	"time"

	"calbridge/wpstore"
)

func noDate(date string) bool { return date == "" || date == wpstore.NoDate }

// toUTC and toLocal convert stored dates. Anything else becomes the zero date.
func toUTC(local string, zone *time.Location) string { return convertDate(local, zone, time.UTC) }

func toLocal(utc string, zone *time.Location) string { return convertDate(utc, time.UTC, zone) }

func convertDate(date string, from, to *time.Location) string {
	t, err := time.ParseInLocation(time.DateTime, date, from)
	if err != nil {
		return wpstore.NoDate
	}
	return t.In(to).Format(time.DateTime)
}
