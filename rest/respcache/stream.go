package respcache

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"calbridge/rest/api"
)

// streamBuffer is the amount of a streamed body that is sent at a time, in bytes, unless it is
// flushed.
const streamBuffer = 64 << 10

// Stream sends a response whose body is streamed, compressed if the client accepts that. It returns
// the number of bytes sent, and the error that ended the body early. Each piece of the body may
// take the time patience.
func (s *Sender) Stream(w http.ResponseWriter, r *http.Request, res *api.Response, head bool, patience time.Duration) (sent int, broken error) {
	h := w.Header()
	encoding := Negotiate(r.Header.Get("Accept-Encoding"))
	h["Vary"] = []string{sharedVary}
	if h["Cache-Control"] == nil {
		h["Cache-Control"] = []string{s.control}
	}
	if encoding != Identity {
		h["Content-Encoding"] = []string{encoding.Name()}
	}
	w.WriteHeader(res.Status)
	if head {
		return 0, nil
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	out, err := newStream(w, encoding, patience)
	if err != nil {
		return 0, err
	}
	if err = res.Stream(ctx, out); err == nil {
		err = out.close()
	}
	return out.client.sent, err
}

// Endless sends a response whose body has no end of its own. Each piece of it may take the time
// patience; there is no other limit.
func (s *Sender) Endless(w http.ResponseWriter, r *http.Request, res *api.Response, head bool, patience time.Duration) (sent int, broken error) {
	w.Header()["X-Accel-Buffering"] = []string{"no"} // for nginx
	w.WriteHeader(res.Status)
	if head {
		return 0, nil
	}
	c := &client{w: w, control: http.NewResponseController(w), patience: patience}
	_ = c.control.SetReadDeadline(time.Time{}) // else it ends the request; unsupported in tests only
	broken = res.Stream(r.Context(), c)
	c.wait() // the end of the body may come long after the last message
	return c.sent, broken
}

// compressor compresses a stream.
type compressor interface {
	io.WriteCloser
	Flush() error
}

// stream is a body that passes through a buffer and a compressor, which may be nil.
type stream struct {
	compress compressor
	buffer   *bufio.Writer
	client   *client
}

func newStream(w http.ResponseWriter, e Encoding, patience time.Duration) (*stream, error) {
	c := &client{w: w, control: http.NewResponseController(w), patience: patience}
	s := &stream{buffer: bufio.NewWriterSize(c, streamBuffer), client: c}
	var err error
	switch e {
	case Gzip:
		s.compress, err = gzip.NewWriterLevel(s.buffer, gzip.BestSpeed)
	case Zstd:
		s.compress, err = zstd.NewWriter(s.buffer, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<20))
	}
	return s, err
}

// Write implements api.Flusher.
func (s *stream) Write(p []byte) (int, error) {
	if s.compress != nil {
		return s.compress.Write(p)
	}
	return s.buffer.Write(p)
}

// Flush implements api.Flusher.
func (s *stream) Flush() error {
	if s.compress != nil {
		if err := s.compress.Flush(); err != nil {
			return err
		}
	}
	if err := s.buffer.Flush(); err != nil {
		return err
	}
	return s.client.control.Flush()
}

func (s *stream) close() error {
	if s.compress != nil {
		if err := s.compress.Close(); err != nil {
			return err
		}
	}
	return s.buffer.Flush()
}

// client is the destination of the body. The time for a response is that of a buffered one; a
// streamed one may take longer, as long as the client reads on.
type client struct {
	w        http.ResponseWriter
	control  *http.ResponseController
	patience time.Duration
	sent     int
}

// Flush implements api.Flusher.
func (c *client) Flush() error { return c.control.Flush() }

// wait gives the client its time for the next piece.
func (c *client) wait() {
	_ = c.control.SetWriteDeadline(time.Now().Add(c.patience)) // unsupported in tests only
}

func (c *client) Write(p []byte) (int, error) {
	c.wait()
	n, err := c.w.Write(p)
	c.sent += n
	return n, err
}
