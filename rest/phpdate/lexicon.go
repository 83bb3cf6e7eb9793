package phpdate

// The English words of PHP's date strings. All lists are in lower case; words
// match in any ASCII case.

// monthNumbers gives the month of each full, short and Roman name.
var monthNumbers = map[string]int64{
	"jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8,
	"sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
	"january": 1, "february": 2, "march": 3, "april": 4, "june": 6, "july": 7, "august": 8,
	"september": 9, "october": 10, "november": 11, "december": 12,
	"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9,
	"x": 10, "xi": 11, "xii": 12,
}

var (
	monthShort = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}
	monthFull  = []string{"january", "february", "march", "april", "may", "june", "july", "august",
		"september", "october", "november", "december"}
	monthNames = append(append([]string(nil), monthShort...), monthFull...)
	// monthRoman is the one list in upper case: Roman months match exactly.
	monthRoman = []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"}
)

var (
	dayNames = []string{
		"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
		"sundays", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays",
		"sun", "mon", "tue", "wed", "thu", "fri", "sat",
	}
	// daySuffixes match in small letters only.
	daySuffixes = []string{"st", "nd", "rd", "th"}
	dayTexts    = append([]string{"weekday", "weekdays"}, dayNames...)
)

// unitKind is what a relative number counts.
type unitKind uint8

const (
	noUnit unitKind = iota
	microsecondUnit
	secondUnit
	minuteUnit
	hourUnit
	dayUnit
	monthUnit
	yearUnit
	weekdayUnit     // a named day of the week
	workingDaysUnit // Monday to Friday
)

// unit is a counted thing: factor times a kind, or, for weekdayUnit, the day of
// the week (0 is Sunday). The factor of workingDaysUnit is the day that its name
// stands for when it is used as a day of the week.
type unit struct {
	kind   unitKind
	factor int64
}

var units = map[string]unit{
	"ms": {microsecondUnit, 1000}, "msec": {microsecondUnit, 1000}, "msecs": {microsecondUnit, 1000},
	"millisecond": {microsecondUnit, 1000}, "milliseconds": {microsecondUnit, 1000},
	"µs": {microsecondUnit, 1}, "µsec": {microsecondUnit, 1}, "µsecs": {microsecondUnit, 1},
	"usec": {microsecondUnit, 1}, "usecs": {microsecondUnit, 1},
	"microsecond": {microsecondUnit, 1}, "microseconds": {microsecondUnit, 1},
	"sec": {secondUnit, 1}, "secs": {secondUnit, 1}, "second": {secondUnit, 1}, "seconds": {secondUnit, 1},
	"min": {minuteUnit, 1}, "mins": {minuteUnit, 1}, "minute": {minuteUnit, 1}, "minutes": {minuteUnit, 1},
	"hour": {hourUnit, 1}, "hours": {hourUnit, 1},
	"day": {dayUnit, 1}, "days": {dayUnit, 1},
	"week": {dayUnit, 7}, "weeks": {dayUnit, 7},
	"fortnight": {dayUnit, 14}, "fortnights": {dayUnit, 14},
	"forthnight": {dayUnit, 14}, "forthnights": {dayUnit, 14},
	"month": {monthUnit, 1}, "months": {monthUnit, 1},
	"year": {yearUnit, 1}, "years": {yearUnit, 1},
	"weekday": {workingDaysUnit, 1}, "weekdays": {workingDaysUnit, 1},

	"sun": {weekdayUnit, 0}, "sunday": {weekdayUnit, 0}, "sundays": {weekdayUnit, 0},
	"mon": {weekdayUnit, 1}, "monday": {weekdayUnit, 1}, "mondays": {weekdayUnit, 1},
	"tue": {weekdayUnit, 2}, "tuesday": {weekdayUnit, 2}, "tuesdays": {weekdayUnit, 2},
	"wed": {weekdayUnit, 3}, "wednesday": {weekdayUnit, 3}, "wednesdays": {weekdayUnit, 3},
	"thu": {weekdayUnit, 4}, "thursday": {weekdayUnit, 4}, "thursdays": {weekdayUnit, 4},
	"fri": {weekdayUnit, 5}, "friday": {weekdayUnit, 5}, "fridays": {weekdayUnit, 5},
	"sat": {weekdayUnit, 6}, "saturday": {weekdayUnit, 6}, "saturdays": {weekdayUnit, 6},
}

// unitNames are the words that may follow a number or an ordinal. "week" stands
// apart, because "next week" is a format of its own.
var unitNames = append([]string{
	"ms", "msec", "msecs", "millisecond", "milliseconds", "µs", "µsec", "µsecs", "usec", "usecs",
	"microsecond", "microseconds", "sec", "secs", "second", "seconds", "min", "mins", "minute", "minutes",
	"hour", "hours", "day", "days", "fortnight", "fortnights", "forthnight", "forthnights",
	"month", "months", "year", "years", "weeks",
}, dayTexts...)

// ordinals are the counting words of "third day" and "second friday of".
var ordinals = map[string]int64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eight": 8, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
	"next": 1, "last": -1, "previous": -1, "this": 0,
}

var (
	ordinalNames  = []string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eight", "eighth", "ninth", "tenth", "eleventh", "twelfth"}
	positionNames = []string{"next", "last", "previous", "this"}
)
