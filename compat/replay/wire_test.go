package replay

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/compat/recording"
)

// rawServer responds to every request with the given bytes and stores the request. It
// reads the request up to the end of the body by Content-Length.
type rawServer struct {
	listener net.Listener
	mu       sync.Mutex
	requests []string
}

func newRawServer(t *testing.T, answers ...string) *rawServer {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &rawServer{listener: listener}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.serve(conn, answers)
		}
	}()
	return s
}

func (s *rawServer) serve(conn net.Conn, answers []string) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	for n := 0; ; n++ {
		var request strings.Builder
		length := 0
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			request.WriteString(line)
			fmt.Sscanf(line, "Content-Length: %d", &length)
			if line == "\r\n" {
				break
			}
		}
		body := make([]byte, length)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		s.mu.Lock()
		s.requests = append(s.requests, request.String()+string(body))
		s.mu.Unlock()
		if n >= len(answers) {
			return // the connection is closed without an answer
		}
		io.WriteString(conn, answers[n])
	}
}

func (s *rawServer) seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.requests...)
}

const okAnswer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"

func TestRequestsArriveExactlyAsRecorded(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		name    string
		request recording.Request
		auth    string
		want    string
	}{
		{"path untouched", recording.Request{Method: "GET", Path: "/wp-json//a/../b/%7Efoo/%c3%A9/%2F/./?x=%zz&y=a+b&&[]=č#not"}, "",
			"GET /wp-json//a/../b/%7Efoo/%c3%A9/%2F/./?x=%zz&y=a+b&&[]=č#not HTTP/1.1\r\nHost: town.example\r\nAccept: application/json\r\nX-Forwarded-Proto: https\r\n\r\n"},
		{"double slash first", recording.Request{Method: "GET", Path: "//wp-json/"}, "",
			"GET //wp-json/ HTTP/1.1\r\nHost: town.example\r\nAccept: application/json\r\nX-Forwarded-Proto: https\r\n\r\n"},
		{"odd method", recording.Request{Method: "FOO", Path: "/"}, "",
			"FOO / HTTP/1.1\r\nHost: town.example\r\nAccept: application/json\r\nX-Forwarded-Proto: https\r\n\r\n"},
		{"lower-case method", recording.Request{Method: "get", Path: "/"}, "",
			"get / HTTP/1.1\r\nHost: town.example\r\nAccept: application/json\r\nX-Forwarded-Proto: https\r\n\r\n"},
		{"GET with a body", recording.Request{Method: "GET", Path: "/", Headers: map[string]string{"Content-Type": "application/json"}, Body: text(`{"a":"č"}`)}, "",
			"GET / HTTP/1.1\r\nHost: town.example\r\nContent-Type: application/json\r\nAccept: application/json\r\nX-Forwarded-Proto: https\r\nContent-Length: 10\r\n\r\n{\"a\":\"č\"}"},
		{"PUT without a body", recording.Request{Method: "PUT", Path: "/"}, "",
			"PUT / HTTP/1.1\r\nHost: town.example\r\nAccept: application/json\r\nX-Forwarded-Proto: https\r\nContent-Length: 0\r\n\r\n"},
		{"login", recording.Request{Method: "DELETE", Path: "/"}, "Basic eDp5",
			"DELETE / HTTP/1.1\r\nHost: town.example\r\nAccept: application/json\r\nAuthorization: Basic eDp5\r\nX-Forwarded-Proto: https\r\n\r\n"},
		{"no compression", recording.Request{Method: "GET", Path: "/", Headers: map[string]string{"accept-encoding": "gzip"}}, "",
			"GET / HTTP/1.1\r\nHost: town.example\r\nAccept: application/json\r\nX-Forwarded-Proto: https\r\n\r\n"},
		{"own headers win, empty ones are sent", recording.Request{Method: "GET", Path: "/", Headers: map[string]string{"accept": "text/html", "X-WP-Nonce": ""}}, "",
			"GET / HTTP/1.1\r\nHost: town.example\r\nX-WP-Nonce: \r\naccept: text/html\r\nX-Forwarded-Proto: https\r\n\r\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := newRawServer(t, okAnswer)
			request, err := RequestBytes(c.request, "town.example", "https", c.auth)
			if err != nil {
				t.Fatal(err)
			}
			endpoint, err := ParseTarget("http://" + server.listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			w := &Conn{Endpoint: endpoint, Timeout: time.Minute}
			defer w.Close()
			answer, took, err := w.Send(context.Background(), request, c.request.Method)
			if err != nil || answer.Status != 200 || answer.Body != "{}" || took <= 0 {
				t.Fatalf("answer %+v, error %v", answer, err)
			}
			if got := server.seen(); len(got) != 1 || got[0] != c.want {
				t.Errorf("sent %q\nwant %q", got, c.want)
			}
		})
	}
	for _, bad := range []recording.Request{{Method: "GET", Path: "/a b"}, {Method: "GET", Path: "/a\r\nX: y"}, {Method: "G T", Path: "/"},
		{Method: "GET", Path: "/", Headers: map[string]string{"A": "b\r\nC: d"}}} {
		if _, err := RequestBytes(bad, "h", "https", ""); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

func TestHomeOverHTTPSendsNoForwardedProto(t *testing.T) {
	request, err := RequestBytes(recording.Request{Method: "GET", Path: "/"}, "h", "http", "")
	if err != nil || bytes.Contains(request, []byte("Forwarded")) {
		t.Errorf("%q, error %v", request, err)
	}
}

func TestWireAnswers(t *testing.T) {
	for _, c := range []struct {
		name, method, raw string
		want              string // of the body, or of the error
		fails             bool
	}{
		{"chunked", "GET", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde", false},
		{"until the end", "GET", "HTTP/1.0 200 OK\r\n\r\nabc", "abc", false},
		{"continue first", "GET", "HTTP/1.1 100 Continue\r\n\r\n" + okAnswer, "{}", false},
		{"HEAD has no body", "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n", "", false},
		{"broken off", "GET", "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nabc", "ends early, after 3 bytes", true},
		{"no HTTP", "GET", "hello\r\n\r\n", "cannot be read", true},
		{"nothing", "GET", "", "without an answer", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer listener.Close()
			go func() {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				// Closing with the request unread would reset the connection.
				http.ReadRequest(bufio.NewReader(conn))
				io.WriteString(conn, c.raw)
				conn.Close()
			}()
			endpoint, _ := ParseTarget("http://" + listener.Addr().String())
			w := &Conn{Endpoint: endpoint, Timeout: time.Minute}
			defer w.Close()
			answer, _, err := w.Send(context.Background(), []byte(c.method+" / HTTP/1.1\r\nHost: x\r\n\r\n"), c.method)
			if c.fails {
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("error %v, want %q", err, c.want)
				}
			} else if err != nil || answer.Body != c.want {
				t.Errorf("body %q, error %v", answer.Body, err)
			}
		})
	}
}

func TestWireReplacesAClosedConnection(t *testing.T) {
	server := newRawServer(t, okAnswer) // one answer for each connection
	endpoint, _ := ParseTarget("http://" + server.listener.Addr().String())
	w := &Conn{Endpoint: endpoint, Timeout: time.Minute}
	defer w.Close()
	for range 3 {
		answer, _, err := w.Send(context.Background(), []byte("GET / HTTP/1.1\r\n\r\n"), "GET")
		if err != nil || answer.Status != 200 {
			t.Fatalf("answer %+v, error %v", answer, err)
		}
	}
}

func TestParseTarget(t *testing.T) {
	for target, want := range map[string]string{
		"http://127.0.0.1:8080": "127.0.0.1:8080", "http://host/": "host:80", "https://host": "host:443", "http://[::1]:99": "[::1]:99",
	} {
		if e, err := ParseTarget(target); err != nil || e.Address != want || (e.TLS != nil) != strings.HasPrefix(target, "https") {
			t.Errorf("%s: %+v, %v", target, e, err)
		}
	}
	for _, bad := range []string{"", "host:80", "ftp://host", "http://", "http://h/path", "http://h/?q", "http://u:p@h", "http://h:x"} {
		if _, err := ParseTarget(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}
