package changefeed

import (
	"testing"
	"time"
)

// TestSlowTransactions: a server that is ahead for long, but sends, has no new history.
func TestSlowTransactions(t *testing.T) {
	var s stall
	start := time.Now()
	for _, test := range []struct {
		after    time.Duration
		upToDate bool
		events   uint64
		want     time.Duration
	}{
		{0, true, 1, 0},
		{10 * time.Second, true, 1, 0},
		{11 * time.Second, false, 2, 0},
		{15 * time.Second, false, 2, 4 * time.Second},
		{16 * time.Second, false, 3, 0},
		{19 * time.Second, false, 3, 3 * time.Second},
		{20 * time.Second, true, 3, 0},
	} {
		if got := s.since(test.upToDate, test.events, start.Add(test.after)); got != test.want {
			t.Errorf("after %v: %v, want %v", test.after, got, test.want)
		}
	}
}
