package phpdate

import "slices"

// The first byte of a token, used to skip formats that cannot begin with it.
type opening uint8

const (
	byDigit opening = 1 << iota
	byLetter
	bySign
	bySpace
	byOther // "@" and "("
)

// format is one kind of token: what it looks like and how it changes the
// reading. Where two formats match equally much, the earlier one wins.
type format struct {
	name  string
	opens opening
	looks []pattern // alternatives
	read  func(r *reading, token *cursor) error
}

// Building blocks, named as in PHP's manual: capitals for a full count of
// digits, small letters for numbers whose leading zero may be missing.
var (
	space     = run(" \t", 1, 0)
	spaces    = run(" \t", 0, 0)
	timeSep   = run(":.", 1, 1)
	dateSep   = run(" .\t-", 0, 0)
	hour12    = number(1, 2, 1, 12)
	hour24    = number(1, 2, 0, 24)
	hourHH    = number(2, 2, 0, 24)
	minute    = number(1, 2, 0, 59)
	minuteII  = number(2, 2, 0, 59)
	second    = number(1, 2, 0, 60)
	secondSS  = number(2, 2, 0, 60)
	fraction  = seq(exact("."), digits(1, 1<<30))
	meridian  = seq(run("AaPp", 1, 1), run(".", 0, 1), run("Mm", 1, 1), run(".", 0, 1), run("\x00\t ", 1, 1))
	month     = number(1, 2, 0, 12)
	monthMM   = number(2, 2, 0, 12)
	dayDD     = number(2, 2, 0, 31)
	day       = seq(number(1, 2, 0, 31), maybe(pattern{{kind: wordNode, capitals: daySuffixes}}))
	year      = digits(1, 4)
	year2     = digits(2, 2)
	year4     = digits(4, 4)
	dayOfYear = number(3, 3, 1, 366)
	weekWW    = number(2, 2, 1, 53)
	tee       = maybe(fold("t"))
	shift     = maybe(exact("GMT"))
	sign      = run("+-", 1, 1)
	place     = pattern{{kind: placeNode}}
	monthText = pattern{{kind: wordNode, words: monthNames, capitals: monthRoman}}
	monthWord = oneOf(monthShort)
	dayMonth  = seq(monthText, dateSep, day, run(",.stndrh\t ", 1, 0)) // "Sep 5th, "
)

var (
	time12 = []pattern{
		seq(hour12, timeSep, minuteII, spaces, meridian),
		seq(hour12, timeSep, minute, timeSep, secondSS, spaces, meridian),
	}
	time24 = []pattern{
		seq(tee, hour24, timeSep, minute),
		seq(tee, hour24, timeSep, minute, timeSep, second),
	}
	zoneOffset = []pattern{
		seq(shift, sign, hour24, maybe(maybe(exact(":")), minute)),
		seq(shift, sign, hourHH, minuteII, secondSS),
		seq(shift, sign, hourHH, exact(":"), minuteII, exact(":"), secondSS),
	}
	zoneWord = []pattern{
		seq(maybe(exact("(")), run(letters, 1, 6), maybe(exact(")"))),
		place,
	}
	zonedClock = each(zones(), func(z pattern) pattern {
		return seq(tee, hour24, timeSep, minute, timeSep, secondSS, spaces, z)
	})
)

const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func zones() []pattern { return slices.Concat(zoneOffset, zoneWord) }

// each applies build to every pattern.
func each(looks []pattern, build func(pattern) pattern) []pattern {
	var built []pattern
	for _, p := range looks {
		built = append(built, build(p))
	}
	return built
}

func looks(parts ...pattern) []pattern { return []pattern{seq(parts...)} }

// dayWithTime joins "Sep 5 " to times, because the hour would otherwise be
// taken as a year.
func dayWithTime(times []pattern) []pattern {
	return each(times, func(t pattern) pattern { return seq(dayMonth, t) })
}

// formats lists every token in PHP's order.
var formats = []format{
	{"yesterday", byLetter, looks(fold("yesterday")), readYesterday},
	{"now", byLetter, looks(fold("now")), readNow},
	{"noon", byLetter, looks(fold("noon")), readNoon},
	{"midnight", byLetter, []pattern{fold("midnight"), fold("today")}, readMidnight},
	{"tomorrow", byLetter, looks(fold("tomorrow")), readTomorrow},
	{"timestamp", byOther, looks(exact("@"), run("-", 0, 1), digits(1, 1<<30)), readTimestamp},
	{"timestamp.frac", byOther, looks(exact("@"), run("-", 0, 1), digits(1, 1<<30), exact("."), run("0123456789", 0, 6)), readTimestamp},
	{"first/last day of", byLetter, []pattern{fold("first day of"), fold("last day of")}, readEdgeOfMonth},
	{"back/front of", byLetter, []pattern{
		seq(fold("back of "), hour24), seq(fold("back of "), hour24, spaces, meridian),
		seq(fold("front of "), hour24), seq(fold("front of "), hour24, spaces, meridian),
	}, readQuarter},
	{"weekday of", byLetter, looks(oneOf(ordinalNames), space, oneOf(dayNames), space, fold("of")), readWeekdayOfMonth},
	{"time 12", byDigit, append(looks(hour12, spaces, meridian), time12...), readTime12},
	{"mssql time", byDigit, looks(hour12, exact(":"), minuteII, exact(":"), secondSS, timeSep, digits(1, 1<<30), meridian), readTimeMSSQL},
	{"time 24", byDigit | byLetter, append([]pattern{
		seq(fold("t"), hour24),
		seq(tee, hour24, timeSep, minute, timeSep, second, fraction),
	}, time24...), readTime24},
	{"HHMM", byDigit | byLetter, looks(tee, hourHH, minuteII), readClock4},
	{"HHMMSS", byDigit | byLetter, looks(tee, hourHH, minuteII, secondSS), readTime24},
	{"m/d", byDigit, []pattern{seq(month, exact("/"), day), seq(month, exact("/"), day, exact("/"), year)}, readParts("mdo")},
	{"YYYY-MM-DD", byDigit | bySign, []pattern{
		seq(maybe(sign), year4, exact("-"), monthMM, exact("-"), dayDD),
		seq(year4, exact("/"), monthMM, exact("/"), dayDD, maybe(exact("/"))),
		seq(year4, exact("/"), month, exact("/"), day),
	}, readIsoDate},
	{"YY-MM-DD", byDigit, looks(year2, exact("-"), monthMM, exact("-"), dayDD), readParts("ymd")},
	{"+YYYYY-MM-DD", bySign, looks(sign, digits(5, 19), exact("-"), monthMM, exact("-"), dayDD), readIsoDate},
	{"YYYY-m", byDigit, looks(year4, exact("-"), month), readParts("ym")},
	{"y-m-d", byDigit, looks(year, exact("-"), month, exact("-"), day), readParts("ymd")},
	{"d month y", byDigit, looks(day, dateSep, monthText, dateSep, year), readParts("dMo")},
	{"d.m.YYYY", byDigit, looks(day, run(".\t-", 1, 1), month, run(".-", 1, 1), year4), readParts("dmy")},
	{"d.m.YY", byDigit, looks(day, run(".\t", 1, 1), month, exact("."), year2), readParts("dmy")},
	{"month YYYY", byLetter, looks(monthText, dateSep, year4), readParts("My")},
	{"YYYY month", byDigit, looks(year4, dateSep, monthText), readParts("yM")},
	{"month d, y", byLetter, []pattern{
		seq(dayMonth, year), dayMonth, seq(monthText, dateSep, day, exact("\x00")),
	}, readParts("Mdy")},
	{"d month", byDigit, looks(day, dateSep, monthText), readParts("dMo")},
	{"YYYYMMDD", byDigit, looks(year4, monthMM, dayDD), readIsoDate},
	{"date T time", byDigit, []pattern{
		seq(year4, monthMM, dayDD, exact("T"), hour24, exact(":"), minuteII, exact(":"), secondSS),
		seq(year4, monthMM, dayDD, fold("t"), hour24, minuteII, secondSS),
		seq(year4, exact("-"), monthMM, exact("-"), dayDD, exact("T"), hourHH, exact(":"), minuteII, exact(":"), secondSS, fraction),
		seq(year4, exact("-"), monthMM, exact("-"), dayDD, exact("T"), hourHH, exact(":"), minuteII, exact(":"), secondSS, fraction, zoneOffset[0]),
		seq(year4, exact("-"), monthMM, exact("-"), dayDD, exact("T"), hourHH, exact(":"), minuteII, exact(":"), secondSS, fraction, zoneOffset[1]),
		seq(year4, exact("-"), monthMM, exact("-"), dayDD, exact("T"), hourHH, exact(":"), minuteII, exact(":"), secondSS, fraction, zoneOffset[2]),
		seq(year4, exact("-"), month, exact("-"), day, exact("T"), hour24, exact(":"), minute, exact(":"), second),
		seq(year4, exact(":"), monthMM, exact(":"), dayDD, exact(" "), hourHH, exact(":"), minuteII, exact(":"), secondSS),
	}, readDateTime},
	{"YYYY.ddd", byDigit, looks(year4, run(".-", 0, 1), dayOfYear), readYearDay},
	{"YYYY-Www-D", byDigit, looks(year4, run("-", 0, 1), exact("W"), weekWW, run("-", 0, 1), number(1, 1, 0, 7)), readIsoWeek},
	{"YYYY-Www", byDigit, looks(year4, run("-", 0, 1), exact("W"), weekWW), readIsoWeek},
	{"mon-DD-y", byLetter, looks(monthWord, exact("-"), dayDD, exact("-"), year), readParts("Mdy")},
	{"y-mon-DD", byDigit, looks(year, exact("-"), monthWord, exact("-"), dayDD), readParts("yMd")},
	{"common log", byDigit, each(zoneOffset, func(z pattern) pattern {
		return seq(day, exact("/"), monthWord, exact("/"), year4, exact(":"), hourHH, exact(":"), minuteII, exact(":"), secondSS, space, z)
	}), readCommonLog},
	{"YYYY", byDigit, looks(year4), readYearOnly},
	{"ago", byLetter, looks(fold("ago")), readAgo},
	{"weekday", byLetter, looks(oneOf(dayTexts)), readWeekday},
	{"next week", byLetter, looks(oneOf(positionNames), space, fold("week")), readNextWeek},
	{"next unit", byLetter, looks(oneOf(ordinalNames), space, oneOf(countedUnits)), readNextUnit},
	{"month", byLetter, looks(oneOf(monthNames)), readMonthOnly},
	{"zone", byLetter | bySign | byOther, zones(), readZoneToken},
	{"month d time 12", byLetter, dayWithTime(time12), readMonthDayTime12},
	{"month d time", byLetter, dayWithTime(slices.Concat(time24, zonedClock)), readMonthDayTime},
	{"number unit", byDigit | bySign | bySpace, looks(run("+-", 0, 0), spaces, digits(1, 13), spaces, oneOf(unitNames)), readNumberUnit},
}
