package systemtest

import (
	"net/http"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/companion"
)

// TestNoticesAreTaken checks that the ops listener accepts notices if there is a secret, and
// only from senders that know it.
func TestNoticesAreTaken(t *testing.T) {
	file := sampleFile(t)
	for secret, want := range map[string]int{"": http.StatusNotFound, strings.Repeat("s", 40): http.StatusUnauthorized} {
		args := []string{"serve", "--dsn", "sqlite:" + file, "--cache", "notices"}
		if secret != "" {
			args = append(args, "--companion-secret", secret)
		}
		s := start(t, nil, args...)
		resp, err := http.Post(s.ops+companion.NoticesPath, "application/json", strings.NewReader(`{"posts":[1]}`))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("secret %q: %s", secret, resp.Status)
		}
	}
}
