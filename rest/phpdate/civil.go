package phpdate

// Days are counted from 1970-01-01 in the proleptic Gregorian calendar, in 64
// bits, so that every year that a date string can reach has its place.

// maxYear bounds the years that are computed with. It lies just beyond what
// Unix seconds reach.
const maxYear = 300_000_000_000

const (
	secondsPerDay = 86400
	daysPerCycle  = 146097 // 400 years
)

// dayNumber returns the day of a date whose month and day may lie outside their
// usual range.
func dayNumber(year, month, day int64) int64 {
	month--
	year += floorDiv(month, 12)
	month = floorMod(month, 12)
	// Years begin in March, so that the leap day is the last.
	if month < 2 {
		year--
		month += 12
	}
	cycle := floorDiv(year, 400)
	y := floorMod(year, 400)
	return cycle*daysPerCycle + y*365 + y/4 - y/100 + (153*(month-2)+2)/5 + day - 1 - 719468
}

// calendarDate returns the inverse of dayNumber.
func calendarDate(n int64) (year, month, day int64) {
	n += 719468
	cycle := floorDiv(n, daysPerCycle)
	n = floorMod(n, daysPerCycle)
	y := (n - n/1460 + n/36524 - n/146096) / 365
	n -= 365*y + y/4 - y/100
	m := (5*n + 2) / 153
	day = n - (153*m+2)/5 + 1
	year = cycle*400 + y
	month = m + 3
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

// weekdayOf returns the day of the week, 0 is Sunday.
func weekdayOf(dayNumber int64) int64 { return floorMod(dayNumber+4, 7) }

// isoWeekOffset returns how many days after 1 January a day of an ISO week is.
func isoWeekOffset(year, week, weekday int64) int64 {
	first := weekdayOf(dayNumber(year, 1, 1))
	if first > 4 {
		first -= 7
	}
	return (week-1)*7 + weekday - first
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 {
	m := a % b
	if m < 0 {
		m += b
	}
	return m
}
