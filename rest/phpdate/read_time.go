package phpdate

// readNow does nothing: unset fields take the present.
func readNow(*reading, *cursor) error { return nil }

func readNoon(r *reading, _ *cursor) error {
	r.times = 1
	r.clock(12, 0, 0)
	return nil
}

// readMidnight reads "midnight" and "today".
func readMidnight(r *reading, _ *cursor) error {
	r.dropTime()
	return nil
}

// readTimestamp reads "@1798137015" and "@1798137015.25": seconds since 1970 in UTC. It
// replaces any date and time before it. After another zone it has no effect but to
// clear the date.
func readTimestamp(r *reading, c *cursor) error {
	r.hasDate = false
	r.year, r.month, r.day = 0, 0, 0
	r.dropTime()
	if repeated, err := r.claimZone(); repeated || err != nil {
		return err
	}
	negative := len(c.text) > 1 && c.text[1] == '-'
	seconds, _, ok := c.signed(len(c.text))
	if !ok {
		return errRange
	}
	r.year, r.month, r.day = 1970, 1, 1
	r.rel.second += seconds
	if c.peek() == '.' {
		if c.at+1 == len(c.text) {
			return errUnexpected
		}
		micro := c.fraction()
		if negative {
			micro = -micro
		}
		r.rel.micro = micro
	}
	r.zone = fixedZone(0)
	return nil
}

// readTime12 reads "6pm", "6:30 p.m." and "6:30:15 pm".
func readTime12(r *reading, c *cursor) error {
	if err := r.startTime(); err != nil {
		return err
	}
	r.hour = c.two()
	if c.peek() == ':' || c.peek() == '.' {
		r.minute = c.two()
		if c.peek() == ':' || c.peek() == '.' {
			r.second = c.two()
		}
	}
	r.hour += c.meridian(r.hour)
	return nil
}

// readTimeMSSQL reads "6:30:15:123pm".
func readTimeMSSQL(r *reading, c *cursor) error {
	if err := r.startTime(); err != nil {
		return err
	}
	r.hour, r.minute, r.second = c.two(), c.two(), c.two()
	r.micro = c.fraction()
	r.hour += c.meridian(r.hour)
	return nil
}

// readTime24 reads "18:30", "t18.30.15", "18:30:15.5" and "183015".
func readTime24(r *reading, c *cursor) error {
	if err := r.startTime(); err != nil {
		return err
	}
	r.readClock(c)
	return nil
}

func (r *reading) readClock(c *cursor) {
	r.hour, r.minute, r.second = c.two(), c.two(), c.two()
	if c.peek() == '.' {
		r.micro = c.fraction()
	}
}

// readClock4 reads "1830", or the same digits as a year when a time has been named
// already.
func readClock4(r *reading, c *cursor) error {
	switch r.times {
	case 0:
		r.clock(c.two(), c.two(), 0)
	case 1:
		r.year, _ = c.number(4)
	default:
		return errDoubleTime
	}
	r.times++
	return nil
}

// readQuarter reads "back of 7pm" (7:15 pm) and "front of 7pm" (6:45 pm).
func readQuarter(r *reading, c *cursor) error {
	back := lower(c.text[0]) == 'b'
	hour, _ := c.number(2)
	r.times = 1
	if back {
		r.clock(hour, 15, 0)
	} else {
		r.clock(hour-1, 45, 0)
	}
	if c.at < len(c.text) {
		r.hour += c.meridian(r.hour)
	}
	return nil
}
