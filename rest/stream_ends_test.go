package rest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sqlconn"
)

// answerOf asks for a stream from an address, and reads what isn't one.
func answerOf(t *testing.T, base, from string) (resp *http.Response, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, base+"/events/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", from)
	if resp, err = http.DefaultClient.Do(r); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode == http.StatusOK {
		line, err := bufio.NewReader(resp.Body).ReadString('\n') // it has begun, and is counted
		if err != nil {
			t.Fatal(err)
		}
		return resp, line
	}
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(text)
}

// TestStreamUnavailable: what clients get whose streams are one too many, of their address or
// of all, and while the journal isn't up to date.
func TestStreamUnavailable(t *testing.T) {
	s := embeddedChangesSite(t, sqlconn.Config{}, true)
	base := serveStreams(t, s)
	expect := func(what, from string, status int, code, retry string) {
		t.Helper()
		resp, body := answerOf(t, base, from)
		if resp.StatusCode != status || resp.Header.Get("Retry-After") != retry {
			t.Errorf("%s: %s %v %s", what, resp.Status, resp.Header, body)
		}
		if code == "" {
			return
		}
		var answer struct {
			Code string
			Data struct{ Status int }
		}
		if err := json.Unmarshal([]byte(body), &answer); err != nil || answer.Code != code || answer.Data.Status != status {
			t.Errorf("%s: %v %s", what, err, body)
		}
		if got := resp.Header.Get("Content-Type"); !strings.HasPrefix(got, "application/json") {
			t.Errorf("%s: %s", what, got)
		}
	}
	resume := s.rows.pause()
	expect("nothing arrives", "203.0.113.1", http.StatusServiceUnavailable, "calbridge_unavailable", "1")
	resume()
	s.cfg.Changes.MaxStreams, s.cfg.Changes.MaxStreamsPerClient = 3, 2
	s.renew()
	expect("the first", "203.0.113.1", http.StatusOK, "", "")
	expect("the second", "203.0.113.1", http.StatusOK, "", "")
	expect("the third of an address", "203.0.113.1", http.StatusTooManyRequests, "calbridge_too_many_streams", "30")
	expect("the third", "203.0.113.2", http.StatusOK, "", "")
	expect("the fourth", "203.0.113.3", http.StatusServiceUnavailable, "calbridge_too_many_streams", "30")
}

// TestStreamsAtOnce: of streams that are opened at the same moment as many begin as there is room
// for, and go on; the others are refused by their status, and none ends with a 200.
func TestStreamsAtOnce(t *testing.T) {
	s := embeddedChangesSite(t, sqlconn.Config{}, true)
	s.cfg.Changes.MaxStreams, s.cfg.Changes.MaxStreamsPerClient = 100, 10
	s.renew()
	base := serveStreams(t, s)
	const streams = 80
	begin := make(chan struct{})
	statuses, ends := make(chan int, streams), make(chan error, streams)
	for i := range streams {
		go func() {
			<-begin
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, fmt.Sprint(base, "/events/stream?start_date=", 1900+i), nil)
			if err != nil {
				ends <- err
				return
			}
			resp, err := http.DefaultClient.Do(r)
			if err != nil {
				ends <- err
				return
			}
			defer resp.Body.Close()
			statuses <- resp.StatusCode
			if resp.StatusCode == http.StatusTooManyRequests && (resp.Header.Get("Retry-After") != "30" || !strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json")) {
				t.Errorf("%s %v", resp.Status, resp.Header)
			}
			text, err := io.ReadAll(resp.Body)
			if resp.StatusCode == http.StatusOK {
				ends <- err
			} else if !strings.Contains(string(text), "calbridge_too_many_streams") {
				t.Errorf("%s %s", resp.Status, text)
			}
		}()
	}
	s.proving.Lock() // all of them are under way before the first one may begin
	close(begin)
	time.Sleep(300 * time.Millisecond)
	s.proving.Unlock()
	count := map[int]int{}
	for range streams {
		select {
		case status := <-statuses:
			count[status]++
		case err := <-ends:
			t.Fatalf("a stream that began has ended: %v", err)
		case <-time.After(time.Minute):
			t.Fatalf("no answer within a minute: %v", count)
		}
	}
	if count[http.StatusOK] != 10 || count[http.StatusTooManyRequests] != streams-10 {
		t.Errorf("%v", count)
	}
	select {
	case err := <-ends:
		t.Errorf("a stream that began has ended: %v", err)
	case <-time.After(200 * time.Millisecond):
	}
	s.serving.Load().Streams().End()
	for range count[http.StatusOK] {
		<-ends
	}
}

// TestStreamsGoOn: streams that the server ends, because the site has closed or is reloaded,
// end with a position. Their clients have the list again once they have resumed, without a
// reset.
func TestStreamsGoOn(t *testing.T) {
	s := embeddedChangesSite(t, sqlconn.Config{}, true)
	base := serveStreams(t, s)
	const args = "start_date=2020-01-01"
	one, other := follow(t, s, base, args), follow(t, s, base, args+"&categories=31")
	clients := []*streamClient{one, other}
	statements := streamedStatements
	write := func() {
		s.exec(statements[0])
		statements = statements[1:]
	}
	ended := func(what string) {
		t.Helper()
		for _, c := range clients {
			for c.lines.Scan() { // what was on its way
			}
			if err := c.lines.Err(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			c.close()
		}
	}
	for _, c := range clients {
		c.until(s)
		c.next() // it is connected
	}
	s.srv.Streams().Shut(true)
	ended("closed")
	write()
	one.connect() // which ends at once
	for one.lines.Scan() {
		if strings.HasPrefix(one.lines.Text(), "data: ") {
			t.Errorf("while the site is closed: %s", one.lines.Text())
		}
	}
	one.close()
	s.srv.Streams().Shut(false)
	for range 2 {
		write()
		for _, c := range clients {
			c.until(s)
			if c.cancel == nil {
				c.next()
			}
		}
	}
	for range 3 {
		s.stop() // the journal goes to the next site first
		write()
		s.start()
		ended("reloaded")
		for _, c := range clients {
			c.until(s)
			if c.cancel == nil {
				c.next()
			}
		}
	}
	for _, c := range clients {
		if len(c.resets) > 0 || c.kinds["updated"]+c.kinds["created"]+c.kinds["deleted"] == 0 {
			t.Errorf("%s: %v %v", c.args, c.resets, c.kinds)
		}
	}
}
