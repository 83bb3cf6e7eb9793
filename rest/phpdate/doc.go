// Package phpdate reads and writes dates as PHP 8.2 does: the date strings that
// strtotime and DateTime understand, the zones that DateTimeZone accepts, the
// format characters of date(), and what The Events Calendar makes of zones.
//
// It takes strings, zones and an instant as the present, and returns instants and text.
//
//	parse.go          Parse and Strtotime
//	scan.go           finding the longest token
//	formats.go        the tokens, made of pattern.go and the words of lexicon.go
//	read_*.go         the meaning of each token, as a reading (reading.go)
//	resolve.go        filling what is open, placing the moment in a zone
//	moment.go         wall clocks, with the calendar of civil.go
//	format.go         Format: date()
//	zones.go          names, abbreviations and offsets of zones
//	zone_*.go         the tables, and the zone of a site (zone_site.go)
//	testdata          vectors that php-cli wrote, and the script that makes them
//
// It imports wpstore/php and nothing else of this module.
//
// # Strings
//
// A string is a sequence of tokens, separated by blanks, commas, points or
// nothing. At each place the format that reads most wins. Names match in any
// case. A second date or time of day is an error, a second zone is ignored, a
// third is an error. Days and months may lie outside their month ("02-30", "00")
// and roll over; hours beyond 24 and minutes beyond 59 are errors.
//
// Dates (DD, MM, YYYY: all digits; d, m, y: zeros may be missing, a year of one
// or two digits is 1970–2069; d may end in st, nd, rd or th):
//
//	YYYY-MM-DD, with sign; ±YYYYY…-MM-DD; y-m-d; YYYY-m; YYYY/m/d; YYYYMMDD
//	m/d, m/d/y; d.m.YYYY, d-m-YYYY, d.m.YY (unless a time of day)
//	d month, d month y; month d, month d, y; month YYYY; YYYY month; month
//	mon-DD-y; y-mon-DD; Roman months beside a day or year
//	YYYY.ddd, YYYY-ddd, YYYYddd (day of the year); YYYYWww, YYYY-Www-D (ISO week)
//	YYYY, unless a time of day
//
// Times: h am, h:MM pm, h:MM:SS p.m., h:MM:SS:fraction pm; H:M, H.M, H:M:S,
// H:M:S.fraction, HHMM, HHMMSS, each also behind a "t"; noon, midnight, today,
// now, back of H, front of H. HHMM behind a time is a year.
//
// Both: YYYY-MM-DDTHH:MM:SS.fraction±zone, YYYYMMDDTHHMMSS, YYYYMMDDTHH:MM:SS,
// YYYY:MM:DD HH:MM:SS, d/mon/YYYY:HH:MM:SS ±zone, month d time [zone],
// @seconds, @seconds.fraction.
//
// Zones: identifiers (Europe/Prague), abbreviations (CET, EDT, z), offsets (+5,
// +05:30, -0530, +053015, GMT+2), words in brackets: (CET).
//
// Relative: yesterday, tomorrow; N units, with any signs (usec, msec, sec, min,
// hour, day, week, fortnight, month, year, weekday, names of days); first …
// twelfth, next, last, previous, this with a unit; next/last/this week, which
// means the Monday or the day named beside it; day names; first/last day of;
// first … twelfth, next, last, this DAY of; ago, which turns round all before it.
//
// The relative part moves the wall clock, not the elapsed time: "+1 hour" is
// not always an hour. Times that a zone skips move forward. Of times that occur
// twice PHP takes the second in zones east of Greenwich and the first west of it;
// recorded writes of the reference show the same.
//
// # Limits
//
// Strings beyond 4096 bytes are refused, as are instants that no int64 holds.
// Parse also refuses years beyond some 18 thousand million. Work is linear in the
// length of the string.
//
// # Zones
//
// Zone data come from package time. A binary that must run where no zone data are
// installed links time/tzdata. Names are looked up in a table first, so that no
// input reaches the file system.
package phpdate
