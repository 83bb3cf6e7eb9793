package notice

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// plugin stands in for the companion plugin, which may be away.
type plugin struct {
	mu     sync.Mutex
	away   bool
	saved  []Saved
	counts []int // of saves in each notice
}

func (p *plugin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.away {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	n, err := Decode(body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	p.saved = append(p.saved, n.Saved...)
	p.counts = append(p.counts, len(n.Saved))
	_, _ = io.WriteString(w, `{"companion":"5"}`)
}

func (p *plugin) set(away bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.away = away
}

// ids returns the ids of the saves that were received.
func (p *plugin) ids() (ids []int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.saved {
		ids = append(ids, s.ID)
	}
	return ids
}

func (p *plugin) receives(t *testing.T, want ...int64) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end) && len(p.ids()) < len(want); time.Sleep(5 * time.Millisecond) {
	}
	if got := p.ids(); !slices.Equal(got, want) {
		t.Errorf("received %v, want %v", got, want)
	}
}

func openWith(t *testing.T, p *plugin, outbox string, maxAge time.Duration) *Client {
	t.Helper()
	server := httptest.NewServer(p)
	t.Cleanup(server.Close)
	return openAt(t, server.URL, outbox, maxAge)
}

// openAt returns a client of the plugin at a URL.
func openAt(t *testing.T, url, outbox string, maxAge time.Duration) *Client {
	t.Helper()
	limits := limits{capacity: 100, maxAge: maxAge, minBackoff: time.Millisecond, maxBackoff: 5 * time.Millisecond}
	c, err := New(Options{Site: url, Secret: testSecret, Logger: slog.New(slog.DiscardHandler), Outbox: outbox, limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func save(id int64) Notice {
	return Notice{Posts: []int64{id}, Saved: []Saved{{Function: "wp_insert_post", ID: id}}}
}

// closeNow ends a client that may have saves left.
func closeNow(c *Client) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_ = c.Close(ctx)
}

// TestSavesOutliveTheirAge: notices are lost after a while, saves are not.
func TestSavesOutliveTheirAge(t *testing.T) {
	p := &plugin{away: true}
	c := openWith(t, p, "", time.Nanosecond)
	c.Send(save(1))
	c.Send(save(2))
	time.Sleep(50 * time.Millisecond)
	p.set(false)
	p.receives(t, 1, 2)
	closeNow(c)
}

// TestHandOver: a client gives its successor what it could not deliver, and so do writes that end
// after it was closed.
func TestHandOver(t *testing.T) {
	for _, kept := range []bool{false, true} {
		dir := ""
		if kept {
			dir = t.TempDir()
		}
		p := &plugin{away: true}
		server := httptest.NewServer(p)
		last := openAt(t, server.URL, dir, time.Hour)
		last.Send(save(1))
		next := openWith(t, p, dir, time.Hour)
		last.HandOver(next)
		closeNow(last)
		server.Close() // waits for a request that was under way: it must not be answered below
		last.Send(save(2))
		p.set(false)
		p.receives(t, 1, 2)
		if err := next.Close(t.Context()); err != nil {
			t.Error(err)
		}
		if left, _ := filepath.Glob(filepath.Join(dir, outboxPattern)); kept && len(left) > 0 {
			t.Errorf("%v are left", left)
		}
	}
}

// TestOutbox: the next client delivers what the last one could not, once, also where the last line
// was cut off and another process uses the folder.
func TestOutbox(t *testing.T) {
	dir := t.TempDir()
	p := &plugin{away: true}
	other, busy := openWith(t, p, dir, time.Hour), &plugin{away: true}
	last := openWith(t, busy, dir, time.Hour)
	last.Send(save(1))
	other.Send(save(7))
	last.Send(save(2))
	closeNow(last)
	files, _ := filepath.Glob(filepath.Join(dir, outboxPattern))
	for _, file := range files {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", file, info, err)
		}
		f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = f.WriteString(`{"function":"wp_ins`)
		_ = f.Close()
	}
	after := &plugin{}
	next := openWith(t, after, dir, time.Hour)
	after.receives(t, 1, 2)
	if err := next.Close(t.Context()); err != nil {
		t.Error(err)
	}
	once := &plugin{}
	closeNow(openWith(t, once, dir, time.Hour))
	if got := once.ids(); len(got) > 0 {
		t.Errorf("delivered again: %v", got)
	}
	p.set(false)
	p.receives(t, 7)
	closeNow(other)
}

// TestOutboxFormats checks that saves of builds without a format are delivered, and that those of
// later formats stay where they are, for the build that can read them.
func TestOutboxFormats(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		want  []int64
		stays bool
	}{
		"without a format": {text: `{"function":"wp_insert_post","id":1,"token":"a"}` + "\n", want: []int64{1}},
		"this format":      {text: `{"format":1}` + "\n" + `{"function":"wp_insert_post","id":2,"token":"b"}` + "\n", want: []int64{2}},
		"a later format":   {text: `{"format":2}` + "\n" + `{"function":"wp_insert_post","id":3,"token":"c"}` + "\n", stays: true},
		"empty":            {},
	} {
		t.Run(name, func(t *testing.T) {
			dir, p := t.TempDir(), &plugin{}
			path := filepath.Join(dir, "saved-earlier.jsonl")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			client := openWith(t, p, dir, time.Hour)
			client.Send(save(9)) // the client's own outbox works in any case
			p.receives(t, append(c.want, 9)...)
			if err := client.Close(t.Context()); err != nil {
				t.Error(err)
			}
			var want []string
			if c.stays {
				want = []string{path}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, outboxPattern)); !slices.Equal(left, want) {
				t.Errorf("left are %v, want %v", left, want)
			}
		})
	}
}

// TestOutboxBegins checks that a file begins with its format.
func TestOutboxBegins(t *testing.T) {
	dir := t.TempDir()
	client := openWith(t, &plugin{away: true}, dir, time.Hour)
	client.Send(save(1))
	client.Send(save(2))
	closeNow(client)
	files, _ := filepath.Glob(filepath.Join(dir, outboxPattern))
	if len(files) != 1 {
		t.Fatalf("files %v", files)
	}
	text, err := os.ReadFile(files[0])
	if lines := strings.Split(string(text), "\n"); err != nil || len(lines) != 4 || lines[0] != `{"format":1}` || !strings.Contains(lines[1], `"id":1`) {
		t.Errorf("%q, %v", text, err)
	}
}

// TestSavesAreSplit: however many and large the saves of a request are, each arrives, in order and
// in notices that WordPress accepts.
func TestSavesAreSplit(t *testing.T) {
	p := &plugin{}
	c := openWith(t, p, "", time.Hour)
	n := Notice{}
	var want []int64
	for id := range int64(150) {
		n.Saved = append(n.Saved, Saved{Function: "wp_update_post", ID: id + 1, Before: map[string]string{
			"post_title": strings.Repeat("<", 20<<10), "post_content": strings.Repeat("x", maxBefore+1), "post_name": fmt.Sprint(id)}})
		want = append(want, id+1)
	}
	n.Saved = append(n.Saved, Saved{Function: "wp_delete_term", ID: 999, Taxonomy: "post_tag", Objects: slices.Repeat([]int64{1}, 20_000)})
	c.Send(n)
	p.receives(t, append(want, 999)...)
	closeNow(c)
	tokens := map[string]bool{}
	for _, s := range p.saved {
		if _, long := s.Before["post_content"]; long || s.ID != 999 && s.Before["post_name"] != fmt.Sprint(s.ID-1) || len(s.Objects) > maxObjects {
			text, _ := json.Marshal(s)
			t.Errorf("%.300s", text)
		}
		tokens[s.Token] = true
	}
	if len(tokens) != 151 || slices.Max(p.counts) > maxSaved {
		t.Errorf("%d tokens, notices of %v saves", len(tokens), p.counts)
	}
}
