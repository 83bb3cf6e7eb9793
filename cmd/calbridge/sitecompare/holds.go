package sitecompare

import (
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
)

// sameDigits reports whether two costs have the same digits, so that only their format differs.
func sameDigits(theirs, ours string) bool {
	digits := func(text string) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsDigit(c) {
				return c
			}
			return -1
		}, decoded(text))
	}
	return digits(theirs) != "" && digits(theirs) == digits(ours)
}

// decoded returns a text without the character references of currency signs.
func decoded(text string) string {
	for {
		before, rest, found := strings.Cut(text, "&#")
		reference, after, ended := strings.Cut(rest, ";")
		if !found || !ended || len(reference) > 8 {
			return text
		}
		text = before + after
	}
}

// zoneStep divides all offsets from UTC.
const zoneStep = 15 * time.Minute

// mostOffset is the greatest difference between two offsets from UTC.
const mostOffset = 26 * time.Hour

// otherOffset reports whether two dates are the same but for their offset from UTC: the same
// local time with another offset, or times that are apart by a difference of offsets.
func otherOffset(theirs, ours string) bool {
	a, b := strings.Trim(theirs, `"`), strings.Trim(ours, `"`)
	const local = "2006-01-02T15:04:05"
	if len(a) > len(local) && len(b) > len(local) && a[:len(local)] == b[:len(local)] {
		return a != b
	}
	for _, layout := range []string{time.RFC3339, time.DateTime, local} {
		x, errX := time.Parse(layout, a)
		y, errY := time.Parse(layout, b)
		if apart := x.Sub(y).Abs(); errX == nil && errY == nil {
			return apart > 0 && apart <= mostOffset && apart%zoneStep == 0
		}
	}
	return false
}

// otherPath reports whether two addresses differ in scheme, host, path, or in more of their query
// than numbers: those are of other contents, or of another moment.
func otherPath(theirs, ours string) bool {
	if slices.ContainsFunc([]string{theirs, ours}, func(text string) bool { return !strings.HasPrefix(text, `"`) || strings.HasSuffix(text, "…") }) {
		return strings.Contains(theirs, "http") && strings.Contains(ours, "http") && !strings.Contains(theirs+ours, "?")
	}
	parse := func(text string) *url.URL {
		u, err := url.Parse(strings.ReplaceAll(strings.Trim(text, `"`), `\/`, "/"))
		if err != nil {
			return &url.URL{}
		}
		return u
	}
	a, b := parse(theirs), parse(ours)
	numbers := func(u *url.URL) string {
		return strings.Map(func(c rune) rune {
			if unicode.IsDigit(c) {
				return '0'
			}
			return c
		}, u.RawQuery)
	}
	return a.Scheme+a.Host+a.Path != b.Scheme+b.Host+b.Path || numbers(a) != numbers(b)
}
