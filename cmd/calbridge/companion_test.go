package main

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sitedb"
)

// TestCompanionHearsOfWrites: what a transaction wrote reaches WordPress.
func TestCompanionHearsOfWrites(t *testing.T) {
	heard := make(chan string, 16)
	wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard <- r.URL.RawQuery + " " + string(body)
		w.WriteHeader(http.StatusOK)
		io.WriteString(w, "{}")
	}))
	defer wordpress.Close()
	s := &settings{companionURL: wordpress.URL + "/", companionSecret: strings.Repeat("s", 40)}
	client, err := s.openCompanion(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer closeCompanion(client)
	tell(client)(sitedb.Changes{Posts: []int64{4711}, Options: []string{"cron"}})
	deadline := time.After(time.Minute)
	for {
		select {
		case got := <-heard:
			if strings.Contains(got, "4711") {
				return
			}
		case <-deadline:
			t.Fatal("WordPress did not hear of the post")
		}
	}
}

func TestCompanionSettings(t *testing.T) {
	if _, err := (&settings{companionURL: "http://127.0.0.1:1", companionSecret: "short"}).openCompanion(slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), "companion-secret") {
		t.Errorf("a short secret: %v", err)
	}
	if client, err := (&settings{}).openCompanion(nil); client != nil || err != nil || tell(client) != nil {
		t.Errorf("without an address: %v, %v", client, err)
	}
	c := &configuration{}
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "wp-content"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "wp-content", "object-cache.php"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	cached := &configuration{settings: settings{wpConfig: filepath.Join(dir, "wp-config.php")}}
	if f := cached.companionFindings(t.Context(), nil); len(f) != 1 || f[0].Status != sitedb.StatusWarn || !strings.Contains(f[0].Found, "object-cache.php") {
		t.Errorf("an object cache without the plugin: %+v", f)
	}
	if f := c.companionFindings(t.Context(), []string{"w3-total-cache/w3-total-cache.php"}); len(f) != 1 || f[0].Status != sitedb.StatusWarn {
		t.Errorf("a page cache without the plugin: %+v", f)
	}
}
