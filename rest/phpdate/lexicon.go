package phpdate

import (
	"maps"
	"slices"
	"strings"
)

// The English words of PHP's date strings, in lower case; words match in any ASCII
// case, except for Roman months, in capitals, and for the suffixes of days.
var (
	monthFull    = strings.Fields("january february march april may june july august september october november december")
	monthShort   = strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec sept")
	monthRoman   = strings.Fields("I II III IV V VI VII VIII IX X XI XII")
	monthNames   = slices.Concat(monthShort, monthFull)
	monthNumbers = numberedMonths()

	dayNames = strings.Fields("sunday monday tuesday wednesday thursday friday saturday " +
		"sundays mondays tuesdays wednesdays thursdays fridays saturdays sun mon tue wed thu fri sat")
	dayTexts    = append([]string{"weekday", "weekdays"}, dayNames...)
	daySuffixes = []string{"st", "nd", "rd", "th"}
)

// numberedMonths gives the month of each full, short and Roman name in lower case.
func numberedMonths() map[string]int64 {
	numbers := map[string]int64{"sept": 9}
	for i, full := range monthFull {
		for _, name := range []string{full, monthShort[i], strings.ToLower(monthRoman[i])} {
			numbers[name] = int64(i) + 1
		}
	}
	return numbers
}

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

var units = namedUnits(map[string]unit{
	"ms msec msecs millisecond milliseconds": {microsecondUnit, 1000},
	"µs µsec µsecs usec usecs":               {microsecondUnit, 1},
	"microsecond microseconds":               {microsecondUnit, 1},
	"sec secs second seconds":                {secondUnit, 1},
	"min mins minute minutes":                {minuteUnit, 1},
	"hour hours":                             {hourUnit, 1},
	"day days":                               {dayUnit, 1},
	"week weeks":                             {dayUnit, 7},
	"fortnight fortnights":                   {dayUnit, 14},
	"forthnight forthnights":                 {dayUnit, 14}, // PHP's slip
	"month months":                           {monthUnit, 1},
	"year years":                             {yearUnit, 1},
	"weekday weekdays":                       {workingDaysUnit, 1},
})

func namedUnits(named map[string]unit) map[string]unit {
	table := map[string]unit{}
	for names, u := range named {
		for _, name := range strings.Fields(names) {
			table[name] = u
		}
	}
	for i, name := range dayNames {
		table[name] = unit{weekdayUnit, int64(i % 7)}
	}
	return table
}

// ordinals are the counting words of "third day" and "second friday of".
var ordinals = map[string]int64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7,
	"eight": 8, "eighth": 8, "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12,
	"next": 1, "last": -1, "previous": -1, "this": 0,
}

var (
	ordinalNames  = slices.Collect(maps.Keys(ordinals))
	positionNames = []string{"next", "last", "previous", "this"}
	unitNames     = slices.Collect(maps.Keys(units))
	// countedUnits may follow an ordinal: "next week" is a format of its own.
	countedUnits = slices.DeleteFunc(slices.Clone(unitNames), func(name string) bool { return name == "week" })
)
