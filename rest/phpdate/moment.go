package phpdate

// moment is a date and a time of day on the wall clock of no zone in particular.
// Its fields may lie outside their ranges.
type moment struct {
	year, month, day, hour, minute, second, micro int64
}

func (m *moment) clock(hour, minute, second int64) {
	m.hour, m.minute, m.second, m.micro = hour, minute, second, 0
}

// open reports whether any part of date or time is left to the present.
func (m *moment) open() bool {
	return m.year == unset || m.month == unset || m.day == unset || m.hour == unset || m.minute == unset || m.second == unset
}

func (m *moment) dayOfWeek() int64 { return weekdayOf(dayNumber(m.year, m.month, m.day)) }

func (m *moment) add(by moment) {
	m.year += by.year
	m.month += by.month
	m.day += by.day
	m.hour += by.hour
	m.minute += by.minute
	m.second += by.second
	m.micro += by.micro
}

func (m *moment) toEdge(edge monthEdge) {
	switch edge {
	case firstDay:
		m.day = 1
	case lastDay:
		m.day = 0
		m.month++
	}
}

// normalise brings all fields into their ranges: "24:30" becomes half past
// midnight of the next day.
func (m *moment) normalise() error {
	carry(&m.micro, &m.second, 1_000_000)
	carry(&m.second, &m.minute, 60)
	carry(&m.minute, &m.hour, 60)
	carry(&m.hour, &m.day, 24)
	const bound = maxYear * 366
	if m.year > maxYear || m.year < -maxYear || m.month > bound || m.month < -bound || m.day > bound || m.day < -bound {
		return errRange
	}
	m.year, m.month, m.day = calendarDate(dayNumber(m.year, m.month, m.day))
	return nil
}

// carry moves what part holds beyond size into whole.
func carry(part, whole *int64, size int64) {
	*whole += floorDiv(*part, size)
	*part = floorMod(*part, size)
}
