package systemtest

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/app"
	"calbridge/rest"
	"calbridge/rest/api"
	"calbridge/rest/wpsite"
	"calbridge/rest/wptext"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// TestRecordAndCompare records a server. record finds the namespace, which compare and profile
// read from the recording. The test replays the recording against the server without a
// difference, and against a second one, which is broken, with one. It records one language besides
// the site's own; TestRecordMessages finds them all.
func TestRecordAndCompare(t *testing.T) {
	if testing.Short() {
		t.Skip("records for some seconds")
	}
	t.Parallel()
	now := func() time.Time { return time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC) }
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite::memory:"), Now: now, FixedClock: true, Logger: slog.New(slog.DiscardHandler)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	api := rest.New(store, rest.Config{
		Namespace: "calendar/events/v1", Settings: wpsite.Settings{RESTPrefix: "wp-json", Compat: api.Safe, Theme: wptext.TwentyTwentyFive()},
		Limits:  rest.Limits{RequestTimeout: time.Minute, MaxBody: 8 << 20, MaxVars: 1000, MaxDepth: 64},
		Caching: rest.Caching{SiteRefresh: time.Hour},
		Writing: rest.Writing{ReadOnly: true},
		Now:     now,
		Logger:  slog.New(slog.DiscardHandler),
	})
	healthy := httptest.NewServer(api)
	defer healthy.Close()
	if err := sample.Load(t.Context(), store, sample.Options{Now: now(), Home: healthy.URL}); err != nil {
		t.Fatal(err)
	}
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		api.ServeHTTP(rec, r)
		for name, values := range rec.Header() {
			w.Header()[name] = values
		}
		body := bytes.ReplaceAll(rec.Body.Bytes(), []byte(`"sticky":false`), []byte(`"sticky":"no"`))
		w.Header().Del("Content-Length")
		w.WriteHeader(rec.Code)
		w.Write(body)
	}))
	defer broken.Close()

	file := filepath.Join(t.TempDir(), "recording.jsonl")
	call := func(want int, args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		if code := app.Run(t.Context(), args, func(string) string { return "" }, &out, &errs); code != want {
			t.Fatalf("%v: exit %d, want %d\n%s%s", args, code, want, tailOf(out.String()), errs.String())
		}
		return out.String()
	}
	call(0, "record", "--url", healthy.URL, "--out", file, "--language", "de", "--delay", "1ns", "--concurrency", "4", "--quiet")
	if out := call(0, "profile", "build", "--recordings", file); !strings.Contains(out, "/events") {
		t.Errorf("the namespace that was recorded is not that of the profile: %s", tailOf(out))
	}
	if out := call(0, "compare", "--target", healthy.URL, "--recordings", file, "--level", "bytes"); strings.Contains(out, "different ") {
		t.Error(tailOf(out))
	}
	if out := call(1, "compare", "--target", broken.URL, "--recordings", file, "--level", "schema"); !strings.Contains(out, "sticky") {
		t.Error(tailOf(out))
	}
}

func tailOf(s string) string { return s[max(0, len(s)-1500):] }
