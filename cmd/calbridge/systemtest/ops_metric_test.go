package systemtest

import (
	"bufio"
	"context"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// metric reads one value from the ops listener. It returns -1 if the series does not exist.
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

// streamed returns the first line of the console's stream that contains a text, or everything
// that arrived in a minute.
func (s *started) streamed(text string) string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.ops+"/console/stream", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	var all strings.Builder
	lines := bufio.NewScanner(resp.Body)
	for lines.Buffer(nil, 4<<20); lines.Scan(); all.WriteString(lines.Text() + "\n") {
		if strings.Contains(lines.Text(), text) {
			return lines.Text()
		}
	}
	return all.String()
}
