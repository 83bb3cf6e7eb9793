package httpserver

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// These limits apply to all HTTP servers.
const (
	// ReadHeaderTimeout limits the time for reading the header of a request.
	ReadHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	// SlowClientTime is the time that the transfer of a body or a response may take.
	SlowClientTime = 30 * time.Second
	maxHeaderBytes = 64 << 10
)

// New returns a server. longest is the maximum time until a response begins. Messages of
// net/http are logged at level debug.
func New(h http.Handler, longest time.Duration, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: ReadHeaderTimeout,
		ReadTimeout:       longest + SlowClientTime,
		WriteTimeout:      longest + SlowClientTime,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
}

// Extend sets the deadlines of a request to what they would be if the server had been created
// with longest.
func Extend(w http.ResponseWriter, longest time.Duration) {
	deadline := time.Now().Add(longest + SlowClientTime)
	c := http.NewResponseController(w)
	_ = errors.Join(c.SetReadDeadline(deadline), c.SetWriteDeadline(deadline)) // on a closed connection a later call fails
}

// Harden prepares a server for untrusted clients. The server uses TLS if the certificate is
// loaded. rejected is called for each connection that is closed because maxConnections are
// open.
func Harden(s *http.Server, c *Certificate, maxConnections int, rejected func()) {
	s.Handler = markAnswers(CloseAfterChunks(s.Handler))
	s.ConnContext = withConn
	s.TLSConfig = c.config()
	s.ConnState = newConnLimit(maxConnections, rejected).observe
}

// Serve accepts connections for a server that Harden prepared, until the server is closed.
func Serve(s *http.Server, l net.Listener) error {
	if s.TLSConfig != nil {
		return s.ServeTLS(l, "", "")
	}
	return s.Serve(coalescingListener{l})
}

// CloseAfterChunks closes the connection after a request with a chunked body. If such a
// request also has a Content-Length, which net/http drops, a proxy may read the rest of the
// body as the next request (request smuggling, RFC 9112, section 11.2).
func CloseAfterChunks(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 && r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
