package phpdate

import "math"

// unset marks a field that the string has not mentioned.
const unset = math.MinInt64

// reading holds what a date string states, before the present fills its gaps.
type reading struct {
	moment
	hasDate bool
	times   int // clock times seen; a second one is an error
	shifts  int // zones seen; a second one is ignored, a third is an error
	zone    Zone
	rel     relative

	zones *Zones
}

// relative is the part of a date string that moves the date named by the rest.
type relative struct {
	moment // how far to move each field

	hasWeekday bool
	weekday    int64 // 0 is Sunday; negative after "ago"
	manner     weekdayManner

	special specialKind
	amount  int64 // of workingDays
	edge    monthEdge
}

// weekdayManner selects which day of a name is meant.
type weekdayManner int64

const (
	afterToday  weekdayManner = iota // the next one, not today
	fromToday                        // the next one, or today
	ofGivenWeek                      // the one in the week, Monday to Sunday, of the date
)

type specialKind uint8

const (
	noSpecial   specialKind = iota
	workingDays             // "+3 weekdays"
	nthOfMonth              // "second friday of"
	lastOfMonth             // "last friday of"
)

type monthEdge uint8

const (
	noEdge monthEdge = iota
	firstDay
	lastDay
)

func newReading(zones *Zones) *reading {
	return &reading{moment: moment{unset, unset, unset, unset, unset, unset, unset}, zones: zones}
}

// startTime notes that a clock time follows and clears the clock.
func (r *reading) startTime() error {
	if r.times > 0 {
		return errDoubleTime
	}
	r.times = 1
	r.clock(0, 0, 0)
	return nil
}

// dropTime sets the clock to midnight but allows a time of day to follow.
func (r *reading) dropTime() {
	r.times = 0
	r.clock(0, 0, 0)
}

// claimDate records that a date is named; the caller sets its fields.
func (r *reading) claimDate() error {
	if r.hasDate {
		return errDoubleDate
	}
	r.hasDate = true
	return nil
}

// date records a whole date.
func (r *reading) date(year, month, day int64) error {
	if err := r.claimDate(); err != nil {
		return err
	}
	r.year, r.month, r.day = year, month, day
	return nil
}

// monthAndDay records a date without changing the year.
func (r *reading) monthAndDay(month, day int64) error {
	if err := r.claimDate(); err != nil {
		return err
	}
	r.month, r.day = month, day
	return nil
}

// cursor reads the parts of one token.
type cursor struct {
	text string
	at   int
}

// peek returns the next byte, 0 at the end.
func (c *cursor) peek() byte {
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

// number skips to the next digit and reads at most most digits; unset when none
// is left. width is the number of digits.
func (c *cursor) number(most int) (value int64, width int) {
	for !isDigit(c.peek()) {
		if c.at >= len(c.text) {
			return unset, 0
		}
		c.at++
	}
	for width < most && isDigit(c.peek()) {
		value = value*10 + int64(c.peek()-'0')
		c.at++
		width++
	}
	return value, width
}

// two reads a number of at most two digits, 0 when there is none.
func (c *cursor) two() int64 {
	n, _ := c.number(2)
	if n == unset {
		return 0
	}
	return n
}

// signed reads a number with any signs before it; every "-" turns it round. ok is
// false when it does not fit.
func (c *cursor) signed(most int) (value int64, width int, ok bool) {
	negative := false
	for c.at < len(c.text) && !isDigit(c.peek()) {
		if c.peek() == '-' {
			negative = !negative
		}
		c.at++
	}
	var magnitude uint64
	limit := uint64(math.MaxInt64)
	if negative {
		limit++
	}
	ok = true
	for ; width < most && isDigit(c.peek()); width++ {
		d := uint64(c.peek() - '0')
		if magnitude > (limit-d)/10 {
			ok = false
		} else {
			magnitude = magnitude*10 + d
		}
		c.at++
	}
	if negative {
		return int64(-magnitude), width, ok
	}
	return int64(magnitude), width, ok
}

// fraction reads ".5" or ":5" as microseconds.
func (c *cursor) fraction() int64 {
	if c.peek() == '.' || c.peek() == ':' {
		c.at++
	}
	var micro int64
	digits := 0
	for ; isDigit(c.peek()); c.at++ {
		if digits < 6 {
			micro = micro*10 + int64(c.peek()-'0')
			digits++
		}
	}
	for ; digits < 6; digits++ {
		micro *= 10
	}
	return micro
}

// year reads a year and widens one of one or two digits to 1970–2069.
func (c *cursor) year() int64 {
	y, width := c.number(4)
	return widenYear(y, width)
}

func widenYear(y int64, width int) int64 {
	switch {
	case y == unset || width >= 4 || y >= 100:
		return y
	case y < 70:
		return y + 2000
	}
	return y + 1900
}

// word skips separators and reads the letters that follow, in lower case. "µ"
// counts as a letter.
func (c *cursor) word() string {
	for c.at < len(c.text) && inSet(" \t-./+0123456789", c.text[c.at]) {
		c.at++
	}
	from := c.at
	for c.at < len(c.text) && (isLetter(c.text[c.at]) || c.text[c.at] >= 0x80) {
		c.at++
	}
	b := []byte(c.text[from:c.at])
	for i := range b {
		b[i] = lower(b[i])
	}
	return string(b)
}

// meridian reads "am" or "pm" and returns the hours that it adds to hour.
func (c *cursor) meridian(hour int64) int64 {
	for c.at < len(c.text) && !inSet("aApP", c.text[c.at]) {
		c.at++
	}
	switch {
	case lower(c.peek()) == 'a' && hour == 12:
		return -12
	case lower(c.peek()) == 'p' && hour != 12:
		return 12
	}
	return 0
}
