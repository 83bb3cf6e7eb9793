package httpserver

import (
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of the HTTP servers.
const (
	// ReadHeaderTimeout is the time for the head of a request.
	ReadHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	// SlowClientTime is the time for the transfer of a body or an answer.
	SlowClientTime = 30 * time.Second
	maxHeaderBytes = 64 << 10
)

// New returns a server. longest is the time until an answer begins. Messages of net/http
// are logged at level debug.
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

// Extend replaces the deadlines of a request as if its server had been made with another longest.
func Extend(w http.ResponseWriter, longest time.Duration) {
	deadline := time.Now().Add(longest + SlowClientTime)
	c := http.NewResponseController(w)
	_ = errors.Join(c.SetReadDeadline(deadline), c.SetWriteDeadline(deadline)) // a closed connection fails later
}

// Harden prepares a server for untrusted clients. It uses TLS if the certificate is loaded.
// rejected is called for each connection that is closed because maxConnections are open.
func Harden(s *http.Server, c *Certificate, maxConnections int, rejected func()) {
	s.Handler = markAnswers(CloseAfterChunks(s.Handler))
	s.ConnContext = withConn
	s.TLSConfig = c.config()
	s.ConnState = newConnLimit(maxConnections, rejected).observe
}

// Serve accepts connections for a server prepared by Harden, until it is closed.
func Serve(s *http.Server, l net.Listener) error {
	if s.TLSConfig != nil {
		return s.ServeTLS(l, "", "")
	}
	return s.Serve(coalescingListener{l})
}

// CloseAfterChunks closes the connection after a request with a chunked body. If such a
// request also has a Content-Length, which net/http drops, a proxy may take the rest of the
// body for the next request (request smuggling, RFC 9112, section 11.2).
func CloseAfterChunks(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 && r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
