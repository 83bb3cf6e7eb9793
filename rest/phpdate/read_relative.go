package phpdate

func readYesterday(r *reading, _ *cursor) error {
	r.dropTime()
	r.rel.day = -1
	return nil
}

func readTomorrow(r *reading, _ *cursor) error {
	r.dropTime()
	r.rel.day = 1
	return nil
}

// readEdgeOfMonth reads "first day of" and "last day of". It applies to the month that results from
// all other modifiers; the time of day is unchanged.
func readEdgeOfMonth(r *reading, c *cursor) error {
	r.rel.edge = firstDay
	if lower(c.text[0]) == 'l' {
		r.rel.edge = lastDay
	}
	return nil
}

// readWeekdayOfMonth reads "second friday of" and "last friday of".
func readWeekdayOfMonth(r *reading, c *cursor) error {
	word := c.word()
	n := ordinals[word]
	r.dropTime()
	r.rel.special = lastOfMonth
	manner := mannerOf(word)
	if n > 0 {
		r.rel.special, manner = nthOfMonth, fromToday
	}
	r.rel.moveToWeekday(n, units[c.word()].factor, manner)
	return nil
}

// readWeekday reads a day's name standing alone: today or the next such day. The
// word "weekday" itself means Monday there, which is PHP's slip.
func readWeekday(r *reading, c *cursor) error {
	r.dropTime()
	r.rel.hasWeekday = true
	r.rel.weekday = units[c.word()].factor
	if r.rel.manner != ofGivenWeek {
		r.rel.manner = fromToday
	}
	return nil
}

// readNextWeek reads "next week" and its kind: the same clock on the day named
// beside it, or on the Monday, of the week so many weeks away.
func readNextWeek(r *reading, c *cursor) error {
	r.rel.day += 7 * ordinals[c.word()]
	r.rel.manner = ofGivenWeek
	if !r.rel.hasWeekday {
		r.rel.hasWeekday = true
		r.rel.weekday = 1
	}
	return nil
}

// readNextUnit reads "next month", "third day" and "last friday".
func readNextUnit(r *reading, c *cursor) error {
	word := c.word()
	u := units[c.word()]
	if u.kind == weekdayUnit || u.kind == workingDaysUnit {
		r.dropTime()
	}
	r.rel.move(ordinals[word], u, mannerOf(word))
	return nil
}

// mannerOf reports whether today may be meant by a weekday behind an ordinal.
func mannerOf(ordinal string) weekdayManner {
	if ordinal == "this" {
		return fromToday
	}
	return afterToday
}

// readNumberUnit reads "+2 weeks", "-33 minutes" and "3 friday". The clock stays.
func readNumberUnit(r *reading, c *cursor) error {
	n, _, _ := c.signed(13)
	r.rel.move(n, units[c.word()], fromToday)
	return nil
}

// move adds n units to the relative part.
func (rel *relative) move(n int64, u unit, manner weekdayManner) {
	switch u.kind {
	case microsecondUnit:
		rel.micro += n * u.factor
	case secondUnit:
		rel.second += n * u.factor
	case minuteUnit:
		rel.minute += n * u.factor
	case hourUnit:
		rel.hour += n * u.factor
	case dayUnit:
		rel.day += n * u.factor
	case monthUnit:
		rel.month += n * u.factor
	case yearUnit:
		rel.year += n * u.factor
	case weekdayUnit:
		rel.moveToWeekday(n, u.factor, manner)
	case workingDaysUnit:
		rel.special, rel.amount = workingDays, n
	}
}

// moveToWeekday notes the n-th such day from the date.
func (rel *relative) moveToWeekday(n, weekday int64, manner weekdayManner) {
	weeks := n
	if n > 0 {
		weeks--
	}
	rel.day += weeks * 7
	rel.hasWeekday = true
	rel.weekday = weekday
	rel.manner = manner
}

// readAgo turns round everything relative before it but microseconds.
func readAgo(r *reading, _ *cursor) error {
	rel := &r.rel
	for _, p := range []*int64{&rel.year, &rel.month, &rel.day, &rel.hour, &rel.minute, &rel.second, &rel.weekday} {
		*p = -*p
	}
	if rel.weekday == 0 {
		rel.weekday = -7
	}
	if rel.special == workingDays {
		rel.amount = -rel.amount
	}
	return nil
}
