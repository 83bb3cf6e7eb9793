package httpserver

import (
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of the HTTP servers. Answers may take as long as requests, plus the time
// that a slow client needs to read them.
const (
	// ReadHeaderTimeout is how long a client may take for the head of a request.
	ReadHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	// SlowClientTime is how long a client may take for the rest, beyond what the
	// server takes.
	SlowClientTime = 30 * time.Second
	maxHeaderBytes = 64 << 10
)

// New returns a server. A request may take the time longest until its answer
// begins; what net/http has to say is logged for debugging.
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

// Harden prepares a server for clients that nobody knows. It speaks TLS where the
// certificate has files. rejected is called for each connection that is closed
// because maxConnections are open.
func Harden(s *http.Server, c *Certificate, maxConnections int, rejected func()) {
	s.Handler = sendWhole(CloseAfterChunks(s.Handler))
	s.ConnContext = inContext
	s.TLSConfig = c.config()
	s.ConnState = newConnLimit(maxConnections, rejected).observe
}

// Serve answers what comes to a server that Harden has prepared, until the server is
// closed.
func Serve(s *http.Server, l net.Listener) error {
	if s.TLSConfig != nil {
		return s.ServeTLS(l, "", "")
	}
	return s.Serve(wholeAnswers{l})
}

// CloseAfterChunks closes the connection after a request with a chunked body. Where
// such a request also had a Content-Length, a proxy that goes by the latter would
// take the rest of the body for the next request (request smuggling); net/http
// drops that header without a trace.
func CloseAfterChunks(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 && r.ProtoMajor == 1 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}
