package rest

import (
	"bufio"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
)

// streamed is a message of a stream.
type streamed struct {
	event, data, id string
}

// streamClient is a client of events/stream: its copy of a list.
type streamClient struct {
	t    testing.TB
	base string
	args string
	last string
	copy map[int64]string
	// cut, when not 0, is after how many messages the client closes each connection.
	cut    int
	resets map[string]int
	kinds  map[string]int

	cancel context.CancelFunc
	lines  *bufio.Scanner
	resp   *http.Response
	seen   int // messages on this connection
}

// connect opens a stream where the client is.
func (c *streamClient) connect() {
	c.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/events/stream?"+c.args, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.last != "" {
		r.Header.Set("Last-Event-ID", c.last)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		c.resp, err = http.DefaultClient.Do(r)
		if err != nil {
			c.t.Fatal(err)
		}
		if c.resp.StatusCode == http.StatusOK {
			break
		}
		c.resp.Body.Close()
		if c.resp.StatusCode != http.StatusServiceUnavailable || time.Now().After(end) {
			c.t.Fatal(c.resp.Status)
		}
	}
	c.cancel, c.seen = cancel, 0
	c.lines = bufio.NewScanner(c.resp.Body)
	c.lines.Buffer(nil, 4<<20)
}

func (c *streamClient) close() {
	if c.cancel != nil {
		c.cancel()
		c.resp.Body.Close()
		c.cancel = nil
	}
}

// next reads a block with data or an id. It connects where there is no connection.
func (c *streamClient) next() streamed {
	c.t.Helper()
	for {
		if c.cut > 0 && c.seen >= c.cut {
			c.close()
		}
		if c.cancel == nil {
			c.connect()
		}
		var m streamed
		for c.lines.Scan() {
			line := c.lines.Text()
			name, value, _ := strings.Cut(line, ": ")
			switch name {
			case "event":
				m.event = value
			case "data":
				m.data = value
			case "id":
				m.id = value
			case "":
				if m.data == "" && m.id == "" {
					m = streamed{}
					continue
				}
				if m.data != "" {
					c.seen++
				}
				c.apply(m)
				return m
			}
		}
		c.close()
	}
}

func (c *streamClient) apply(m streamed) {
	c.t.Helper()
	var item struct {
		ID      int64
		Deleted bool
		Reason  string
	}
	if m.data != "" {
		c.kinds[m.event]++
		if err := json.Unmarshal([]byte(m.data), &item); err != nil {
			c.t.Fatalf("%v: %s", err, m.data)
		}
		switch m.event {
		case "created", "updated":
			c.copy[item.ID] = counts.ReplaceAllString(m.data, "")
		case "deleted":
			if !item.Deleted {
				c.t.Errorf("%s", m.data)
			}
			delete(c.copy, item.ID)
		case "reset":
			c.resets[item.Reason]++
		}
	}
	if m.id != "" {
		c.last = m.id
	}
}

// serveStreams serves a site with streams over HTTP.
func serveStreams(t testing.TB, s *changesSite) (base string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.serving.Load().ServeHTTP(w, r) }))
	t.Cleanup(server.Close)
	t.Cleanup(func() { s.serving.Load().Streams().End() })
	return server.URL + "/wp-json/" + s.cfg.Namespace
}

// follow returns a client that has the list.
func follow(t testing.TB, s *changesSite, base, args string) *streamClient {
	t.Helper()
	r := newSyncer("", args)
	r.finish(t, s)
	c := &streamClient{t: t, base: base, args: args, last: r.sync, copy: r.copy, resets: map[string]int{}, kinds: map[string]int{}}
	t.Cleanup(c.close)
	return c
}

// until reads messages until the copy is the list.
func (c *streamClient) until(s *changesSite) {
	c.t.Helper()
	for end := time.Now().Add(time.Minute); ; { // else the list may be older than the stream
		_, err := s.journal.CatchUp(c.t.Context())
		if err == nil {
			break
		}
		if time.Now().After(end) {
			c.t.Fatal(err)
		}
	}
	want := s.list("", c.args)
	for {
		same := len(want) == len(c.copy)
		for id, text := range want {
			same = same && c.copy[id] == text
		}
		if same {
			return
		}
		c.next()
	}
}

var streamedStatements = []string{
	"UPDATE wp_posts SET post_title = 'Other' WHERE ID = 101",
	"UPDATE wp_posts SET post_status = 'draft' WHERE ID = 102",
	"UPDATE wp_posts SET post_status = 'publish' WHERE ID = 102",
	"UPDATE wp_posts SET post_title = 'Other place' WHERE ID = 201",
	"UPDATE wp_terms SET name = 'Other music' WHERE term_id = 31",
	"UPDATE wp_posts SET post_password = 'x' WHERE ID = 103",
	"DELETE FROM wp_posts WHERE ID = 104",
}

// TestStream: a client that begins with a sync token, and follows the stream, has the list;
// also one whose connection is cut off after each message.
func TestStream(t *testing.T) {
	s := newChangesSite(t)
	base := serveStreams(t, s)
	clients := []*streamClient{}
	for _, args := range []string{"start_date=2020-01-01", "start_date=2020-01-01&language_code=de", "start_date=2020-01-01&categories=31"} {
		for cut := range 3 {
			c := follow(t, s, base, args)
			c.cut = cut
			clients = append(clients, c)
		}
	}
	for _, statement := range streamedStatements {
		s.exec(statement)
		for _, c := range clients {
			c.until(s)
		}
	}
	t.Log(clients[0].kinds, clients[0].resets, clients[1].kinds)
	for _, kind := range []string{"created", "updated", "deleted"} {
		if clients[0].kinds[kind] == 0 {
			t.Errorf("nothing was %s", kind)
		}
	}
	// A token of the stream is one of events/changes too.
	r := newSyncer("", clients[0].args)
	r.sync, r.copy = clients[0].last, clients[0].copy
	for id := range r.copy {
		r.seen[id] = true
	}
	r.seen[104] = true
	if r.finish(t, s); r.differs(s) != "" || len(r.reasons) > 0 {
		t.Errorf("%v %s", r.reasons, r.differs(s))
	}
}

// TestStreamRefusals: limits, positions that can't be used, and sites without a journal.
func TestStreamRefusals(t *testing.T) {
	s := newChangesSite(t)
	base := serveStreams(t, s)
	get := func(args string) (*http.Response, string) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		t.Cleanup(cancel)
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, base+"/events/stream?"+args, nil)
		resp, err := http.DefaultClient.Do(r)
		for ; err == nil && resp.StatusCode == http.StatusServiceUnavailable && ctx.Err() == nil; resp, err = http.DefaultClient.Do(r) {
			resp.Body.Close()
			time.Sleep(time.Millisecond)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		text := ""
		for lines := bufio.NewScanner(resp.Body); lines.Scan() && !strings.HasPrefix(lines.Text(), "id: "); {
			text += lines.Text() + "\n"
		}
		return resp, text
	}
	if resp, text := get("sync_token=x"); resp.StatusCode != 200 || !strings.Contains(text, "event: reset\ndata: {\"reason\":\"malformed\"}") ||
		resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("X-Accel-Buffering") != "no" || resp.Header.Get("Cache-Control") != "no-store" || resp.Header.Get("Content-Encoding") != "" {
		t.Errorf("%s %v\n%s", resp.Status, resp.Header, text)
	}
	if resp, text := get("categories=999"); resp.StatusCode != 400 {
		t.Errorf("%s %s", resp.Status, text)
	}
	for range s.cfg.Changes.MaxStreamsPerClient - 1 {
		get("")
	}
	if resp, text := get(""); resp.StatusCode != 429 || resp.Header.Get("Retry-After") == "" || !strings.Contains(text, "calbridge_too_many_streams") {
		t.Errorf("%s %v %s", resp.Status, resp.Header, text)
	}
	s.srv.Streams().End()
	plain := newTestSite(t, func(c *Config) { c.Compat, c.Extensions = api.Safe, true; c.Changes.Lacks = "binary-log" })
	if a := plain.do(ask{target: "events/stream"}); a.status != 501 || a.json("data.reason") != "binary-log" {
		t.Errorf("%d %s", a.status, a.body)
	}
}
