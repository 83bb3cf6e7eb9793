package api

import "time"

// Clock is the time of one request, and notes whether the answer depends on it.
type Clock struct {
	At time.Time
	// Asked says that the answer depends on the time: it is valid for this second only.
	Asked bool
}

// Present is the time of the request, on which the answer then depends.
func (c *Clock) Present() time.Time {
	c.Asked = true
	return c.At
}

// MySQLTime is the form in which WordPress stores and compares dates.
const MySQLTime = "2006-01-02 15:04:05"

// IsStoredDate says whether s is a real date and time in the stored form.
func IsStoredDate(s string) bool {
	_, err := time.Parse(MySQLTime, s)
	return err == nil
}
