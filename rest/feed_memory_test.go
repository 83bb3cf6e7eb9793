package rest

import (
	"fmt"
	"net/http"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFeedMemory: a streamed feed takes as much memory for many events as for few, but for 8
// bytes for the id of each: 2,000 and 10,000 events, or 1,000 and 100,000 with CALBRIDGE_LONG=1.
func TestFeedMemory(t *testing.T) {
	if testing.Short() {
		t.Skip("measures memory, which the race detector multiplies")
	}
	few, many, text := 2000, 10_000, 1500
	if os.Getenv("CALBRIDGE_LONG") != "" {
		few, many, text = 1000, 100_000, 3000
	}
	s := newTestSite(t, extended)
	s.manyEvents(1, text)
	have := 1
	read := func(n int) *heapWatch {
		t.Helper()
		s.copyEvents(10_000, have, n)
		have = n
		start := time.Now()
		w := newHeapWatch()
		s.srv.ServeHTTP(w, s.request(ask{target: "events.ics"}))
		if w.status != http.StatusOK || w.header.Get("ETag") != "" || w.ends < n || !strings.HasSuffix(w.last, "END:VCALENDAR\r\n") {
			t.Fatalf("%d events: status %d, %d events read, end %q", n, w.status, w.ends, w.last)
		}
		t.Logf("%d events: %d MiB in %v, at most %d KiB more in use than before, %d KiB at the end", n, w.written>>20, time.Since(start).Round(time.Millisecond), w.most>>10, w.now>>10)
		return w
	}
	read(few) // compiles statements, fills pools
	small := read(few + 1)
	large := read(many)
	if limit := small.most + 8*int64(many-few) + 512<<10; large.most > limit {
		t.Errorf("%d KiB in use for %d events, %d KiB for %d", large.most>>10, many, small.most>>10, few)
	}
}

// copyEvents adds copies of an event, with its dates and metas, until there are n of them.
func (s *testSite) copyEvents(id int64, have, n int) {
	s.t.Helper()
	for table, key := range map[string]string{"wp_posts": "ID", "wp_postmeta": "post_id", "wp_tec_occurrences": "post_id"} {
		rows, err := s.SQL().Query("SELECT name FROM pragma_table_info(?) WHERE name NOT IN ('meta_id', 'occurrence_id')", table)
		if err != nil {
			s.t.Fatal(err)
		}
		var columns, values []string
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				s.t.Fatal(err)
			}
			columns = append(columns, name)
			switch name {
			case key, "event_id", "hash":
				name = fmt.Sprintf("%d + n.i", id)
			}
			values = append(values, name)
		}
		if err := rows.Close(); err != nil {
			s.t.Fatal(err)
		}
		s.exec(fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT %d UNION ALL SELECT i + 1 FROM n WHERE i + 1 < %d) INSERT INTO %s (%s) SELECT %s FROM %s, n WHERE %s = %d",
			have, n, table, strings.Join(columns, ", "), strings.Join(values, ", "), table, key, id))
	}
}

// heapWatch is a client that measures the memory in use each four megabytes.
type heapWatch struct {
	header                http.Header
	status, written, ends int
	last                  string
	next                  int
	before, now, most     int64
}

func newHeapWatch() *heapWatch {
	return &heapWatch{header: http.Header{}, status: http.StatusOK, before: heapInUse()}
}

// heapInUse returns what lives after a collection, in bytes.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC() // empties pools, whose contents live on for one collection
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func (w *heapWatch) Header() http.Header    { return w.header }
func (w *heapWatch) WriteHeader(status int) { w.status = status }

func (w *heapWatch) Write(b []byte) (int, error) {
	w.written += len(b)
	w.ends += strings.Count(string(b), "\nEND:VEVENT")
	w.last = string(b[max(0, len(b)-20):])
	if w.written >= w.next {
		w.next = w.written + 4<<20
		w.now = heapInUse() - w.before
		w.most = max(w.most, w.now)
	}
	return len(b), nil
}
