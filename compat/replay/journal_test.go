package replay

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

// TestJournal writes what a server answered, reads it back and replays it.
func TestJournal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "differences.jsonl")
	header := recording.Header{Home: "https://town.example", Namespace: "tribe/events/v1"}
	journal, err := recording.OpenJournal(file, 1<<20, header)
	if err != nil {
		t.Fatal(err)
	}
	secret := base64.StdEncoding.EncodeToString([]byte("jana:geheim"))
	const base = "/wp-json/tribe/events/v1/events"
	for _, x := range []*recording.Exchange{
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
	// Cut off in the middle of a line, it is continued.
	if err := os.WriteFile(file, append(data, `{"id":"cut off`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if journal, err = recording.OpenJournal(file, 1<<20, header); err != nil {
		t.Fatal(err)
	}
	if err := journal.Append(live(base + "?page=3")); err != nil {
		t.Fatal(err)
	}
	journal.Close()
	server := compattest.ReplayServer(t, []string{file}, nil, nil)
	report, err := Compare(context.Background(), Options{Target: server.URL, Recordings: []string{file}})
	if err != nil || report.Same != 2 || report.SkippedBy[ReasonRedacted] != 3 || len(report.Differing) > 0 {
		t.Errorf("replayed: %+v, %v", report, err)
	}
	if a, b := live(base, "Authorization", "Basic a"), live(base, "Authorization", "Basic b"); a.ID != b.ID || a.ID == live(base).ID {
		t.Errorf("ids %s, %s, %s", a.ID, b.ID, live(base).ID)
	}
	// Somebody else's file is left alone.
	other := compattest.WriteFile(t, "notes.txt", "my notes\n")
	if _, err := recording.OpenJournal(other, 1<<20, header); err == nil {
		t.Error("a file of notes is written into")
	}
	if data, _ := os.ReadFile(other); string(data) != "my notes\n" {
		t.Errorf("the notes are now %q", data)
	}
}

// live makes an exchange in the same way as a server.
func live(target string, header ...string) *recording.Exchange {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	judge, _ := NewJudge(JudgeOptions{})
	return judge.Exchange(r, target, "https://town.example", recording.Response{Status: 200, Headers: recording.HeadersOf(http.Header{"Content-Type": {"application/json"}}), Body: `{"a":1}`}, time.Millisecond)
}
