package replay

import (
	"context"
	"testing"

	"calbridge/compat/compattest"
)

// TestAnonymousHasNoPassword checks that a password for "anonymous" adds no Authorization
// to requests that were recorded without one.
func TestAnonymousHasNoPassword(t *testing.T) {
	file := compattest.WriteRecording(t, "reads.jsonl", compattest.Exchange("a", "GET", "/wp-json/", `{}`))
	server := compattest.ReplayServer(t, []string{file}, nil, nil) // knows the recorded request only
	report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}, Logins: map[string]string{"anonymous": "x"}})
	if err != nil || report.Same != 1 {
		t.Errorf("error %v, %v", err, report.Differing)
	}
}
