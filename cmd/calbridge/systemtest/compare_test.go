package systemtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
)

// TestCompare records the demo, compares it with itself and with a changed
// recording, and builds a profile that the demo then uses.
func TestCompare(t *testing.T) {
	s := start(t, nil, "demo", "--clock", "2026-11-21T12:00:00Z")
	dir := t.TempDir()
	record := func(name string, change func(body string) string) string {
		var lines []string
		for _, path := range []string{"/wp-json/calendar/events/v1/events/by-slug/summer-festival-lipa-v-kvetu", "/wp-json/calendar/events/v1/nowhere", "/wp-json/calendar/events/v1"} {
			resp, body := fetch(t, s.api+path)
			headers := map[string]string{}
			for key := range resp.Header {
				headers[strings.ToLower(key)] = strings.Join(resp.Header[key], ", ")
			}
			line, err := json.Marshal(map[string]any{
				"id": path, "as": "anonymous",
				"request":  map[string]any{"method": "GET", "path": path, "headers": map[string]string{}, "body": nil},
				"response": map[string]any{"status": resp.StatusCode, "headers": headers, "body": change(body)},
			})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, string(line))
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	good := record("good.jsonl", func(body string) string { return body })
	bad := record("bad.jsonl", func(body string) string { return strings.Replace(body, `"slug"`, `"slag"`, 1) })
	flags := []string{"compare", "--target", s.api, "--recorded-namespace", "calendar/events/v1", "--target-namespace", "calendar/events/v1", "--recordings"}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{append(flags, good), 0, "3 compared, 3 same, 0 different"},
		{append(flags, good, "--run", "slug", "--verbose"), 0, "1 compared, 1 same"},
		{append(flags, bad), 1, "different /wp-json/calendar/events/v1/events/by-slug"},
		{[]string{"compare", "--target", "http://127.0.0.1:1", "--recordings", good}, 3, "connection refused"},
		{[]string{"compare", "--target", s.api, "--recordings", "compare_test.go"}, 2, "calbridge compare: "},
	} {
		if code, stdout, stderr := once(t, nil, c.args...); code != c.code || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%v: exit %d, want %d with %q\n%s%s", c.args, code, c.code, c.want, stdout, stderr)
		}
	}
	profile := filepath.Join(dir, "profile.json")
	if code, stdout, stderr := once(t, nil, "profile", "build", "--namespace", "calendar/events/v1", "--recordings", good, "--out", profile); code != cmdline.OK || !strings.Contains(stdout, profile) {
		t.Fatalf("profile build: exit %d\n%s%s", code, stdout, stderr)
	}
	data, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	_, body := fetch(t, s.api+"/wp-json/calendar/events/v1/nowhere")
	var answer struct{ Message string }
	if err := json.Unmarshal([]byte(body), &answer); err != nil {
		t.Fatal(err)
	}
	const own = "There is nothing of that kind here."
	if err := os.WriteFile(profile, []byte(strings.Replace(string(data), answer.Message, own, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	worded := start(t, nil, "demo", "--profile", profile)
	if _, body := fetch(t, worded.api+"/wp-json/calendar/events/v1/nowhere"); !strings.Contains(body, own) {
		t.Errorf("the profile's words are not used: %s", body)
	}
}
