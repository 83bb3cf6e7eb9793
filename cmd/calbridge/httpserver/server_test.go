package httpserver

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestSmuggling sends requests whose ends are ambiguous. It checks that each is refused, or
// that the connection is closed after it, so that a body never becomes a request.
func TestSmuggling(t *testing.T) {
	var mu sync.Mutex
	var targets []string
	server := New(CloseAfterChunks(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		_, _ = io.Copy(io.Discard, req.Body)
		mu.Lock()
		targets = append(targets, req.RequestURI)
		mu.Unlock()
		w.WriteHeader(http.StatusOK)
	})), time.Second, slog.New(slog.DiscardHandler))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = server.Serve(l) }()
	defer server.Close()

	const smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	const head = "POST /outer HTTP/1.1\r\nHost: x\r\n"
	chunked := "0\r\n\r\n" + smuggled
	for name, request := range map[string]string{
		"both lengths":                   head + "Content-Length: 41\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked,
		"both lengths, other order":      head + "Transfer-Encoding: chunked\r\nContent-Length: 41\r\n\r\n" + chunked,
		"two lengths":                    head + "Content-Length: 36\r\nContent-Length: 0\r\n\r\n" + smuggled,
		"list of lengths":                head + "Content-Length: 0, 36\r\n\r\n" + smuggled,
		"signed length":                  head + "Content-Length: +0\r\n\r\n" + smuggled,
		"hexadecimal length":             head + "Content-Length: 0x24\r\n\r\n" + smuggled,
		"negative length":                head + "Content-Length: -1\r\n\r\n" + smuggled,
		"huge length":                    head + "Content-Length: 18446744073709551616\r\n\r\n" + smuggled,
		"length with a space in it":      head + "Content-Length: 3 6\r\n\r\n" + smuggled,
		"space before the colon":         head + "Transfer-Encoding : chunked\r\n\r\n" + chunked,
		"space before the length":        head + "Content-Length : 36\r\n\r\n" + smuggled,
		"other coding":                   head + "Transfer-Encoding: identity\r\nContent-Length: 36\r\n\r\n" + smuggled,
		"two codings":                    head + "Transfer-Encoding: chunked, identity\r\n\r\n" + chunked,
		"coding twice":                   head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n" + chunked,
		"coding misspelt":                head + "Transfer-Encoding: xchunked\r\n\r\n" + chunked,
		"coding with vertical tab":       head + "Transfer-Encoding: \x0bchunked\r\n\r\n" + chunked,
		"coding on a folded line":        head + "Transfer-Encoding:\r\n chunked\r\n\r\n" + chunked,
		"coding in quotes":               head + "Transfer-Encoding: \"chunked\"\r\n\r\n" + chunked,
		"header hidden behind a CR":      head + "X: y\rTransfer-Encoding: chunked\r\n\r\n" + chunked,
		"header with a NUL":              head + "X: y\x00z\r\nContent-Length: 0\r\n\r\n" + smuggled,
		"header without a name":          head + ": y\r\nContent-Length: 0\r\n\r\n" + smuggled,
		"header without a colon":         head + "nothing\r\nContent-Length: 0\r\n\r\n" + smuggled,
		"chunk size with a sign":         head + "Transfer-Encoding: chunked\r\n\r\n-1\r\n" + smuggled,
		"chunk size too large":           head + "Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff1\r\n" + smuggled,
		"chunk size with 0x":             head + "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n" + smuggled,
		"chunk without its end":          head + "Transfer-Encoding: chunked\r\n\r\n1\r\nab0\r\n\r\n" + smuggled,
		"chunk extension with a newline": head + "Transfer-Encoding: chunked\r\n\r\n0;x\n\r\n" + smuggled,
		"trailer that is a length":       head + "Transfer-Encoding: chunked\r\nTrailer: Content-Length\r\n\r\n0\r\nContent-Length: 36\r\n\r\n" + smuggled,
		"no host":                        "POST /outer HTTP/1.1\r\nContent-Length: 0\r\n\r\n" + smuggled,
		"two hosts":                      head + "Host: y\r\nContent-Length: 0\r\n\r\n" + smuggled,
		"HTTP/1.0 with a coding":         "POST /outer HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" + chunked,
		"HTTP/0.9":                       "GET /outer\r\n" + smuggled,
		"unknown version":                "GET /outer HTTP/1.7\r\nHost: x\r\n\r\n",
		"version in lower case":          "GET /outer http/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n" + smuggled,
		"method with a space before":     " GET /outer HTTP/1.1\r\nHost: x\r\n\r\n" + smuggled,
		"target with a space":            "GET /outer x HTTP/1.1\r\nHost: x\r\n\r\n" + smuggled,
		"headers too large":              head + "X: " + strings.Repeat("y", 2*maxHeaderBytes) + "\r\n\r\n" + smuggled,
		"line too long":                  "GET /" + strings.Repeat("y", 2*maxHeaderBytes) + " HTTP/1.1\r\nHost: x\r\n\r\n" + smuggled,
		"many headers":                   head + strings.Repeat("X: y\r\n", maxHeaderBytes/3) + "\r\n" + smuggled,
	} {
		targets = nil
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
		_, _ = io.WriteString(conn, request)
		answer, _ := io.ReadAll(conn) // the server may reset the connection after refusing
		conn.Close()
		mu.Lock()
		for _, target := range targets {
			if target == "/smuggled" {
				t.Errorf("%s: the smuggled request is answered:\n%s", name, answer)
			}
		}
		mu.Unlock()
		if n := strings.Count(string(answer), "HTTP/1."); n > 1 {
			t.Errorf("%s: %d answers:\n%s", name, n, answer)
		}
	}
}
