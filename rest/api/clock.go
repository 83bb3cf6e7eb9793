package api

import "time"

// Clock is the time of one request. It also records whether the response depends on the time.
type Clock struct {
	At time.Time
	// Asked reports that the response depends on the time: it is valid for this second only.
	Asked bool
	// Until is when the response changes by itself. The zero time means never.
	Until time.Time
}

// Present returns the time of the request, and records that the response depends on it.
func (c *Clock) Present() time.Time {
	c.Asked = true
	return c.At
}

// PresentUntil returns the time of the request, and records that the response stays the same until
// change.
func (c *Clock) PresentUntil(change time.Time) time.Time {
	if c.Until.IsZero() || change.Before(c.Until) {
		c.Until = change
	}
	return c.At
}

// Today returns the time of the request, and records that the response stays the same until the day
// ends in UTC.
func (c *Clock) Today() time.Time {
	y, m, d := c.At.UTC().Date()
	return c.PresentUntil(time.Date(y, m, d+1, 0, 0, 0, 0, time.UTC))
}

// Split returns the validity of the response so far, and resets it. Join continues with both.
func (c *Clock) Split() Validity {
	before := Validity{c.Asked, c.Until}
	c.Asked, c.Until = false, time.Time{}
	return before
}

// Join adds the validity of another part of the response.
func (c *Clock) Join(v Validity) {
	c.Asked = c.Asked || v.Timely
	if !v.Until.IsZero() {
		c.PresentUntil(v.Until)
	}
}

// MySQLTime is the form in which WordPress stores and compares dates.
const MySQLTime = "2006-01-02 15:04:05"

// IsStoredDate reports whether s is a real date and time in the stored form.
func IsStoredDate(s string) bool {
	_, err := time.Parse(MySQLTime, s)
	return err == nil
}
