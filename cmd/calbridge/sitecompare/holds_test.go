package sitecompare

import "testing"

// TestHolds checks which values a cause accounts for, and which not.
func TestHolds(t *testing.T) {
	for _, c := range []struct {
		name         string
		holds        func(theirs, ours string) bool
		theirs, ours string
		want         bool
	}{
		{"another currency sign", sameDigits, `"&#36;120"`, `"120 Kč"`, true},
		{"thousands", sameDigits, `"1.200"`, `"1,200"`, true},
		{"another price", sameDigits, `"120"`, `"130"`, false},
		{"free in another language", sameDigits, `"Zdarma"`, `"Free"`, false},
		{"another offset", otherOffset, `"2026-11-27T20:00:00+01:00"`, `"2026-11-27T20:00:00+02:00"`, true},
		{"another hour", otherOffset, `"2026-11-27 20:00:00"`, `"2026-11-27 19:00:00"`, true},
		{"the next second", otherOffset, `"2026-11-27 20:00:00"`, `"2026-11-27 20:00:01"`, false},
		{"the next minute", otherOffset, `"2026-11-27 20:00:00"`, `"2026-11-27 20:01:00"`, false},
		{"a description", otherOffset, `"Start of the event"`, `"First day"`, false},
		{"another slug", otherPath, `"https:\/\/a.example\/akce\/x\/"`, `"https:\/\/a.example\/event\/x\/"`, true},
		{"the next second in a query", otherPath, `"https:\/\/a.example\/?start_date=2026-11-27+20:00:00"`, `"https:\/\/a.example\/?start_date=2026-11-27+20:00:01"`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.holds(c.theirs, c.ours); got != c.want {
				t.Errorf("%s and %s: %t", c.theirs, c.ours, got)
			}
		})
	}
}
