package diffmode

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/rest/api"
	"calbridge/rest/rollout"
)

func answer(status int, body string, header ...string) *rollout.Answer {
	a := &rollout.Answer{Response: api.Response{Status: status, Body: []byte(body), Header: http.Header{"Content-Type": {"application/json"}}}}
	for i := 0; i < len(header); i += 2 {
		a.Header.Set(header[i], header[i+1])
	}
	return a
}

// ics returns an export.
func ics(body string) *rollout.Answer {
	return answer(200, body, "Content-Type", "text/calendar; charset=UTF-8")
}

func pair(ours, theirs *rollout.Answer) *rollout.Pair {
	request := httptest.NewRequest(http.MethodGet, "http://town.example/wp-json/calendar/events/v1/events/7?password=lantern&access_token=lantern&X%2DKey=lantern&page=2", nil)
	return &rollout.Pair{Request: request, Route: "/events/{id}", Ours: ours, Theirs: theirs}
}

func open(t *testing.T, c Config) (*Judge, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	if c.Level == "" {
		c.Level = diff.LevelBytes
	}
	c.Logger = slog.New(slog.NewTextHandler(&log, nil))
	j, err := Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j, &log
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		name         string
		compat       explain.Level
		level        diff.Level
		ours, theirs *rollout.Answer
		want         rollout.Outcome
		kinds        []string
	}{
		{name: "the same bytes", ours: answer(200, `{"id":7}`), theirs: answer(200, `{"id":7}`), want: rollout.Same},
		{name: "another value", ours: answer(200, `{"id":7}`), theirs: answer(200, `{"id":8}`), want: rollout.Different, kinds: []string{"semantic"}},
		{name: "another status", ours: answer(404, `{"id":7}`), theirs: answer(200, `{"id":7}`), want: rollout.Different, kinds: []string{"status"}},
		{name: "other white space", ours: answer(200, `{"id": 7}`), theirs: answer(200, `{"id":7}`), want: rollout.Different, kinds: []string{"bytes"}},
		{name: "other white space, compared by meaning", level: diff.LevelSemantic, ours: answer(200, `{"id": 7}`), theirs: answer(200, `{"id":7}`), want: rollout.Same},
		{name: "an export", ours: ics("BEGIN:VCALENDAR\r\nSUMMARY:A"), theirs: ics("BEGIN:VCALENDAR\r\nSUMMARY:A"), want: rollout.Same},
		{name: "another export", ours: ics("BEGIN:VCALENDAR\r\nSUMMARY:A"), theirs: ics("BEGIN:VCALENDAR\r\nSUMMARY:B"), want: rollout.Different, kinds: []string{"semantic"}},
		{name: "a cookie of another second", ours: answer(200, `{}`, "Set-Cookie", "pll_language=en; expires=Sun, 22 Nov 2026 12:00:00 GMT; path=/"),
			theirs: answer(200, `{}`, "Set-Cookie", "pll_language=en; expires=Sun, 22 Nov 2026 12:00:01 GMT; path=/"), want: rollout.Same},
		{name: "our HTTP caching", compat: explain.Safe, ours: answer(200, `{}`, "ETag", `"a"`, "Cache-Control", "no-cache"), theirs: answer(200, `{}`), want: rollout.Same},
		{name: "our HTTP caching under exact", compat: explain.Exact, ours: answer(200, `{}`, "ETag", `"a"`), theirs: answer(200, `{}`), want: rollout.Different, kinds: []string{"headers"}},
	} {
		j, _ := open(t, Config{Compat: c.compat, Level: c.level})
		got, kinds, err := j.Compare(t.Context(), pair(c.ours, c.theirs))
		if err != nil || got != c.want || !slices.Equal(kinds, c.kinds) {
			t.Errorf("%s: %s %q, %v; want %s %q", c.name, got, kinds, err, c.want, c.kinds)
		}
	}
}

// TestRules: a rule takes a difference out, and a rules file that can't be read is an
// error that names the flag.
func TestRules(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(file, []byte(`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","path":"$.views","reason":"counts visits"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	j, _ := open(t, Config{Rules: file})
	if got, _, err := j.Compare(t.Context(), pair(answer(200, `{"views":1}`), answer(200, `{"views":2}`))); err != nil || got != rollout.Same {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Open(Config{Rules: file + "x", Level: diff.LevelBytes}); err == nil || !strings.Contains(err.Error(), "--compare-rules") {
		t.Errorf("a missing file: %v", err)
	}
}

// TestRecord checks that the journal holds WordPress's response, and that the log names where the
// responses differ, without values or the password of a post.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "differences.jsonl")
	j, log := open(t, Config{Journal: file, JournalMax: 1 << 20})
	p := pair(answer(200, `{"title":"Lantern walk"}`), answer(200, `{"title":"Lantern parade"}`))
	_, kinds, err := j.Compare(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	j.Record(t.Context(), p, kinds)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	recorded, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(recorded); !strings.Contains(text, "Lantern parade") || strings.Contains(text, "Lantern walk") || strings.Contains(text, "=lantern") || !strings.Contains(text, "page=2") {
		t.Errorf("recorded: %s", text)
	}
	if text := log.String(); !strings.Contains(text, "title") || strings.Contains(text, "parade") || strings.Contains(text, "=lantern") {
		t.Errorf("logged: %s", text)
	}
	if _, err := Open(Config{Journal: filepath.Join(file, "below"), Level: diff.LevelBytes}); err == nil || !strings.Contains(err.Error(), "--compare-log") {
		t.Errorf("no folder for the journal: %v", err)
	}
}

func TestCloseWithoutJournal(t *testing.T) {
	var none *Judge
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}
