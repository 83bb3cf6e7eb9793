package phpdate

func (r *reading) yesterday(*cursor) error {
	r.dropTime()
	r.rel.day = -1
	return nil
}

func (r *reading) tomorrow(*cursor) error {
	r.dropTime()
	r.rel.day = 1
	return nil
}

// edgeOfMonth reads "first day of" and "last day of": the month is the one that
// all else arrives at. The clock stays.
func (r *reading) edgeOfMonth(c *cursor) error {
	r.rel.edge = firstDay
	if lower(c.text[0]) == 'l' {
		r.rel.edge = lastDay
	}
	return nil
}

// weekdayOfMonth reads "second friday of" and "last friday of".
func (r *reading) weekdayOfMonth(c *cursor) error {
	word := c.word()
	n := ordinals[word]
	r.dropTime()
	r.rel.special = lastOfMonth
	manner := mannerOf(word)
	if n > 0 {
		r.rel.special, manner = nthOfMonth, fromToday
	}
	r.moveToWeekday(n, units[c.word()].factor, manner)
	return nil
}

// weekday reads a day's name standing alone: today or the next such day. The
// word "weekday" itself means Monday there, which is PHP's slip.
func (r *reading) weekday(c *cursor) error {
	r.dropTime()
	r.rel.hasWeekday = true
	r.rel.weekday = units[c.word()].factor
	if r.rel.manner != ofGivenWeek {
		r.rel.manner = fromToday
	}
	return nil
}

// nextWeek reads "next week" and its kind: the same clock on the day named
// beside it, or on the Monday, of the week so many weeks away.
func (r *reading) nextWeek(c *cursor) error {
	r.rel.day += 7 * ordinals[c.word()]
	r.rel.manner = ofGivenWeek
	if !r.rel.hasWeekday {
		r.rel.hasWeekday = true
		r.rel.weekday = 1
	}
	return nil
}

// nextUnit reads "next month", "third day" and "last friday".
func (r *reading) nextUnit(c *cursor) error {
	word := c.word()
	u := units[c.word()]
	if u.kind == weekdayUnit || u.kind == workingDaysUnit {
		r.dropTime()
	}
	r.move(ordinals[word], u, mannerOf(word))
	return nil
}

// mannerOf says whether today may be meant by a weekday behind an ordinal.
func mannerOf(ordinal string) weekdayManner {
	if ordinal == "this" {
		return fromToday
	}
	return afterToday
}

// numberUnit reads "+2 weeks", "-33 minutes" and "3 friday". The clock stays.
func (r *reading) numberUnit(c *cursor) error {
	n, _, _ := c.signed(13)
	r.move(n, units[c.word()], fromToday)
	return nil
}

// move adds n units to the relative part.
func (r *reading) move(n int64, u unit, manner weekdayManner) {
	rel := &r.rel
	switch u.kind {
	case microsecondUnit:
		rel.micro += n * u.factor
	case secondUnit:
		rel.second += n
	case minuteUnit:
		rel.minute += n
	case hourUnit:
		rel.hour += n
	case dayUnit:
		rel.day += n * u.factor
	case monthUnit:
		rel.month += n
	case yearUnit:
		rel.year += n
	case weekdayUnit:
		r.moveToWeekday(n, u.factor, manner)
	case workingDaysUnit:
		rel.special, rel.amount = workingDays, n
	}
}

// moveToWeekday notes the n-th such day from the date.
func (r *reading) moveToWeekday(n, weekday int64, manner weekdayManner) {
	weeks := n
	if n > 0 {
		weeks--
	}
	r.rel.day += weeks * 7
	r.rel.hasWeekday = true
	r.rel.weekday = weekday
	r.rel.manner = manner
}

// ago turns round everything relative before it but microseconds.
func (r *reading) ago(*cursor) error {
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
