package wpml

import (
	"testing"
	"time"
)

func TestOrdinalDate(t *testing.T) {
	for day, want := range map[int]string{
		1: "March the 1st, 2027", 2: "March the 2nd, 2027", 3: "March the 3rd, 2027", 4: "March the 4th, 2027",
		11: "March the 11th, 2027", 12: "March the 12th, 2027", 13: "March the 13th, 2027",
		21: "March the 21st, 2027", 22: "March the 22nd, 2027", 30: "March the 30th, 2027",
	} {
		if got := ordinalDate(time.Date(2027, 3, day, 0, 0, 0, 0, time.UTC)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
