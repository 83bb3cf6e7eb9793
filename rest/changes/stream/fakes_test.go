package stream

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// fakeMove is closed when a fakeSource changes.
type fakeMove struct {
	done chan struct{}
	at   time.Time
}

func (m *fakeMove) Done() <-chan struct{} { return m.done }
func (m *fakeMove) Reported() time.Time   { return m.at }

// fakeSource is a list in which one event changes at a time: its cursors are numbers.
type fakeSource struct {
	mu    sync.Mutex
	seq   int64
	first int64 // what can still be resumed from
	size  int   // of a message
	reads int
	fails error
	next  *fakeMove
	page  int64 // changes in a page, 0 for all
}

func newFakeSource() *fakeSource { return &fakeSource{next: &fakeMove{done: make(chan struct{})}} }

func cursorAt(seq int64) Cursor { return Cursor{ID: fmt.Sprint(seq), Run: "r", Seq: seq} }

// change changes an event n times.
func (s *fakeSource) change(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq += n
	s.next.at = time.Now()
	close(s.next.done)
	s.next = &fakeMove{done: make(chan struct{})}
}

func (s *fakeSource) Now(context.Context) (Cursor, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cursorAt(s.seq), s.fails
}

func (s *fakeSource) After(_ context.Context, from Cursor) (*Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reads++
	if s.fails != nil {
		return nil, s.fails
	}
	if from.Seq < s.first {
		return nil, Gone("expired")
	}
	to := s.seq
	if s.page > 0 {
		to = min(to, from.Seq+s.page)
	}
	p := &Page{To: cursorAt(to), More: to < s.seq}
	for n := from.Seq + 1; n <= to; n++ {
		p.Messages = append(p.Messages, Message{Kind: Updated, Data: []byte(fmt.Sprintf("%d%s", n, strings.Repeat(" ", s.size))), ID: fmt.Sprint(n)})
	}
	return p, nil
}

func (s *fakeSource) Next() Move {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next
}

// fakeClient takes a stream.
type fakeClient struct {
	mu     sync.Mutex
	text   strings.Builder
	stuck  bool // writes wait until their deadline
	takes  time.Duration
	broken error
	cancel context.CancelFunc
	ended  bool
}

func (c *fakeClient) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for end := time.Now().Add(10 * time.Second); c.stuck; {
		if time.Now().After(end) {
			return 0, fmt.Errorf("write: %w", os.ErrDeadlineExceeded)
		}
		c.mu.Unlock()
		time.Sleep(100 * time.Millisecond)
		c.mu.Lock()
	}
	if c.broken != nil {
		return 0, c.broken
	}
	time.Sleep(c.takes)
	return c.text.Write(p)
}

func (c *fakeClient) Flush() error { return nil }

// numbers returns the data of all messages so far, and last is the last id.
func (c *fakeClient) numbers() (numbers []string, last string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for block := range strings.SplitSeq(c.text.String(), "\n\n") {
		for line := range strings.SplitSeq(block, "\n") {
			if data, ok := strings.CutPrefix(line, "data: "); ok {
				numbers = append(numbers, strings.TrimSpace(data))
			}
			if id, ok := strings.CutPrefix(line, "id: "); ok {
				last = id
			}
		}
	}
	return numbers, last
}

func (c *fakeClient) said() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.text.String()
}

func (c *fakeClient) contains(text string) bool { return strings.Contains(c.said(), text) }

// watcher is an Observer.
type watcher struct {
	mu     sync.Mutex
	open   int
	closed map[string]int
	lags   []time.Duration
}

func (w *watcher) Opened() { w.mu.Lock(); defer w.mu.Unlock(); w.open++ }
func (w *watcher) Closed(why string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed[why]++
}
func (w *watcher) Sent(lag time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lags = append(w.lags, lag)
}

// bench is a hub with one list.
type bench struct {
	t       *testing.T
	hub     *Hub
	source  *fakeSource
	watcher *watcher
	clients sync.WaitGroup
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, source: newFakeSource(), watcher: &watcher{closed: map[string]int{}}}
	b.hub = NewHub(Config{Most: 100, MostOfAddress: 50, Heartbeat: 10 * time.Second, Observer: b.watcher, Logger: slog.New(slog.DiscardHandler)})
	return b
}

func (b *bench) close() {
	b.hub.Close()
	b.clients.Wait()
}

// connect opens a stream from a number; -1 is now.
func (b *bench) connect(from int64) *fakeClient { return b.as("a", from) }

func (b *bench) as(address string, from int64) *fakeClient {
	c := &fakeClient{}
	client := Client{Key: "list", Source: b.source, From: cursorAt(from)}
	if from < 0 {
		client.From, client.Recent = cursorAt(b.source.seq), true
	}
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	leave, err := b.hub.Enter(address)
	if err != nil {
		b.t.Fatal(err)
	}
	b.clients.Go(func() {
		defer leave()
		b.hub.Serve(ctx, c, client)
		c.mu.Lock()
		c.ended = true
		c.mu.Unlock()
	})
	synctest.Wait()
	return c
}

func (c *fakeClient) hasEnded() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

func (b *bench) expect(c *fakeClient, want ...int64) {
	b.t.Helper()
	synctest.Wait()
	got, last := c.numbers()
	if len(got) != len(want) {
		b.t.Fatalf("%v, want %v", got, want)
	}
	for i, n := range want {
		if got[i] != fmt.Sprint(n) {
			b.t.Fatalf("%v, want %v", got, want)
		}
	}
	if len(want) > 0 && last != got[len(got)-1] {
		b.t.Errorf("the last id is %s, the last message %s", last, got[len(got)-1])
	}
}
