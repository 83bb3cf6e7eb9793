package edit

import (
	"testing"
)

func TestLeadingID(t *testing.T) {
	for value, want := range map[string]int64{"": 0, "x5": 0, "52": 52, "52abc": 52, " 52": 0, "-5": 0} {
		if got := leadingID(value); got != want {
			t.Errorf("%q: %d, want %d", value, got, want)
		}
	}
}
