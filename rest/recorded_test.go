package rest

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "record testdata/recordings again")

const ownRecordings = "../testdata/recordings"

// exchange is a line of a recording, in the format that package compat reads.
type recorded struct {
	ID      string `json:"id"`
	As      string `json:"as"`
	Request struct {
		Method  string            `json:"method"`
		Path    string            `json:"path"`
		Headers map[string]string `json:"headers"`
		Body    *string           `json:"body"`
	} `json:"request"`
	Response struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
		Body    string            `json:"body"`
	} `json:"response"`
	Noise []string `json:"noise"`
}

// replayed sends the request of a recording and returns it with the response.
func (s *testSite) replayed(x recorded) recorded {
	s.t.Helper()
	a := ask{method: x.Request.Method, target: x.Request.Path, header: http.Header{}}
	if x.As != "anonymous" {
		a.as = x.As
	}
	for name, v := range x.Request.Headers {
		a.header.Set(name, v)
	}
	if x.Request.Body != nil {
		a.body = *x.Request.Body
	}
	got := s.do(a)
	x.Response.Status, x.Response.Body = got.status, got.body
	x.Response.Headers = map[string]string{}
	for name, values := range got.header {
		if name != "Content-Length" {
			x.Response.Headers[strings.ToLower(name)] = strings.Join(values, ", ")
		}
	}
	return x
}

// TestRecorded replays what this server once answered of testdata/calendar.json,
// so that any clone of the repository has a record of the whole interface on the
// wire. After a change on purpose, look at the difference and run it with -update.
func TestRecorded(t *testing.T) {
	s := newTestSite(t)
	if *update {
		s.record()
	}
	files, err := filepath.Glob(filepath.Join(ownRecordings, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings in %s: %v", ownRecordings, err)
	}
	n, routes := 0, map[string]bool{}
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var want recorded
			if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			if diff := cmp.Diff(want, s.replayed(want)); diff != "" {
				t.Errorf("%s %s: %s", want.ID, want.Request.Path, diff)
			}
			routes[s.seen.Route] = true
			n++
		}
		if err := lines.Err(); err != nil {
			t.Fatal(err)
		}
	}
	if n < 60 {
		t.Errorf("only %d exchanges are recorded", n)
	}
	for _, rt := range s.exchange("").req.Table.Routes {
		if !routes[rt.Template] {
			t.Errorf("no exchange of route %s", rt.Template)
		}
	}
	t.Logf("%d exchanges", n)
}

// record writes the recordings: one file for each group of requests.
func (s *testSite) record() {
	s.t.Helper()
	for group, requests := range recordedRequests {
		var out strings.Builder
		for i, line := range requests {
			var x recorded
			words := strings.SplitN(line, " ", 4)
			x.ID, x.As = fmt.Sprintf("%s-%03d", group, i+1), words[0]
			x.Request.Method, x.Request.Path, x.Request.Headers, x.Noise = words[1], words[2], map[string]string{}, []string{}
			if !strings.HasPrefix(x.Request.Path, "/") {
				x.Request.Path = testBase + "/" + x.Request.Path
			}
			if len(words) > 3 { // a JSON body, or "Name: value" of a header
				if name, v, ok := strings.Cut(words[3], ": "); ok {
					x.Request.Headers[name] = v
				} else {
					x.Request.Headers["Content-Type"], x.Request.Body = jsonType, &words[3]
				}
			}
			encoder := json.NewEncoder(&out)
			encoder.SetEscapeHTML(false)
			if err := encoder.Encode(s.replayed(x)); err != nil {
				s.t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(ownRecordings, group+".jsonl"), []byte(out.String()), 0o644); err != nil {
			s.t.Fatal(err)
		}
	}
}

// TestRecordedRequestsAreThere: the lists and the files say the same.
func TestRecordedRequestsAreThere(t *testing.T) {
	for group, requests := range recordedRequests {
		data, err := os.ReadFile(filepath.Join(ownRecordings, group+".jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(data), "\n"); n != len(requests) {
			t.Errorf("%s: %d lines for %d requests; run with -update", group, n, len(requests))
		}
	}
	if !slices.Contains(recordedRequests["index"], "anonymous GET /wp-json/calendar/events/v1") {
		t.Error("the index must be recorded")
	}
}
