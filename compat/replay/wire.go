package replay

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"calbridge/compat/recording"
)

// maxBody is the maximum size of an answer's body, in bytes.
const maxBody = 256 << 20

// Endpoint is the address of a target.
type Endpoint struct {
	URL     string // as the user gave it
	Address string // host:port
	TLS     *tls.Config
}

// ParseTarget parses the URL of a target: scheme, host and port. Nothing else is
// allowed, because the paths come from the recordings.
func ParseTarget(target string) (Endpoint, error) {
	u, err := url.Parse(target)
	if err != nil || u.Hostname() == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return Endpoint{}, fmt.Errorf("target %q is not a URL such as http://127.0.0.1:8080", target)
	}
	if strings.Trim(u.Path, "/") != "" || u.RawQuery != "" || u.User != nil {
		return Endpoint{}, fmt.Errorf("target %q: give scheme, host and port only, paths and logins come from the recordings", target)
	}
	e, port := Endpoint{URL: target}, "80"
	if u.Scheme == "https" {
		e.TLS, port = &tls.Config{ServerName: u.Hostname(), MinVersion: tls.VersionTLS12}, "443"
	}
	e.Address = net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), port))
	return e, nil
}

// ParseHost parses the host that requests name, if it differs from that of the address they are sent to:
// with a scheme before it ("https://town.example"), or without, which means that of the address.
func ParseHost(text, addressScheme string) (scheme, host string, err error) {
	scheme, host, found := strings.Cut(text, "://")
	if !found {
		scheme, host = addressScheme, text
	}
	if scheme != "http" && scheme != "https" || host == "" || strings.ContainsAny(host, "/ \r\n") {
		return "", "", fmt.Errorf("host %q is not a host name", text)
	}
	return scheme, host, nil
}

// UnreachableError is returned when no connection to the target could be made.
type UnreachableError struct {
	Target string
	Err    error
}

// Error returns one sentence for the user.
func (e *UnreachableError) Error() string {
	reason := e.Err
	var op *net.OpError
	if errors.As(e.Err, &op) {
		reason = op.Err
	}
	return fmt.Sprintf("%s cannot be reached (%v): start the server, or correct the URL", e.Target, reason)
}

// Unwrap returns the underlying network error.
func (e *UnreachableError) Unwrap() error { return e.Err }

// Conn is one connection to the target, reused for all its exchanges. It writes requests
// itself, because net/http would normalize paths, methods and bodies of GET, which must
// arrive as recorded. It is not safe for concurrent use.
type Conn struct {
	Endpoint Endpoint
	Timeout  time.Duration // of one exchange
	conn     net.Conn
	reader   *bufio.Reader
}

// Close ends the connection; the next Send makes a new one.
func (w *Conn) Close() {
	if w.conn != nil {
		w.conn.Close()
		w.conn = nil
	}
}

// Connect opens the connection. Its error is an *UnreachableError.
func (w *Conn) Connect(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, w.Timeout)
	defer cancel()
	dial := (&net.Dialer{}).DialContext
	if w.Endpoint.TLS != nil {
		dial = (&tls.Dialer{Config: w.Endpoint.TLS}).DialContext
	}
	conn, err := dial(ctx, "tcp", w.Endpoint.Address)
	if err != nil {
		return &UnreachableError{Target: w.Endpoint.URL, Err: err}
	}
	w.conn, w.reader = conn, bufio.NewReader(conn)
	return nil
}

// Send writes the request, reads the answer and measures the time from the first byte
// sent to the last byte read. A connection that the target closed while idle is replaced
// once.
func (w *Conn) Send(ctx context.Context, request []byte, method string) (recording.Response, time.Duration, error) {
	for {
		reused := w.conn != nil
		if !reused {
			if err := w.Connect(ctx); err != nil {
				return recording.Response{}, 0, err
			}
		}
		answer, took, err := w.roundTrip(ctx, request, method)
		if err == nil {
			return answer, took, nil
		}
		w.Close()
		if !reused || !errors.Is(err, errStale) || ctx.Err() != nil {
			return recording.Response{}, took, err
		}
	}
}

// errStale marks a connection that ended before the first byte of an answer.
var errStale = errors.New("connection closed without an answer")

func (w *Conn) roundTrip(ctx context.Context, request []byte, method string) (recording.Response, time.Duration, error) {
	start := time.Now()
	if err := w.conn.SetDeadline(start.Add(w.Timeout)); err != nil {
		return recording.Response{}, 0, fmt.Errorf("%w: %w", errStale, err)
	}
	conn := w.conn
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()

	_, writeErr := conn.Write(request)
	// A server may respond and close before it has read everything.
	if _, err := w.reader.Peek(1); err != nil {
		var timeout net.Error
		if errors.As(err, &timeout) && timeout.Timeout() {
			return recording.Response{}, time.Since(start), fmt.Errorf("no answer within %v", w.Timeout)
		}
		return recording.Response{}, time.Since(start), fmt.Errorf("%w: %w", errStale, errors.Join(writeErr, err))
	}
	answer, keep, err := w.readAnswer(method)
	took := time.Since(start)
	if err != nil {
		return recording.Response{}, took, err
	}
	if !keep || writeErr != nil {
		w.Close()
	}
	return answer, took, nil
}

func (w *Conn) readAnswer(method string) (answer recording.Response, keep bool, err error) {
	var response *http.Response
	for {
		response, err = http.ReadResponse(w.reader, &http.Request{Method: method})
		if err != nil {
			return recording.Response{}, false, fmt.Errorf("the answer cannot be read: %w", err)
		}
		if response.StatusCode >= 200 || response.StatusCode == http.StatusSwitchingProtocols {
			break
		}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody+1))
	if err != nil {
		return recording.Response{}, false, fmt.Errorf("the body of the answer (status %d) ends early, after %d bytes: %w", response.StatusCode, len(body), err)
	}
	if len(body) > maxBody {
		return recording.Response{}, false, fmt.Errorf("the body of the answer is longer than %d bytes", maxBody)
	}
	answer = recording.Response{Status: response.StatusCode, Headers: recording.HeadersOf(response.Header), Body: string(body)}
	return answer, !response.Close, nil
}

// RequestBytes returns a recorded request in wire format. host and scheme are those of
// the site's home; authorization is empty for anonymous requests. It accepts no compression,
// since recorded bodies are unpacked.
func RequestBytes(r recording.Request, host, scheme, authorization string) ([]byte, error) {
	if strings.ContainsAny(r.Method+r.Path, " \r\n") {
		return nil, errors.New("method and path of a request must not contain blanks or line ends")
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\n", r.Method, r.Path, host)
	for _, name := range slices.Sorted(maps.Keys(r.Headers)) {
		if strings.ContainsAny(name+r.Headers[name], "\r\n") {
			return nil, fmt.Errorf("header %q of a request must not contain line ends", name)
		}
		if !strings.EqualFold(name, "Content-Length") && !strings.EqualFold(name, "Accept-Encoding") {
			fmt.Fprintf(&b, "%s: %s\r\n", name, r.Headers[name])
		}
	}
	addHeader := func(name, value string) {
		if _, recorded := r.Header(name); value != "" && !recorded {
			fmt.Fprintf(&b, "%s: %s\r\n", name, value)
		}
	}
	addHeader("Accept", "application/json")
	addHeader("Authorization", authorization)
	if scheme == "https" {
		addHeader("X-Forwarded-Proto", scheme)
	}
	if r.Body != nil || slices.Contains([]string{http.MethodPost, http.MethodPut, http.MethodPatch}, r.Method) {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(r.BodyText()))
	}
	b.WriteString("\r\n" + r.BodyText())
	return b.Bytes(), nil
}
