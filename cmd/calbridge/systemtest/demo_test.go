package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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
	if examples < 3+3 {
		t.Errorf("only %d examples:\n%s", examples, s.stdout)
	}
	lines := strings.Split(strings.TrimSpace(s.stdout.String()), "\n")
	if len(lines) > 10 {
		t.Errorf("%d lines:\n%s", len(lines), s.stdout)
	}
	if resp, body := fetch(t, strings.TrimSpace(lines[len(lines)-1])); resp.StatusCode != http.StatusOK || !strings.Contains(body, "<title>") {
		t.Errorf("the last line is not the page: %d\n%s", resp.StatusCode, s.stdout)
	}
}

// TestDemoExtensions checks that the demo serves calbridge's own routes unless it must not, and
// that the page links only to what is there.
func TestDemoExtensions(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		own  bool
	}{
		"default":       {[]string{"demo"}, true},
		"switched off":  {[]string{"demo", "--extensions=false"}, false},
		"compat exact":  {[]string{"demo", "--compat", "exact"}, false},
		"asked, exact":  {[]string{"demo", "--compat", "exact", "--extensions"}, false},
		"asked for, ok": {[]string{"demo", "--extensions"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, nil, c.args...)
			_, page := fetch(t, s.api+"/")
			if got := strings.Contains(page, "/events.ics"); got != c.own || strings.Contains(page, "/docs") != c.own {
				t.Errorf("links to own routes: %t", got)
			}
			for _, link := range regexp.MustCompile(`<a id="link-[^"]*" href="([^"]*)"`).FindAllStringSubmatch(page, -1) {
				url := link[1]
				if strings.HasPrefix(url, "/") {
					url = s.api + url
				}
				if resp, _ := fetch(t, url); resp.StatusCode != http.StatusOK {
					t.Errorf("%s: %d", url, resp.StatusCode)
				}
			}
		})
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
	served := start(t, nil, "serve", "--dsn", "sqlite:"+file, "--define", "WP_ENVIRONMENT_TYPE=local")
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
