package replay

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// Latency sums up how long the target took, from the first byte sent to the last
// byte read.
type Latency struct {
	Count              int
	Min, P50, P99, Max time.Duration
}

// LatencyOf sums up times, which it sorts.
func LatencyOf(took []time.Duration) Latency {
	if len(took) == 0 {
		return Latency{}
	}
	slices.Sort(took)
	rank := func(share float64) time.Duration {
		return took[max(0, int(math.Ceil(share*float64(len(took))))-1)]
	}
	return Latency{Count: len(took), Min: took[0], P50: rank(0.50), P99: rank(0.99), Max: took[len(took)-1]}
}

func (l Latency) String() string {
	if l.Count == 0 {
		return "nothing was sent"
	}
	ms := func(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond)) }
	return fmt.Sprintf("min %s, p50 %s, p99 %s, max %s", ms(l.Min), ms(l.P50), ms(l.P99), ms(l.Max))
}
