// Package rfc5545 writes iCalendar feeds that follow RFC 5545 and RFC 7986, event by event,
// from values that were loaded already. It makes no queries and knows no requests.
//
//   - calendar.go: [Calendar], the head and the end of a feed; color.go: its color
//   - event.go: [Event]; zone.go: time zones, each before the first event that needs it
//   - line.go: content lines, which are folded; text.go: values of properties
//   - plain.go: HTML as plain text
//
// Package ical writes exports as The Events Calendar does, with its faults; this package has
// no fault to repeat.
//
// An event has its text three times: plain as DESCRIPTION, and as HTML in STYLED-DESCRIPTION (RFC
// 9073) and in X-ALT-DESC, which Outlook reads and which is older than the RFC. RFC 5545 has
// programs ignore properties that they don't know. libical 3.0 marks a STYLED-DESCRIPTION with
// X-LIC-ERROR and goes on: the event and its other properties are there, and nothing is lost but
// what it couldn't have shown. So the standard's property isn't left out for it.
//
// The writer is our own because github.com/arran4/golang-ical v0.3.4 was tried and can't be
// used for texts that other people write: it leaves carriage returns, NUL and broken UTF-8 in
// values, so that a title breaks the line; it writes a quote in a parameter as \", which RFC
// 5545 has no rule for; it doesn't quote a parameter with a comma; it makes no VTIMEZONE from
// the tz database; and an event of one kilobyte takes it a millisecond (here: some
// microseconds), which a feed of 100,000 events can't afford.
package rfc5545
