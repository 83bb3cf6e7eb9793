package systemtest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// unionStream is a client that only applies what it is sent by a stream.
type unionStream struct {
	t     *testing.T
	query string
	end   context.CancelFunc
	ended chan struct{}

	mu     sync.Mutex
	copied *unionCopy
	last   string // id
	kinds  map[string]int
}

// open opens the stream where the client was last.
func (s *unionStream) open(server *started) {
	s.t.Helper()
	u, err := url.Parse(unionPath + "/stream?" + s.query)
	if err != nil {
		s.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(s.t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, server.api+u.RequestURI(), nil)
	if err != nil {
		s.t.Fatal(err)
	}
	req.Host = u.Host
	req.Header.Set("X-Forwarded-Proto", u.Scheme)
	if s.last != "" {
		req.Header.Set("Last-Event-ID", s.last)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		s.t.Fatalf("%v\n%s", err, server.stderr)
	}
	if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/event-stream" {
		body, _ := io.ReadAll(resp.Body)
		s.t.Fatalf("%d %v %s", resp.StatusCode, resp.Header, body)
	}
	ended := make(chan struct{})
	s.end, s.ended = cancel, ended
	s.t.Cleanup(cancel)
	go func() {
		defer close(ended)
		defer resp.Body.Close()
		s.read(resp.Body)
	}()
}

// read applies the messages of a stream.
func (s *unionStream) read(body io.Reader) {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, 4<<20)
	kind, data := "", ""
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ": ")
		s.mu.Lock()
		switch name {
		case "event":
			kind = value
		case "data":
			data = value
		case "id":
			s.last = value
		case "":
			if s.kinds[kind]++; data != "" && kind != "reset" {
				s.copied.apply([]byte(data))
			}
			kind, data = "", ""
		}
		s.mu.Unlock()
	}
}

// await waits until the client has what the calendar shows.
func (s *unionStream) await(server *started, after string) {
	s.t.Helper()
	var want map[[2]int64]string
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		want = unionNow(s.t, server, "start_date=2020-01-01")
		s.mu.Lock()
		same := maps.Equal(s.copied.events, want)
		s.mu.Unlock()
		if same {
			return
		}
	}
	s.t.Fatalf("%s: after %s: %d events, want %d", s.query, after, len(s.copied.events), len(want))
}

// TestNetworkStream checks that clients of a stream have the events that the calendar over all sites shows after
// writes on any site, after sites were archived and came back, and after they connect again with their last id,
// to another process too. One begins with the token of its copy, the other without.
func TestNetworkStream(t *testing.T) {
	oneAtATime(t)
	n, db := readNetwork(t), wptest.ReplicatedSite(t, "network")
	args := unionArgs(t, n, db)
	server := start(t, nil, args...)
	store := openStore(t, db)
	const query = "start_date=2020-01-01"
	first := newUnionCopy(t)
	waitFor(t, func() bool { return first.sync(server, query) == 0 })
	resumes := &unionStream{t: t, query: query + "&sync_token=" + first.token, copied: first, kinds: map[string]int{}}
	begins := &unionStream{t: t, query: query, copied: newUnionCopy(t), kinds: map[string]int{}}
	both := []*unionStream{resumes, begins}
	begins.open(server)
	waitFor(t, func() bool { begins.mu.Lock(); defer begins.mu.Unlock(); return begins.last != "" })
	begins.mu.Lock()
	maps.Copy(begins.copied.events, unionNow(t, server, query))
	begins.mu.Unlock()
	resumes.open(server)
	r := rand.New(rand.NewPCG(35, 4))
	for i := range 24 {
		statement := writeSomewhere(r)
		if _, err := store.SQL().Exec(statement); err != nil {
			t.Fatal(err)
		}
		again := both[i%2]
		switch {
		case i == 12: // all connect again, to another process
			server.stop()
			for _, s := range both {
				<-s.ended
			}
			server = start(t, nil, args...)
			for _, s := range both {
				s.open(server)
			}
		case i%4 == 3:
			again.end()
			<-again.ended
			if _, err := store.SQL().Exec(writeSomewhere(r)); err != nil {
				t.Fatal(err)
			}
			again.open(server)
		}
		for _, s := range both {
			s.await(server, fmt.Sprint(i, ": ", statement))
		}
	}
	for _, s := range both {
		if s.kinds["created"] == 0 || s.kinds["updated"] == 0 || s.kinds["deleted"] == 0 || s.kinds["reset"] > 0 {
			t.Errorf("%s: %v", s.query, s.kinds)
		}
	}
	if resp, body := fetch(t, server.ops+"/metrics"); resp.StatusCode != http.StatusOK || !strings.Contains(body, "\ncalbridge_streams 2\n") {
		t.Error("the streams are not counted")
	}
	begins.end()
	<-begins.ended
	begins.last = "nonsense"
	begins.open(server)
	waitFor(t, func() bool { begins.mu.Lock(); defer begins.mu.Unlock(); return begins.kinds["reset"] == 1 })
	for range 20 {
		if resp, _ := asNetwork(t, server, unionPath+"/stream?sites=99"); resp.StatusCode != http.StatusBadRequest {
			t.Fatalf("a site that does not exist: %d", resp.StatusCode)
		}
	}
}
