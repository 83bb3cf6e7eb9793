package phpdate

import (
	"math"
	"time"
)

// fill completes the reading with the present in the zone that counts, where it
// leaves anything open.
func (r *reading) fill(clock Clock, zone *time.Location) {
	if r.hasDate && r.times == 0 {
		r.clock(0, 0, 0)
	}
	if !r.open() {
		if r.micro == unset {
			r.micro = 0
		}
		return
	}
	now := clock().In(zone)
	if r.micro == unset {
		r.micro = int64(now.Nanosecond() / 1000)
		for _, named := range []int64{r.year, r.month, r.day, r.hour, r.minute, r.second} {
			if named != unset {
				r.micro = 0
			}
		}
	}
	year, month, day := now.Date()
	hour, minute, second := now.Clock()
	for _, gap := range []struct {
		field *int64
		value int
	}{
		{&r.year, year}, {&r.month, int(month)}, {&r.day, day},
		{&r.hour, hour}, {&r.minute, minute}, {&r.second, second},
	} {
		if *gap.field == unset {
			*gap.field = int64(gap.value)
		}
	}
}

// resolve moves m, a completed date, by the relative part and places it in a zone.
// All of it moves the wall clock, hours too: "+1 hour" is not an hour of real
// time where the clocks change. It returns Unix seconds and microseconds.
func resolve(m moment, rel relative, zone *time.Location) (unix, micro int64, err error) {
	switch rel.special {
	case nthOfMonth:
		m.day = 1
		m.month += rel.month
		rel.month = 0
	case lastOfMonth:
		m.day = 1
		m.month += rel.month + 1
		rel.month = 0
	}
	m.toEdge(rel.edge)
	if err := m.normalise(); err != nil {
		return 0, 0, err
	}
	if rel.hasWeekday {
		m.day += weekdayShift(m.dayOfWeek(), rel)
		if err := m.normalise(); err != nil {
			return 0, 0, err
		}
	}
	m.add(rel.moment)
	m.toEdge(rel.edge)
	if err := m.normalise(); err != nil {
		return 0, 0, err
	}
	if rel.special == workingDays {
		m.day += workingDayShift(m.dayOfWeek(), rel.amount)
	}
	wall, ok := secondsOf(dayNumber(m.year, m.month, m.day), m.hour*3600+m.minute*60+m.second)
	if !ok {
		return 0, 0, errRange
	}
	return placeWall(wall, zone), m.micro, nil
}

// secondsOf joins a day and seconds; ok is false when they do not fit.
func secondsOf(day, seconds int64) (total int64, ok bool) {
	if day < 0 { // keep day*86400 in range next to the lowest value
		day++
		seconds -= secondsPerDay
	}
	if day > math.MaxInt64/secondsPerDay || day < math.MinInt64/secondsPerDay {
		return 0, false
	}
	total = day * secondsPerDay
	if (seconds > 0 && total > math.MaxInt64-seconds) || (seconds < 0 && total < math.MinInt64-seconds) {
		return 0, false
	}
	return total + seconds, true
}

// weekdayShift returns the days from a date on a weekday to the requested weekday.
func weekdayShift(from int64, rel relative) int64 {
	to := rel.weekday
	if rel.manner == ofGivenWeek {
		// The week runs from Monday to Sunday.
		if from == 0 && to != 0 {
			to -= 7
		}
		if to == 0 && from != 0 {
			to = 7
		}
		return to - from
	}
	if to < 0 { // after "ago"
		return -(7 - (-to - from))
	}
	shift := to - from
	if (rel.day < 0 && shift < 0) || (rel.day >= 0 && shift <= -int64(rel.manner)) {
		shift += 7
	}
	return shift
}

// workingDayShift returns the days that n weekdays take from a date. A weekend
// counts as the Friday before when going forward, as the Monday after when going
// back or standing still.
func workingDayShift(from, n int64) int64 {
	index := floorMod(from-1, 7) // Monday is 0
	var toWeekday int64
	if index > 4 {
		if n > 0 {
			toWeekday = 4 - index
		} else {
			toWeekday = 7 - index
		}
	}
	index = (index + toWeekday) % 7
	weeks := floorDiv(index+n, 5)
	return toWeekday + weeks*7 + floorMod(index+n, 5) - index
}

// placeWall turns a wall clock, given as seconds as if it were UTC, into Unix
// seconds. A time that the zone skips moves forward by the gap. Of a time that
// occurs twice, zones east of Greenwich take the second and zones west of it the
// first, because PHP begins its search at the same figures in UTC.
func placeWall(wall int64, zone *time.Location) int64 {
	if zone == time.UTC {
		return wall
	}
	here, _ := offsetAt(wall, zone)
	there, since := offsetAt(wall-here, zone)
	if here != there && wall-there < since {
		return wall - here
	}
	return wall - there
}

// offsetAt returns a zone's offset at an instant and the instant from which it holds.
func offsetAt(unix int64, zone *time.Location) (offset, since int64) {
	t := time.Unix(unix, 0).In(zone)
	_, seconds := t.Zone()
	start, _ := t.ZoneBounds()
	since = math.MinInt64
	if !start.IsZero() {
		since = start.Unix()
	}
	return int64(seconds), since
}
