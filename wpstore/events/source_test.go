package events

import (
	"strconv"
	"testing"
)

// FuzzNumber reads integers as strconv does, and nothing as 0.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"", "0", "-5", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551615", "x", "-", "1x", "007"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v := values{texts: [][]byte{[]byte(text)}}
		got := v.number(0)
		want, err := strconv.ParseInt(text, 10, 64)
		switch {
		case text == "":
			want, err = 0, nil
		case text == "-":
			want = 0
		}
		if got != want || (v.err == nil) != (err == nil) {
			t.Errorf("%q is %d (%v), want %d (%v)", text, got, v.err, want, err)
		}
	})
}
