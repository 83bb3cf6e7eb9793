package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"calbridge/cmd/calbridge/buildinfo"
)

// TestAgentNamesTheVersion checks that sites see in the User-Agent which version requests them.
func TestAgentNamesTheVersion(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]bool{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.UserAgent()] = true
		mu.Unlock()
		http.NotFound(w, r)
	}))
	defer server.Close()
	out := t.TempDir()
	for _, c := range []struct {
		want string
		args []string
	}{
		{"calbridge-mirror/" + buildinfo.Version, []string{"mirror", "--once", "--url", server.URL + "/wp-json/tribe/events/v1", "--out", filepath.Join(out, "copy.sqlite")}},
		{"calbridge-record/" + buildinfo.Version + " (records the public calendar API, for comparison)", []string{"record", "--url", server.URL, "--out", filepath.Join(out, "recording.jsonl.gz")}},
	} {
		t.Run(c.args[0], func(t *testing.T) {
			clear(seen)
			var messages strings.Builder
			if code := Run(t.Context(), c.args, func(string) string { return "" }, io.Discard, &messages); code == 0 {
				t.Errorf("it succeeded on a site that has nothing\n%s", &messages)
			}
			if len(seen) != 1 || !seen[c.want] {
				t.Errorf("the site saw %v, want %s\n%s", seen, c.want, &messages)
			}
		})
	}
}
