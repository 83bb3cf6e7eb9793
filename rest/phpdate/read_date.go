package phpdate

import "slices"

// readParts reads the parts of a date in an order: d(ay), m(onth) and M(onth by name),
// y(ear), o(ptional year). A date without d is the first of its month.
func readParts(order string) func(*reading, *cursor) error {
	return func(r *reading, c *cursor) error {
		year, month, day := r.year, int64(1), int64(1)
		for _, part := range order {
			switch part {
			case 'd':
				day = c.two()
				if c.at+2 <= len(c.text) && slices.Contains(daySuffixes, c.text[c.at:c.at+2]) {
					c.at += 2
				}
			case 'm':
				month = c.two()
			case 'M':
				month = monthNumbers[c.word()]
			case 'y':
				year = c.year()
			case 'o':
				if y := c.year(); y != unset {
					year = y
				}
			default:
				panic("phpdate: no part of a date: " + string(part))
			}
		}
		return r.date(year, month, day)
	}
}

// readIsoDate reads "2026-12-24", "-0044-03-15", "2026/12/24", "20261224" and years
// of more than four digits, which need a sign.
func readIsoDate(r *reading, c *cursor) error {
	most := 4
	if len(c.text) > 0 && (c.text[0] == '+' || c.text[0] == '-') {
		most = 19
	}
	y, _, ok := c.signed(most)
	if !ok {
		return errRange
	}
	return r.date(y, c.two(), c.two())
}

// readMonthOnly reads "december": that month of this year, on today's day.
func readMonthOnly(r *reading, c *cursor) error {
	return r.monthAndDay(monthNumbers[c.word()], r.day)
}

// readYearOnly reads four digits that can't be a time of day ("1990"). It sets the year without
// naming a date.
func readYearOnly(r *reading, c *cursor) error {
	r.year, _ = c.number(4)
	return nil
}

// readYearDay reads "2026.358" and "2026358": the day of the year.
func readYearDay(r *reading, c *cursor) error {
	y, _ := c.number(4)
	d, _ := c.number(3)
	return r.date(y, 1, d)
}

// readIsoWeek reads "2026W521", "2026-W52-4" and "2026W52" (the week's Monday).
func readIsoWeek(r *reading, c *cursor) error {
	y, _ := c.number(4)
	week, _ := c.number(2)
	weekday, width := c.number(1)
	if width == 0 {
		weekday = 1
	}
	if err := r.date(y, 1, 1); err != nil {
		return err
	}
	r.rel.day = isoWeekOffset(y, week, weekday)
	return nil
}

// readDateTime reads a date and a time in one token: "20261224T183015",
// "2026-12-24T18:30:15.5+01:00", "2026:12:24 18:30:15".
func readDateTime(r *reading, c *cursor) error {
	if err := r.startTime(); err != nil {
		return err
	}
	y, _ := c.number(4)
	if err := r.date(y, c.two(), c.two()); err != nil {
		return err
	}
	r.readClock(c)
	return r.trailingZone(c)
}

// readCommonLog reads the dates of web server logs: "24/Dec/2026:18:30:15 +0100".
func readCommonLog(r *reading, c *cursor) error {
	if err := r.startTime(); err != nil {
		return err
	}
	d := c.two()
	m := monthNumbers[c.word()]
	y, _ := c.number(4)
	if err := r.date(y, m, d); err != nil {
		return err
	}
	r.readClock(c)
	return r.trailingZone(c)
}

// readMonthDayTime reads "Sep 5 18:30" and "Sep 5 18:30:15 UTC". Seconds behind a
// point look like a time but are taken for a zone, hence an error.
func readMonthDayTime(r *reading, c *cursor) error {
	if err := r.monthDayTime(c); err != nil {
		return err
	}
	if c.peek() == ':' {
		r.second = c.two()
	}
	return r.trailingZone(c)
}

// readMonthDayTime12 reads "Sep 5 6:30pm".
func readMonthDayTime12(r *reading, c *cursor) error {
	if err := r.monthDayTime(c); err != nil {
		return err
	}
	if c.peek() == ':' || c.peek() == '.' {
		r.second = c.two()
	}
	r.hour += c.meridian(r.hour)
	return nil
}

// monthDayTime reads "Sep 5 18:30".
func (r *reading) monthDayTime(c *cursor) error {
	m := monthNumbers[c.word()]
	if err := r.monthAndDay(m, c.two()); err != nil {
		return err
	}
	err := r.startTime()
	r.hour, r.minute = c.two(), c.two()
	return err
}
