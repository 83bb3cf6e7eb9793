package edit

import (
	"time"
)

// zeroDate is how WordPress stores a date that is not set.
const zeroDate = "0000-00-00 00:00:00"

func noDate(date string) bool { return date == "" || date == zeroDate }

// toUTC and toLocal convert stored dates; what is no date becomes zero.
func toUTC(local string, zone *time.Location) string { return convertDate(local, zone, time.UTC) }

func toLocal(utc string, zone *time.Location) string { return convertDate(utc, time.UTC, zone) }

func convertDate(date string, from, to *time.Location) string {
	t, err := time.ParseInLocation(time.DateTime, date, from)
	if err != nil {
		return zeroDate
	}
	return t.In(to).Format(time.DateTime)
}
