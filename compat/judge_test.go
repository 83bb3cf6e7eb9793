package compat

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	const path = "/wp-json/tribe/events/v1/events/5"
	rules := &RulesFile{Format: RulesFormat,
		Rules: []Rule{{Kind: RuleIgnore, Path: "$.modified", Reason: "saved again"}},
		Known: []KnownDifference{
			{Number: 4, Reason: "issue 4", Match: &Match{Request: "events/5"}, Where: "$.cost"},
			{Number: 5, Reason: "never shows", Match: &Match{Request: "."}, Where: "$.website"},
		}}
	judge, err := NewJudge(JudgeOptions{Rules: rules, Ignored: []string{"x-cached-by"}})
	if err != nil {
		t.Fatal(err)
	}
	const body = `{"id":5,"cost":"1","title":"A","modified":"1"}`
	for _, c := range []struct {
		name    string
		body    string
		headers map[string]HeaderValues // added or, when nil, taken away
		status  int
		outcome Outcome
		level   Level
	}{
		{"equal", body, nil, 200, Same, ""},
		{"ignored by a rule", strings.Replace(body, `"modified":"1"`, `"modified":"2"`, 1), nil, 200, Same, ""},
		{"known", strings.Replace(body, `"cost":"1"`, `"cost":"2"`, 1), nil, 200, Known, LevelSemantic},
		{"more than known", strings.Replace(body, `"cost":"1","title":"A"`, `"cost":"2","title":"B"`, 1), nil, 200, Different, LevelSemantic},
		{"status", body, nil, 404, Different, LevelStatus},
		{"the web server's headers", body, map[string]HeaderValues{"x-powered-by": {"PHP/8.2"}, "server": {"nginx"}, "vary": {"Accept-Encoding, Origin"}, "date": {"x"}, "x-cached-by": {"y"}}, 200, Same, ""},
		{"vary gone", body, map[string]HeaderValues{"vary": {"Accept-Encoding"}}, 200, Different, LevelHeaders},
		{"a header", body, map[string]HeaderValues{"x-new": {"1"}}, 200, Different, LevelHeaders},
		{"bytes", strings.Replace(body, `"id":5`, `"id": 5`, 1), nil, 200, Different, LevelBytes},
	} {
		x := judge.Exchange(httptest.NewRequest("GET", path, nil), path, "https://town.example", exchange("", "GET", path, body).Response, time.Millisecond)
		got := Answer{Status: c.status, Headers: maps.Clone(x.Response.Headers), Body: c.body}
		maps.Copy(got.Headers, c.headers)
		outcome, differences, err := judge.Judge(x, got)
		if err != nil || outcome != c.outcome || len(differences) > 0 && c.level != "" && differences[len(differences)-1].Level != c.level {
			t.Errorf("%s: %s %v %v, want %s", c.name, outcome, differences, err, c.outcome)
		}
	}
	for _, bad := range []JudgeOptions{{Level: "deep"}, {Rules: &RulesFile{Rules: []Rule{{Kind: RuleIgnore}}}}} {
		if _, err := NewJudge(bad); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// live makes an exchange as a server does.
func live(target string, header ...string) *Exchange {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	judge := &Judge{ignored: WebServerHeaders()}
	return judge.Exchange(r, target, "https://town.example", Response{Status: 200, Headers: HeadersOf(http.Header{"Content-Type": {"application/json"}}), Body: `{"a":1}`}, time.Millisecond)
}

// TestJournal writes what a server answered, reads it back and replays it.
func TestJournal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "differences.jsonl")
	header := RecordingHeader{Home: "https://town.example", Namespace: "tribe/events/v1"}
	journal, err := OpenJournal(file, 1<<20, header)
	if err != nil {
		t.Fatal(err)
	}
	secret := base64.StdEncoding.EncodeToString([]byte("jana:geheim"))
	const base = "/wp-json/tribe/events/v1/events"
	for _, x := range []*Exchange{
		live(base + "?page=1"),
		live(base+"?page=2", "Authorization", "Basic "+secret, "X-Forwarded-For", "192.0.2.77", "User-Agent", "curl"),
		live(base+"?_wpnonce=geheim", "Cookie", "wordpress_logged_in_x=geheim", "X-WP-Nonce", "geheim"),
		live(base + "/5?password=geheim"),
	} {
		if err := journal.Append(x); err != nil {
			t.Fatal(err)
		}
	}
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
	if err := journal.Append(live(base)); err == nil {
		t.Error("a closed journal takes more")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []string{"geheim", secret, "192.0.2.77", "curl"} {
		if strings.Contains(string(data), s) {
			t.Errorf("%s is in the journal:\n%s", s, data)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	// Cut off in the middle of a line, it is gone on with.
	if err := os.WriteFile(file, append(data, `{"id":"cut off`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if journal, err = OpenJournal(file, 1<<20, header); err != nil {
		t.Fatal(err)
	}
	if err := journal.Append(live(base + "?page=3")); err != nil {
		t.Fatal(err)
	}
	journal.Close()
	server := replayServer(t, []string{file}, nil, nil)
	report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}})
	if err != nil || report.Same != 2 || report.SkippedBy[ReasonRedacted] != 3 || len(report.Differing) > 0 {
		t.Errorf("replayed: %+v, %v", report, err)
	}
	if a, b := live(base, "Authorization", "Basic a"), live(base, "Authorization", "Basic b"); a.ID != b.ID || a.ID == live(base).ID {
		t.Errorf("ids %s, %s, %s", a.ID, b.ID, live(base).ID)
	}
	// Somebody else's file is left alone.
	other := writeFile(t, "notes.txt", "my notes\n")
	if _, err := OpenJournal(other, 1<<20, header); err == nil {
		t.Error("a file of notes is written into")
	}
	if data, _ := os.ReadFile(other); string(data) != "my notes\n" {
		t.Errorf("the notes are now %q", data)
	}
}

// TestJournalIsBounded: two files of the size that was given, each replayable.
func TestJournalIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "differences.jsonl")
	const size = 20_000
	journal, err := OpenJournal(file, size, RecordingHeader{Home: "https://town.example"})
	if err != nil {
		t.Fatal(err)
	}
	defer journal.Close()
	var writers sync.WaitGroup
	for w := range 4 {
		writers.Go(func() {
			for i := range 100 {
				if err := journal.Append(live(fmt.Sprintf("/wp-json/tribe/events/v1/events?page=%d&w=%d", i, w))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	x := live("/wp-json/x")
	x.Response.Body = strings.Repeat("x", size)
	if err := journal.Append(x); err == nil {
		t.Error("an exchange larger than the file is taken")
	}
	for _, name := range []string{file, file + ".1"} {
		info, err := os.Stat(name)
		if err != nil || info.Size() > size {
			t.Errorf("%s: %v, %v", name, info, err)
		}
		headers := 0
		if err := ReadRecordings([]string{name}, func(e Entry) error {
			if e.Header != nil {
				headers++
			}
			return nil
		}); err != nil || headers != 1 {
			t.Errorf("%s: %d headers, %v", name, headers, err)
		}
	}
}
