package edit

import (
	"testing"
	"time"
)

// PHP's microtime(true) with a precision of 14 digits has up to four decimals.
func TestChangeTime(t *testing.T) {
	for micro, want := range map[int64]string{1_795_262_400_000_000: "1795262400", 1_795_262_400_500_000: "1795262400.5", 1_795_262_400_123_456: "1795262400.1235"} {
		if got := changeTime(time.UnixMicro(micro)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
