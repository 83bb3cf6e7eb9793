package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/demo"
)

// TestDemoExamples runs every command that the demo prints, and the commands for the demo in
// the README.
func TestDemoExamples(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		if os.Getenv("CALBRIDGE_REQUIRE_OPS") == "1" {
			t.Fatal(err)
		}
		t.Skip("the examples need curl")
	}
	s := start(t, nil, "demo")
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, password, _ := strings.Cut(s.stdout.String(), "application password '")
	password, _, _ = strings.Cut(password, "'")
	examples := 0
	for line := range strings.Lines(s.stdout.String() + strings.ReplaceAll(string(readme), "http://127.0.0.1:8080", s.api)) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "curl ") {
			continue
		}
		examples++
		// curl reads the password from a terminal or, as here, from a configuration on stdin.
		command := exec.CommandContext(t.Context(), "sh", "-c", strings.Replace(line, "-u demo ", "-K - ", 1))
		command.Stdin = strings.NewReader(fmt.Sprintf("user = \"demo:%s\"\n", password))
		out, err := command.Output()
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if strings.Contains(line, "curl -sI") {
			if !strings.HasPrefix(string(out), "HTTP/1.1 200") {
				t.Errorf("%s:\n%s", line, out)
			}
			continue
		}
		var answer map[string]any
		if err := json.Unmarshal(out, &answer); err != nil || answer["code"] != nil {
			t.Errorf("%s: %v %.200s", line, err, out)
		}
		for _, list := range []string{"events", "venues", "organizers", "categories", "tags"} {
			if items, isList := answer[list].([]any); isList && len(items) == 0 {
				t.Errorf("%s: no %s", line, list)
			}
		}
	}
	if examples < 8+3 {
		t.Errorf("only %d examples:\n%s", examples, s.stdout)
	}
	for line := range strings.Lines(s.stdout.String()) { // and the page
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "http") {
			if resp, body := fetch(t, line); resp.StatusCode != http.StatusOK || !strings.Contains(body, "<title>") {
				t.Errorf("%s: %d", line, resp.StatusCode)
			}
		}
	}
}

// TestDemoKeep starts the demo twice on one file, serves that file, and checks that a file
// with other content is refused.
func TestDemoKeep(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.db")
	const list = "/wp-json/calendar/events/v1/events?per_page=50&start_date=2000-01-01&end_date=2100-01-01"
	first := start(t, nil, "demo", "--keep", file)
	_, before := fetch(t, first.api+list)
	if code := first.stop(); code != 0 {
		t.Fatalf("ended with %d", code)
	}
	second := start(t, nil, "demo", "--keep", file)
	_, after := fetch(t, second.api+list)
	if strings.ReplaceAll(before, hostOf(first), "HOST") != strings.ReplaceAll(after, hostOf(second), "HOST") {
		t.Error("the calendar was not stored")
	}
	password := quotedPassword(t, second.stdout.String())
	for range 2 { // the second request finds the recorded use of the first
		if resp, body := fetchAs(t, second.api+"/wp-json/calendar/events/v1/events?status=draft", password); resp.StatusCode != http.StatusOK {
			t.Errorf("the printed password does not fit: %s", body)
		}
	}
	second.stop()
	served := start(t, nil, "serve", "--dsn", "sqlite:"+file, "--environment", "local")
	if resp, _ := fetch(t, served.api+list); resp.StatusCode != http.StatusOK {
		t.Errorf("serve --dsn sqlite:FILE: %d", resp.StatusCode)
	}
	served.stop()
	if code, _, stderr := once(t, nil, "demo", "--keep", "/nonexistent/x.db", "--listen", "127.0.0.1:0", "--ops-listen", "off"); code != 1 || stderr != "calbridge: --keep: cannot create /nonexistent/x.db: the folder /nonexistent does not exist\n" {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr := once(t, nil, "demo", "--keep", "program_test.go", "--listen", "127.0.0.1:0", "--ops-listen", "off"); code != 1 || !strings.Contains(stderr, "calbridge: --keep: cannot open program_test.go: check that it is a SQLite file") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

func hostOf(s *started) string { return strings.TrimPrefix(s.api, "http://") }

func quotedPassword(t *testing.T, text string) string {
	t.Helper()
	_, rest, _ := strings.Cut(text, "application password '")
	password, _, ok := strings.Cut(rest, "'")
	if !ok {
		t.Fatalf("no password in:\n%s", text)
	}
	return password
}

func fetchAs(t *testing.T, url, password string) (*http.Response, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth(demo.User, password)
	return fetch(t, url, "Authorization", req.Header.Get("Authorization"))
}
