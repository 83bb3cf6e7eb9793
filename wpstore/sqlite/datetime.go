package sqlite

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"time"

	"modernc.org/sqlite"
)

func castDatetime(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
	s, ok := text(args[0])
	if !ok {
		return nil, nil
	}
	out, ok := parseDatetime(s)
	if !ok {
		return nil, nil
	}
	return out, nil
}

// parseDatetime parses a text like MariaDB's CAST(… AS DATETIME) outside of strict mode.
// The text is year, month and day with one punctuation mark between them. Then optionally
// follow the hour, after spaces, a T or a mark, and minute and second after a mark each. Or
// it has only digits, as YYYYMMDD, YYMMDD, YYYYMMDDHHMMSS or YYMMDDHHMMSS. Years of two
// digits are in 1970-2069. Parsing ends at the first byte that doesn't fit, and drops a
// fraction. Zero dates and zero days are valid; other impossible dates are not, nor are
// times after 23:59:59.
func parseDatetime(s string) (string, bool) {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	var f [6]int
	var ok bool
	if run := digits(s); run >= 6 {
		f, ok = splitRun(s[:run])
	} else {
		f, ok = splitMarked(s)
		if run == 2 && f != [6]int{} {
			f[0] = fullYear(f[0])
		}
	}
	year, month, day := f[0], f[1], f[2]
	hour, minute, second := f[3], f[4], f[5]
	if !ok || year > 9999 || month > 12 || day > daysIn(year, month) || hour > 23 || minute > 59 || second > 59 {
		return "", false
	}
	return fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", year, month, day, hour, minute, second), true
}

// daysIn returns the number of days of a month; the month zero has 31.
func daysIn(year, month int) int {
	if month == 0 {
		return 31
	}
	return time.Date(year, time.Month(month)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

// splitMarked splits a text with marks; ok is false without a whole date.
func splitMarked(s string) (f [6]int, ok bool) {
	for n := range f {
		width := digits(s)
		if width == 0 {
			return f, n > 2
		}
		f[n] = number(s[:width])
		s = s[width:]
		if s == "" {
			return f, n >= 2
		}
		switch {
		case n == 2 && (s[0] == ' ' || s[0] == '\t'):
			s = strings.TrimLeft(s, " \t")
		case n == 2 && s[0] == 'T', isMark(s[0]):
			s = s[1:]
		default:
			return f, n >= 2
		}
	}
	return f, true
}

// splitRun splits a run of at least six digits.
func splitRun(s string) (f [6]int, ok bool) {
	width := 2
	if len(s) == 8 || len(s) >= 14 {
		width = 4
	}
	for n := 0; n < len(f) && s != ""; n++ {
		width = min(width, len(s))
		f[n] = number(s[:width])
		if n == 0 && width == 2 {
			f[0] = fullYear(f[0])
		}
		s = s[width:]
		width = 2
	}
	return f, true
}

func fullYear(y int) int {
	if y < 70 {
		return y + 2000
	}
	return y + 1900
}

func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}

// number parses digits as long as the number stays below a million.
func number(s string) int {
	n := 0
	for i := 0; i < len(s) && n < 1_000_000; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

func isMark(b byte) bool {
	return b > ' ' && b < 0x7f && (b < '0' || b > '9') && (b|0x20 < 'a' || b|0x20 > 'z')
}
