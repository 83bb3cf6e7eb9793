package phpdate

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Format writes t as PHP's date() does, with English names. Characters that are
// no format character, and those behind a backslash, stand for themselves.
//
// Known are d D j l N S w z, W o, F m M n t L, Y y X x, a A B g G h H i s u v,
// e I O P p T Z, c r U.
func Format(t time.Time, layout string) string {
	var b strings.Builder
	b.Grow(2 * len(layout))
	for i := 0; i < len(layout); i++ {
		c := layout[i]
		if c == '\\' {
			i++
			if i < len(layout) {
				b.WriteByte(layout[i])
			} else {
				b.WriteByte(0) // PHP copies the byte that ends the string
			}
			continue
		}
		if !formatDate(&b, t, c) && !formatTime(&b, t, c) && !formatZone(&b, t, c) {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// formatDate writes the format characters of days, weeks, months and years.
func formatDate(b *strings.Builder, t time.Time, c byte) bool {
	year, month, day := t.Date()
	switch c {
	case 'd':
		pad(b, day, 2)
	case 'D':
		b.WriteString(t.Weekday().String()[:3])
	case 'j':
		b.WriteString(strconv.Itoa(day))
	case 'l':
		b.WriteString(t.Weekday().String())
	case 'N':
		b.WriteString(strconv.Itoa((int(t.Weekday())+6)%7 + 1))
	case 'S':
		b.WriteString(ordinalSuffix(day))
	case 'w':
		b.WriteString(strconv.Itoa(int(t.Weekday())))
	case 'z':
		b.WriteString(strconv.Itoa(t.YearDay() - 1))
	case 'W':
		_, week := t.ISOWeek()
		pad(b, week, 2)
	case 'o':
		isoYear, _ := t.ISOWeek()
		b.WriteString(strconv.Itoa(isoYear))
	case 'F':
		b.WriteString(month.String())
	case 'M':
		b.WriteString(month.String()[:3])
	case 'm':
		pad(b, int(month), 2)
	case 'n':
		b.WriteString(strconv.Itoa(int(month)))
	case 't':
		b.WriteString(strconv.Itoa(time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()))
	case 'L':
		b.WriteByte(flag(year%4 == 0 && (year%100 != 0 || year%400 == 0)))
	case 'Y':
		pad(b, year, 4)
	case 'x', 'X':
		if year >= 10000 || (c == 'X' && year >= 0) {
			b.WriteByte('+')
		}
		pad(b, year, 4)
	case 'y':
		fmt.Fprintf(b, "%02d", year%100)
	case 'c':
		fmt.Fprintf(b, "%04d", year)
		b.WriteString(Format(t, "-m-d\\TH:i:sP"))
	case 'r':
		b.WriteString(Format(t, "D, d M "))
		fmt.Fprintf(b, "%04d", year)
		b.WriteString(Format(t, " H:i:s O"))
	default:
		return false
	}
	return true
}

// formatTime writes the format characters of the clock.
func formatTime(b *strings.Builder, t time.Time, c byte) bool {
	hour, minute, second := t.Clock()
	switch c {
	case 'a':
		b.WriteString([]string{"am", "pm"}[hour/12])
	case 'A':
		b.WriteString([]string{"AM", "PM"}[hour/12])
	case 'B':
		pad(b, swatchBeat(t), 3)
	case 'g':
		b.WriteString(strconv.Itoa((hour+11)%12 + 1))
	case 'G':
		b.WriteString(strconv.Itoa(hour))
	case 'h':
		pad(b, (hour+11)%12+1, 2)
	case 'H':
		pad(b, hour, 2)
	case 'i':
		pad(b, minute, 2)
	case 's':
		pad(b, second, 2)
	case 'u':
		pad(b, t.Nanosecond()/1000, 6)
	case 'v':
		pad(b, t.Nanosecond()/1_000_000, 3)
	case 'U':
		b.WriteString(strconv.FormatInt(t.Unix(), 10))
	default:
		return false
	}
	return true
}

// formatZone writes the format characters of the time zone.
func formatZone(b *strings.Builder, t time.Time, c byte) bool {
	_, offset := t.Zone()
	switch c {
	case 'e':
		b.WriteString(zoneName(t))
	case 'I':
		b.WriteByte(flag(t.IsDST() || isSummerAbbreviation(t.Location().String())))
	case 'O':
		b.WriteString(offsetText(offset, false))
	case 'P':
		b.WriteString(offsetText(offset, true))
	case 'p':
		switch zoneAbbreviation(t) {
		case "UTC", "Z", "GMT+0000":
			b.WriteByte('Z')
		default:
			b.WriteString(offsetText(offset, true))
		}
	case 'T':
		b.WriteString(zoneAbbreviation(t))
	case 'Z':
		b.WriteString(strconv.Itoa(offset))
	default:
		return false
	}
	return true
}

// zoneName returns the identifier, abbreviation or offset that t's zone goes by.
func zoneName(t time.Time) string {
	name := t.Location().String()
	if name == "" || name == "Local" || name[0] == '+' || name[0] == '-' {
		_, offset := t.Zone()
		return offsetText(offset, true)
	}
	return name
}

// zoneAbbreviation returns t's abbreviation; zones that are an offset and nothing
// else are written "GMT+0200", as the reference's build of PHP does.
func zoneAbbreviation(t time.Time) string {
	abbreviation, offset := t.Zone()
	if abbreviation == "" || abbreviation == t.Location().String() && (abbreviation[0] == '+' || abbreviation[0] == '-') {
		return "GMT" + offsetText(offset, false)
	}
	return abbreviation
}

func ordinalSuffix(day int) string {
	if day < 10 || day > 19 {
		switch day % 10 {
		case 1:
			return "st"
		case 2:
			return "nd"
		case 3:
			return "rd"
		}
	}
	return "th"
}

// swatchBeat returns the thousandths of the day in Biel's winter time.
func swatchBeat(t time.Time) int {
	return int(floorMod(t.Unix()+3600, secondsPerDay) * 10 / 864)
}

func flag(b bool) byte {
	if b {
		return '1'
	}
	return '0'
}

// pad writes n with at least width digits behind its sign.
func pad(b *strings.Builder, n, width int) {
	if n < 0 {
		b.WriteByte('-')
		n = -n
	}
	digits := strconv.Itoa(n)
	for k := len(digits); k < width; k++ {
		b.WriteByte('0')
	}
	b.WriteString(digits)
}
