package phpdate

import "errors"

// Reasons why a string is not a date; callers do not distinguish them.
var (
	errUnexpected = errors.New("unexpected character")
	errDoubleTime = errors.New("more than one time of day")
	errDoubleDate = errors.New("more than one date")
	errDoubleZone = errors.New("more than two time zones")
	errRange      = errors.New("number out of range")
	errEmpty      = errors.New("empty string")
	errTooLong    = errors.New("string too long for a date")
)
