// Package explain finds out why two answers differ. It names a cause only if the cause
// accounts for every difference that it is named for: it applies the cause to the recorded
// answer and compares again.
//
//   - explain.go: one exchange; level.go: the --compat level of a target
//   - causes.go: the table of causes; rank.go: which difference tells most
//   - headers.go: headers that do not belong to the API
//   - hidden.go, lists.go, linked.go: entries that only the reference shows (S1, S2, S9)
//   - used.go, upcoming.go: venues and organizers by events that only the reference counts (S9)
//   - language.go: roots and parameters of languages that only calbridge has (S8); wpml.go: WPML's (F5)
//   - locked.go: what older calendars show and allow (S15)
//   - export.go: iCalendar exports (S16, F9, F10, F11, and hidden entries in them);
//     pages.go: those of pages that only WordPress knows (D14)
//   - order.go: the order of entries with equal sort keys (D1)
//   - tickets.go: tickets whose sale is over (D12)
//   - clock.go: times that moved on between two answers
//   - address.go, wording.go: causes that a rule or a flag removes
//
// It changes copies of answers and returns differences. It must not import rules or replay,
// which calls it.
package explain
