// Package ical writes iCalendar exports as The Events Calendar 6.17 does, from values that were
// loaded already. It makes no queries and does not depend on requests.
//
//   - calendar.go: [Calendar], its head and the file's name
//   - form.go: [Form], and lines in each form
//   - zone.go: time zones; standard_zone.go: those of the standard form
//   - event.go: events; text.go: values of properties
//
// Its output [AsReference] is what subscribers of the reference get, including its violations of
// RFC 5545: lines are not folded, the last line has no end, semicolons are not escaped, and the
// onsets of zones are in UTC. Existing subscriptions depend on its UIDs, which are the same in all
// forms.
package ical
