package systemtest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

const streamPath = "/wp-json/calendar/events/v1/events/stream"

// streamArgs returns the arguments for serving a site with streams.
func streamArgs(t *testing.T, dsn string, more ...string) []string {
	t.Helper()
	return append([]string{"serve", "--dsn", dsn, "--extensions", "--state-dir", filepath.Join(t.TempDir(), "state"), "--clock", "2026-11-21T12:00:00Z"}, more...)
}

// openStream opens a stream as soon as the server is ready for it. It has read the first line
// with an id.
func openStream(t *testing.T, api string) (lines *bufio.Scanner, ended func(within time.Duration) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, api+streamPath, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode == http.StatusServiceUnavailable {
			resp.Body.Close()
			time.Sleep(10 * time.Millisecond)
			continue
		}
		t.Cleanup(func() { resp.Body.Close() })
		if resp.StatusCode != http.StatusOK {
			body, _ := io.ReadAll(resp.Body)
			t.Fatalf("%s %s", resp.Status, body)
		}
		lines = bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 4<<20)
		for lines.Scan() && !strings.HasPrefix(lines.Text(), "id: ") {
		}
		return lines, func(within time.Duration) bool {
			done := make(chan error, 1)
			go func() {
				_, err := io.Copy(io.Discard, resp.Body)
				done <- err
			}()
			select {
			case err := <-done:
				return err == nil
			case <-time.After(within):
				return false
			}
		}
	}
}

// TestStreamLife checks that the limits of ordinary requests don't apply to streams, that
// streams are counted, and that they end immediately when the server reloads or stops.
func TestStreamLife(t *testing.T) {
	t.Parallel()
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 20)
	c := spawn(t, nil, streamArgs(t, dsn, "--drain-delay", "2s", "--request-timeout", "200ms", "--max-streams-per-client", "2")...)
	lines, ended := openStream(t, c.api)
	if resp, body := fetch(t, c.ops+"/metrics"); resp.StatusCode != 200 || !strings.Contains(body, "\ncalbridge_streams 1\n") || !strings.Contains(body, "\ncalbridge_journal_bytes ") {
		t.Error("the stream is not counted")
	}
	time.Sleep(time.Second) // much longer than an ordinary request
	if _, err := site.db.ExecContext(t.Context(), "UPDATE wp_posts SET post_title = 'Seen at once' WHERE post_type = 'tribe_events' AND post_status = 'publish'"); err != nil {
		t.Fatal(err)
	}
	for lines.Scan() && !strings.Contains(lines.Text(), `"title":"Seen at once"`) {
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	_, second := openStream(t, c.api)
	if resp, body := fetch(t, c.api+streamPath); resp.StatusCode != http.StatusTooManyRequests || resp.Header.Get("Retry-After") == "" || !strings.Contains(body, "calbridge_too_many_streams") {
		t.Errorf("%s %v %s", resp.Status, resp.Header, body)
	}
	time.Sleep(300 * time.Millisecond) // longer than --request-timeout, which does not apply to the end
	c.reload()
	if !ended(10*time.Second) || !second(10*time.Second) {
		t.Errorf("a reload doesn't end the streams:\n%s", c.stderr)
	}
	if resp, body := fetch(t, c.ops+"/metrics"); resp.StatusCode != 200 || !strings.Contains(body, "\ncalbridge_streams 0\n") || !strings.Contains(body, `calbridge_streams_closed_total{reason="server"} 2`) {
		t.Error("the end of the streams is not counted")
	}
	c.signal(syscall.SIGTERM)
	if err := c.wait(time.Minute); err != nil {
		t.Errorf("%v:\n%s", err, c.stderr)
	}
	c = spawn(t, nil, streamArgs(t, dsn, "--drain-delay", "5s")...)
	_, ended = openStream(t, c.api)
	begin := time.Now()
	c.signal(syscall.SIGTERM)
	if !ended(4 * time.Second) {
		t.Errorf("after %s of draining the stream goes on:\n%s", time.Since(begin), c.stderr)
	}
	if err := c.wait(time.Minute); err != nil {
		t.Errorf("%v:\n%s", err, c.stderr)
	}
}

// eventSourcePage is a page that follows a stream, as any page would. EventSource gives up after a
// 503, which a server sends while it catches up with its database: the page then opens the stream
// again.
const eventSourcePage = `<!doctype html><meta charset="utf-8"><title>Stream</title><ul id="list"></ul><script>
const add = (text) => { const li = document.createElement("li"); li.textContent = text; document.getElementById("list").append(li); };
const follow = () => {
  const stream = new EventSource(%q);
  stream.onopen = () => add("open");
  stream.onerror = () => { if (stream.readyState === EventSource.CLOSED) setTimeout(follow, 500); };
  for (const kind of ["created", "updated", "deleted", "reset"]) stream.addEventListener(kind, (m) => { const e = JSON.parse(m.data); add([kind, e.id, e.title ?? "", m.lastEventId === "" ? "no id" : ""].join(" ")); });
};
follow();
</script>`

// TestStreamPage checks that a page of another origin with EventSource shows changes made by
// SQL without reloading.
func TestStreamPage(t *testing.T) {
	needBrowser(t, "playwright-core")
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 20)
	s := start(t, nil, streamArgs(t, dsn)...)
	openStream(t, s.api) // wait until it is ready
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, eventSourcePage, s.api+streamPath)
	}))
	defer page.Close()
	var list struct{ Events []struct{ ID int64 } }
	if _, body := fetch(t, s.api+strings.TrimSuffix(streamPath, "/stream")+"?start_date=2026-12-01&per_page=1"); json.Unmarshal([]byte(body), &list) != nil || len(list.Events) == 0 {
		t.Fatal(body)
	}
	id := list.Events[0].ID
	cmd := exec.CommandContext(t.Context(), "node", "testdata/browser/stream.js", page.URL)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	if !lines.Scan() || lines.Text() != "ready" {
		t.Fatalf("%q %s", lines.Text(), stderr.String())
	}
	if _, err := site.db.ExecContext(t.Context(), "UPDATE wp_posts SET post_title = 'By SQL alone' WHERE ID = ?", id); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(in, "By SQL alone\n"); err != nil {
		t.Fatal(err)
	}
	var saw struct{ List, Messages []string }
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &saw) != nil {
		t.Fatalf("%q %s", lines.Text(), stderr.String())
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("%v %s", err, stderr.String())
	}
	saw.Messages = slices.DeleteFunc(saw.Messages, func(m string) bool { return strings.Contains(m, "status of 503") })
	want := fmt.Sprintf("updated %d By SQL alone ", id)
	if len(saw.List) < 2 || saw.List[0] != "open" || saw.List[1] != want || len(saw.Messages) > 0 {
		t.Errorf("%+v", saw)
	}
}
