package diffmode

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/settings"
	"calbridge/compat/diff"
	"calbridge/compat/explain"
	"calbridge/rest/rollout"
)

func answer(status int, body string, header ...string) *rollout.Answer {
	a := &rollout.Answer{Status: status, Body: []byte(body), Header: http.Header{"Content-Type": {"application/json"}}}
	for i := 0; i < len(header); i += 2 {
		a.Header.Set(header[i], header[i+1])
	}
	return a
}

// ics returns a response that is an iCalendar export.
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
	if c.Settings.Level == "" {
		c.Settings.Level = diff.LevelBytes
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
		j, _ := open(t, Config{Compat: c.compat, Settings: settings.Compare{Level: c.level}})
		got, kinds, err := j.Compare(t.Context(), pair(c.ours, c.theirs))
		if err != nil || got != c.want || !slices.Equal(kinds, c.kinds) {
			t.Errorf("%s: %s %q, %v; want %s %q", c.name, got, kinds, err, c.want, c.kinds)
		}
	}
}

// TestRules checks that a rule suppresses a difference, and that an unreadable rules file is
// an error that names the flag.
func TestRules(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rules.json")
	if err := os.WriteFile(file, []byte(`{"format":"calbridge-rules/1","rules":[{"kind":"ignore","path":"$.views","reason":"counts visits"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	j, _ := open(t, Config{Settings: settings.Compare{Rules: file}})
	if got, _, err := j.Compare(t.Context(), pair(answer(200, `{"views":1}`), answer(200, `{"views":2}`))); err != nil || got != rollout.Same {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := Open(Config{Settings: settings.Compare{Rules: file + "x", Level: diff.LevelBytes}}); err == nil || !strings.Contains(err.Error(), "--compare-rules") {
		t.Errorf("a missing file: %v", err)
	}
}

// TestRecord checks that the journal holds WordPress's response, and that the log names where the
// responses differ, without values or the password of a post.
func TestRecord(t *testing.T) {
	file := filepath.Join(t.TempDir(), "differences.jsonl")
	j, log := open(t, Config{Settings: settings.Compare{Journal: file, JournalMax: 1 << 20}})
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
	if _, err := Open(Config{Settings: settings.Compare{Journal: filepath.Join(file, "below"), Level: diff.LevelBytes}}); err == nil || !strings.Contains(err.Error(), "--compare-log") {
		t.Errorf("no folder for the journal: %v", err)
	}
}

func TestCloseWithoutJournal(t *testing.T) {
	var none *Judge
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

// TestIntended: a protected event that only WordPress lists is known under safe, if calbridge
// refuses it by itself, and a difference under exact. Seconds between calbridge's two answers
// are no difference.
func TestIntended(t *testing.T) {
	refusing := func(_ context.Context, target string) (*rollout.Answer, error) {
		if strings.HasSuffix(target, "/events/2") {
			return answer(403, `{"code":"event-password-protected"}`), nil
		}
		return answer(200, `{"id":1}`), nil
	}
	ours, theirs := `{"events":[{"id":1}],"total":1}`, `{"events":[{"id":1},{"id":2}],"total":2}`
	at := func(second string) string { return `{"rest_url":"\/?start_date=2026-11-27 20:00:` + second + `"}` }
	for _, c := range []struct {
		name         string
		compat       explain.Level
		ask          func(context.Context, string) (*rollout.Answer, error)
		ours, theirs string
		earlier      string
		want         rollout.Outcome
	}{
		{name: "under safe", compat: explain.Safe, ask: refusing, ours: ours, theirs: theirs, want: rollout.Known},
		{name: "under exact", compat: explain.Exact, ask: refusing, ours: ours, theirs: theirs, want: rollout.Different},
		{name: "an event that can be read", compat: explain.Safe, ask: func(context.Context, string) (*rollout.Answer, error) { return answer(200, `{"id":2}`), nil }, ours: ours, theirs: theirs, want: rollout.Different},
		{name: "seconds between", compat: explain.Exact, ours: at("07"), theirs: at("06"), earlier: at("05"), want: rollout.Same},
		{name: "seconds outside", compat: explain.Exact, ours: at("07"), theirs: at("16"), earlier: at("05"), want: rollout.Different},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, _ := open(t, Config{Compat: c.compat, Namespace: "calendar/events/v1"})
			p := pair(answer(200, c.ours), answer(200, c.theirs))
			p.Request = httptest.NewRequest(http.MethodGet, "/wp-json/calendar/events/v1/events", nil)
			p.Ask = c.ask
			if c.earlier != "" {
				p.Earlier = answer(200, c.earlier)
			}
			if got, _, err := j.Compare(t.Context(), p); err != nil || got != c.want {
				t.Errorf("%s, %v; want %s, fields %q", got, err, c.want, j.Fields(t.Context(), p))
			}
		})
	}
}
