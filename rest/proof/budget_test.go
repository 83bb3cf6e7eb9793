package proof

import (
	"testing"
	"time"
)

// TestBudget checks that the share of WordPress's time bounds the requests, after a pause too.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		name    string
		took    time.Duration
		percent float64
		step    time.Duration
		want    int // requests in an hour
	}{
		{"5 % of a WordPress that takes 250 ms", 250 * time.Millisecond, 5, time.Second, 720 + mostLeft},
		{"5 % of a slow one", 5 * time.Second, 5, time.Second, 36 + mostLeft},
		{"all of it", time.Second, 100, time.Second, 3600},
		{"after long pauses", 250 * time.Millisecond, 5, 20 * time.Minute, 4},
		{"nothing", time.Second, 0, time.Second, 0},
		{"not measured", 0, 5, time.Second, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b budget
			if c.took > 0 {
				b.note(c.took)
				b.note(c.took)
			}
			begin, got := time.Unix(1e9, 0), 0
			for at := begin; !at.After(begin.Add(time.Hour)); at = at.Add(c.step) {
				if b.take(at, c.percent) {
					got++
				}
			}
			if got < c.want-1 || got > c.want+1 {
				t.Errorf("%d requests, want %d", got, c.want)
			}
		})
	}
}
