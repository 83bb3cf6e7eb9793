package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"
)

// timedBody is the body of a request that must arrive by the request's deadline: one that arrives
// slowly would hold the budget of bodies for longer. The connection has the deadline only while the
// body is being read. Later, net/http waits on the connection for the next request, and takes a
// missed deadline for a client that has gone.
type timedBody struct {
	io.ReadCloser
	conn *http.ResponseController
	ends time.Time // zero once the connection has the deadline
}

// withTimedBody returns the request with a body that must arrive by the deadline of ctx.
func withTimedBody(ctx context.Context, w http.ResponseWriter, r *http.Request) *http.Request {
	ends, ok := ctx.Deadline()
	if !ok || r.Body == nil || r.Body == http.NoBody {
		return r
	}
	timed := *r
	timed.Body = &timedBody{ReadCloser: r.Body, conn: http.NewResponseController(w), ends: ends}
	return &timed
}

// Read implements io.Reader.
func (b *timedBody) Read(p []byte) (int, error) {
	if !b.ends.IsZero() {
		_ = b.conn.SetReadDeadline(b.ends) // a closed connection fails in Read
		b.ends = time.Time{}
	}
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		_ = b.conn.SetReadDeadline(time.Time{})
	}
	return n, err
}
