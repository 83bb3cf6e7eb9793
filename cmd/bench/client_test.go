package main

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// answering serves one connection and sends the given responses verbatim, one for each
// request.
func answering(t *testing.T, answers ...string) (addr string, requests chan string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	requests = make(chan string, len(answers))
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		for _, answer := range answers {
			r, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			body, _ := io.ReadAll(r.Body)
			requests <- r.Method + " " + r.RequestURI + " " + r.Header.Get("Authorization") + " " + r.Header.Get("Content-Type") + " " + string(body)
			_, _ = io.WriteString(conn, answer)
		}
	}()
	return listener.Addr().String(), requests
}

// TestClient checks that the client sends two valid requests on one connection; net/http
// parses them.
func TestClient(t *testing.T) {
	addr, requests := answering(t, "HTTP/1.1 201 Created\r\nServer: x\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
	c := &client{addr: addr}
	defer c.close()
	status, body, err := c.do(t.Context(), request{method: "POST", path: "/x?a=1", authorization: "Basic eDp5", body: `{"a":1}`})
	if got := <-requests; err != nil || status != 201 || string(body) != "{}" || got != `POST /x?a=1 Basic eDp5 application/json {"a":1}` {
		t.Errorf("%d %s %v: %s", status, body, err, got)
	}
	status, body, err = c.do(t.Context(), request{method: "GET", path: "/y"})
	if got := <-requests; err != nil || status != 404 || len(body) != 0 || got != "GET /y   " {
		t.Errorf("%d %s %v: %q", status, body, err, got)
	}
	if _, _, err := c.do(t.Context(), request{method: "GET", path: "/z"}); err == nil {
		t.Error("a closed connection answers")
	}
}

func TestClientRefuses(t *testing.T) {
	for answer, want := range map[string]string{
		"SSH-2.0-x\r\n": "not HTTP", "HTTP/1.1 two OK\r\n": "invalid syntax", "HTTP/1.1 200 OK\r\n\r\n": "without Content-Length", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n": "invalid syntax",
		"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n{}": "unexpected EOF", "HTTP/1.1 200 OK\r\n": "EOF", "": "EOF", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n": "invalid byte", "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\nbusy": "/x answered 503: busy",
	} {
		addr, _ := answering(t, answer)
		if _, err := get(t.Context(), addr, "/x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", answer, err)
		}
	}
	if _, err := get(t.Context(), "127.0.0.1:1", "/x"); err == nil {
		t.Error("nothing listens, and answers")
	}
}
