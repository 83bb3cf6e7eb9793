package mirror

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"
)

// endless is a reader that repeats a text without end.
type endless struct {
	text string
	at   int
}

// Read implements io.Reader.
func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		some := copy(p[n:], e.text[e.at:])
		n, e.at = n+some, (e.at+some)%len(e.text)
	}
	return n, nil
}

// TestHostilePages checks that an endless or invalid page is refused after a limited number of
// bytes and in limited memory.
func TestHostilePages(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine reads many megabytes")
	}
	for name, c := range map[string]struct {
		begin, again, want string
	}{
		"tiny items":      {`{"events":[{"id":7}`, `,{"id":7}`, "more than 10000 events"},
		"many lists":      {`{"events":[]`, `,"events":[{"id":7}]`, "a member twice"},
		"one long item":   {`{"events":[{"id":7,"title":"`, "x", "more than 16777216 bytes"},
		"many members":    {`{"events":[{"id":7`, `,"a":1`, "more than 16777216 bytes"},
		"long items":      {`{"events":[{"id":7}`, `,{"id":7,"title":"` + strings.Repeat("x", 1<<20) + `"}`, "too long"},
		"deep items":      {`{"events":[{"id":7,"x":`, `[`, "max depth"},
		"deep objects":    {`{"events":[{"id":7,"x":`, `{"x":`, "max depth"},
		"deep beside":     {`{"x":`, `[`, "max depth"},
		"long beside":     {`{"x":"`, `x`, "more than 16777216 bytes"},
		"the same beside": {`{"x":1`, `,"x":1`, "a member twice"},
		"a long key":      {`{"`, `x`, "more than 16777216 bytes"},
		"a long number":   {`{"events":[{"id":1`, `0`, "more than 16777216 bytes"},
		"spaces":          {`{`, ` `, "more than 16777216 bytes"},
		"spaces behind":   {`{"events":[],"sync_token":"t"}`, "\n", "more than 16777216 bytes"},
		"something else":  {`{"events":[],"sync_token":"t"}`, "{}", "follows its end"},
		"one more page":   {`{"events":[],"sync_token":"t"}`, `{"events":[],"sync_token":"t"}`, "follows its end"},
		"not JSON at all": {`<html>`, `<p>`, "invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			most := trackMemory(t)
			_, err := parsePage(t.Context(), io.MultiReader(strings.NewReader(c.begin), &endless{text: c.again}), position{listing: true})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			if bytes := most(); bytes > 224<<20 {
				t.Errorf("it takes %d MiB", bytes>>20)
			}
		})
	}
}

// trackMemory returns a function that returns the most memory that was in use between the two
// calls.
func trackMemory(t *testing.T) (most func() uint64) {
	t.Helper()
	runtime.GC()
	ctx, stop := context.WithCancel(t.Context())
	peak := make(chan uint64)
	go func() {
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		var most uint64
		for ctx.Err() == nil {
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapInuse-min(before.HeapInuse, now.HeapInuse))
			time.Sleep(time.Millisecond)
		}
		peak <- most
	}()
	return func() uint64 { stop(); return <-peak }
}

// TestSlowDrip checks that a page that arrives byte by byte is given up after a time, even
// though it is never silent for long.
func TestSlowDrip(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `{"events": [`)
		for r.Context().Err() == nil {
			_, _ = io.WriteString(w, " ")
			w.(http.Flusher).Flush()
			time.Sleep(time.Millisecond)
		}
	}))
	defer server.Close()
	s, err := ParseSource(server.URL, nil, "", "")
	if err != nil {
		t.Fatal(err)
	}
	r := &remote{client: NewClient(), source: s, silence: time.Minute, pageTime: 200 * time.Millisecond, now: time.Now}
	begin := time.Now()
	if _, err = r.changes(t.Context(), position{listing: true}); !errors.Is(err, errSlow) || time.Since(begin) > 10*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
}

// TestEndlessPages checks that a server that names another page again and again is given up
// after a number of pages, items or bytes, at the first copy and later. What was fetched is
// removed, and the copy stays.
func TestEndlessPages(t *testing.T) {
	for name, most := range map[string]round{
		"pages": {pages: 40, items: 1e9, bytes: 1e9}, "items": {pages: 1e9, items: 40, bytes: 1e9}, "bytes": {pages: 1e9, items: 1e9, bytes: 4000},
	} {
		t.Run(name, func(t *testing.T) {
			asked, honest := 0, true
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if honest {
					_, _ = io.WriteString(w, `{"events": [{"id": 1}, {"id": 2}], "sync_token": "honest"}`)
					return
				}
				asked++
				_, _ = fmt.Fprintf(w, `{"events": [{"id": %d, "title": "hostile"}], "page_token": "p%d"}`, 1000+asked, asked)
			}))
			defer server.Close()
			o := options(t, server.URL, t.TempDir())
			o.Once, o.round = true, most
			if err := Run(t.Context(), o); err != nil {
				t.Fatal(err)
			}
			honest = false
			for range 2 { // the first round syncs, the second begins again
				asked = 0
				if err := Run(t.Context(), o); !errors.Is(err, errEndless) || asked < 40 || asked > 80 {
					t.Errorf("%v after %d pages", err, asked)
				}
			}
			db := reader(t, o.Out)
			var hostile int
			if err := db.QueryRow("SELECT COUNT(*) FROM incoming").Scan(&hostile); err != nil || hostile > 0 {
				t.Errorf("%d events of the endless list are left: %v", hostile, err)
			}
			honest = true
			if err := Run(t.Context(), o); err != nil || len(copied(t, db)) != 2 {
				t.Errorf("%v: %v", err, copied(t, db))
			}
		})
	}
}
