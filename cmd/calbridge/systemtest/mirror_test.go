package systemtest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"calbridge/cmd/calbridge/app"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/wpstore/wptest"
)

// TestMirror checks that a mirror equals the list, at first and after changes by SQL, that it
// fetches only the changes, and that reloads, restarts and kills of the server don't affect
// this.
func TestMirror(t *testing.T) {
	dsn, folder := wptest.Replicated(t), t.TempDir()
	site := newCoherentSite(t, dsn, 40)
	serve := func() *child {
		return spawn(t, nil, "serve", "--dsn", dsn, "--extensions", "--state-dir", filepath.Join(folder, "state"), "--read-only", "--clock", "2026-11-21T12:00:00Z")
	}
	s := serve()
	// The address stays while the server's port changes.
	front := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		target, err := url.Parse(s.api)
		if err != nil {
			t.Error(err)
			return
		}
		r.SetURL(target)
	}})
	defer front.Close()
	mirror := func() (ids []string, lines, log string) {
		t.Helper()
		file := filepath.Join(folder, "calendar.jsonl")
		code, stdout, stderr := once(t, nil, "mirror", "--url", front.URL+"/wp-json/calendar/events/v1", "--out", filepath.Join(folder, "calendar.sqlite"), "--jsonl", file, "--once")
		if code != cmdline.OK {
			t.Fatalf("code %d: %s%s", code, stdout, stderr)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var event struct{ ID int }
			if err := json.Unmarshal([]byte(line), &event); err != nil {
				t.Fatal(err)
			}
			ids = append(ids, fmt.Sprint(event.ID))
		}
		slices.Sort(ids)
		return ids, string(data), stderr
	}
	same := func(ids []string) {
		t.Helper()
		if listed := listedEvents(t, s.api+"/wp-json/calendar/events/v1/events?per_page=50", nil); len(ids) == 0 || !slices.Equal(ids, listed) {
			t.Errorf("the mirror has %v, the list %v", ids, listed)
		}
	}
	first, _, _ := mirror()
	same(first)
	for _, change := range []string{
		"UPDATE wp_posts SET post_status = 'draft', post_modified_gmt = '2026-11-21 10:00:00' WHERE ID = " + first[0],
		"UPDATE wp_posts SET post_title = 'Another name', post_modified_gmt = '2026-11-21 10:00:00' WHERE ID = " + first[1],
	} {
		if _, err := site.db.ExecContext(t.Context(), change); err != nil {
			t.Fatal(err)
		}
	}
	ids, lines, log := mirror()
	same(ids)
	if slices.Contains(ids, first[0]) || !strings.Contains(lines, `"title":"Another name"`) || strings.Contains(log, "the whole list again") {
		t.Errorf("%v: %s", ids, log)
	}
	for i, again := range []func(){
		func() { s.reload() },
		func() { s.reload(); s.reload() },
		func() { s.signal(syscall.SIGTERM); _ = s.wait(time.Minute); s = serve() },
		func() { s.signal(syscall.SIGKILL); _ = s.wait(time.Minute); s = serve() },
	} {
		name := fmt.Sprintf("Name %d", i)
		if _, err := site.db.ExecContext(t.Context(), "UPDATE wp_posts SET post_title = ? WHERE ID = ?", name, first[2]); err != nil {
			t.Fatal(err)
		}
		again()
		if _, err := site.db.ExecContext(t.Context(), "UPDATE wp_posts SET post_title = ? WHERE ID = ?", name, first[3]); err != nil {
			t.Fatal(err)
		}
		ids, lines, log := mirror()
		same(ids)
		if strings.Count(lines, `"title":"`+name+`"`) != 2 || strings.Contains(log, "the whole list again") {
			t.Errorf("%d: %s", i, log)
		}
	}
}

// TestMirrorFollows checks that a running mirror receives changes by SQL over the stream
// alone, also after the server's restart.
func TestMirrorFollows(t *testing.T) {
	dsn, folder := wptest.Replicated(t), t.TempDir()
	site := newCoherentSite(t, dsn, 20)
	serve := func() *started {
		return start(t, nil, "serve", "--dsn", dsn, "--extensions", "--state-dir", filepath.Join(folder, "state"), "--read-only", "--clock", "2026-11-21T12:00:00Z")
	}
	s := serve()
	var target atomic.Pointer[url.URL]
	lead := func() {
		u, err := url.Parse(s.api)
		if err != nil {
			t.Fatal(err)
		}
		target.Store(u)
	}
	lead()
	front := httptest.NewServer(&httputil.ReverseProxy{ErrorLog: log.New(io.Discard, "", 0), Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target.Load()) }})
	defer front.Close()
	file := filepath.Join(folder, "calendar.jsonl")
	ctx, cancel := context.WithCancel(t.Context())
	var said output
	ended := make(chan int, 1)
	go func() {
		ended <- app.Run(ctx, []string{"mirror", "--url", front.URL + "/wp-json/calendar/events/v1", "--out", filepath.Join(folder, "calendar.sqlite"), "--jsonl", file, "--interval", "1h"},
			func(string) string { return "" }, &said, &said)
	}()
	await := func(what string, done func() bool) {
		t.Helper()
		for end := time.Now().Add(time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("not within a minute: %s\n%s", what, said.String())
			}
		}
	}
	has := func(text string) func() bool {
		return func() bool { data, _ := os.ReadFile(file); return strings.Contains(string(data), text) }
	}
	change := func(title string) {
		t.Helper()
		if _, err := site.db.ExecContext(t.Context(), "UPDATE wp_posts SET post_title = ? WHERE post_type = 'tribe_events' AND post_status = 'publish'", title); err != nil {
			t.Fatal(err)
		}
	}
	following := func(n int) func() bool {
		return func() bool { return strings.Count(said.String(), "following the stream") >= n }
	}
	await("the stream", following(1))
	change("Heard by the stream")
	await("a change", has(`"title":"Heard by the stream"`))
	s.stop()
	s = serve()
	lead()
	await("the stream again", following(2))
	change("Heard after a restart")
	await("a change after a restart", has(`"title":"Heard after a restart"`))
	cancel()
	if code := <-ended; code != cmdline.OK {
		t.Errorf("code %d: %s", code, said.String())
	}
}
