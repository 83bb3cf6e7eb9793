package httpserver

import (
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// TestCoalesce checks that responses of all sizes and kinds arrive unchanged, one after the
// other on one connection.
func TestCoalesce(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	// A body that looks like a response must not be parsed as one.
	body := func(n int) string { return strings.Repeat("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", n/30+1)[:n] }
	server := &http.Server{ConnContext: withConn, Handler: markAnswers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		if r.URL.Path == "/known" {
			w.Header().Set("Content-Length", strconv.Itoa(n))
		}
		if r.URL.Query().Has("copied") { // by ReadFrom, as for files and proxied bodies
			if _, err := io.Copy(w, io.LimitReader(strings.NewReader(body(n)), int64(n))); err != nil {
				t.Error(err)
			}
			return
		}
		for rest, piece := body(n), 0; rest != ""; rest = rest[piece:] {
			piece = len(rest)
			if r.URL.Query().Has("pieces") {
				piece = min(piece, 3000)
			}
			if _, err := io.WriteString(w, rest[:piece]); err != nil {
				t.Error(err)
				return
			}
		}
	}))}
	go server.Serve(coalescingListener{l})
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
	for _, path := range []string{"/known?n=", "/known?pieces=1&n=", "/known?copied=1&n=", "/chunked?n=", "/chunked?pieces=1&n="} {
		for _, n := range []int{0, 1, 2000, 3900, 3950, 4000, 4096, 5000, 8192, 100_000} {
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
				request, err := http.NewRequest(method, "http://"+l.Addr().String()+path+strconv.Itoa(n), strings.NewReader("x"))
				if err != nil {
					t.Fatal(err)
				}
				request.Header.Set("Expect", "100-continue")
				res, err := client.Do(request)
				if err != nil {
					t.Fatalf("%s %s%d: %v", method, path, n, err)
				}
				got, err := io.ReadAll(res.Body)
				res.Body.Close()
				want := body(n)
				if method == http.MethodHead {
					want = ""
				}
				if err != nil || string(got) != want {
					t.Fatalf("%s %s%d: %d bytes instead of %d, %v", method, path, n, len(got), len(want), err)
				}
			}
		}
	}
}

// TestPartial checks that a response is held back only if more is certain to follow.
func TestPartial(t *testing.T) {
	const head = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
	for written, want := range map[string]bool{
		head + "123":                        true,
		head + "1234567890":                 false,
		head:                                false,
		"HTTP/1.1 304 Not Modified\r\n\r\n": false,
		"HTTP/1.1 100 Continue\r\n\r\n":     false,
		"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n":                           false,
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n12345\r\n": false,
		"HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\nabc":                     false,
	} {
		if got := partial([]byte(written)); got != want {
			t.Errorf("%q: %t", written, got)
		}
	}
}
