// Package rfc5545 writes iCalendar feeds that follow RFC 5545 and RFC 7986, event by event, from
// values that were loaded already. It makes no queries and does not depend on requests.
//
//   - calendar.go: [Calendar], the head and the end of a feed; color.go: its color
//   - event.go: [Event]; zone.go: time zones, each before the first event that needs it
//   - line.go: content lines, which are folded; text.go: values of properties
//   - plain.go: HTML as plain text
//
// Package ical writes exports as The Events Calendar does, with its faults. This package repeats
// none of them.
//
// An event has its text three times: plain as DESCRIPTION, and as HTML in STYLED-DESCRIPTION (RFC
// 9073) and in X-ALT-DESC, which Outlook reads and which is older than the RFC. RFC 5545 requires
// programs to ignore unknown properties. libical 3.0 marks a STYLED-DESCRIPTION with X-LIC-ERROR
// and continues: the event and its other properties are there, and only what it couldn't have shown
// is lost. So the feeds have the standard's property.
//
// The writer is our own because github.com/arran4/golang-ical v0.3.4 was tried and can't be used
// for texts that other people write. It leaves carriage returns, NUL and broken UTF-8 in values, so
// that a title breaks the line. It writes a quote in a parameter as \", for which RFC 5545 has no
// rule, and doesn't quote a parameter with a comma. It makes no VTIMEZONE from the tz database. It
// needs a millisecond for an event of one kilobyte (this package: some microseconds), which is too
// slow for a feed of 100,000 events.
package rfc5545
