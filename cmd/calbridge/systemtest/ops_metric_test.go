package systemtest

import (
	"strconv"
	"strings"
	"time"
)

// metric reads one value off the ops listener, -1 when it is not there.
func (s *started) metric(series string) float64 {
	s.t.Helper()
	_, text := fetch(s.t, s.ops+"/metrics")
	for line := range strings.Lines(text) {
		if rest, ok := strings.CutPrefix(line, series+" "); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(rest), 64)
			if err != nil {
				s.t.Fatal(err)
			}
			return v
		}
	}
	return -1
}

// awaitMetric waits until a metric has a value.
func (s *started) awaitMetric(series string, want float64) {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if s.metric(series) == want {
			return
		}
	}
	s.t.Fatalf("%s is %v, want %v\n%s", series, s.metric(series), want, s.stderr)
}
