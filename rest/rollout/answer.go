package rollout

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Answer is the response of one side.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
	Took   time.Duration
}

var (
	errTooLarge = errors.New("the answer is too large to be compared")
	errEncoded  = errors.New("the answer's content coding is not supported")
)

// plain returns the response without its content coding.
func (a *Answer) plain(limit int64) (*Answer, error) {
	switch encoding := a.Header.Get("Content-Encoding"); encoding {
	case "", "identity":
		return a, nil
	case "gzip":
	default:
		return nil, fmt.Errorf("%w: %q", errEncoded, encoding)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(a.Body))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errEncoded, err)
	}
	body, err := io.ReadAll(io.LimitReader(unpacked, limit+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errEncoded, err)
	}
	if int64(len(body)) > limit {
		return nil, errTooLarge
	}
	out := &Answer{Status: a.Status, Header: a.Header.Clone(), Body: body, Took: a.Took}
	out.Header.Del("Content-Encoding")
	out.Header.Del("Content-Length")
	return out, nil
}

// capture writes a response to a client, if there is one, and copies up to limit bytes.
type capture struct {
	to     http.ResponseWriter // nil: no client
	limit  int64               // 0: no copy
	header http.Header
	status int
	sent   int64
	body   []byte
}

// Header implements http.ResponseWriter.
func (c *capture) Header() http.Header {
	if c.to != nil {
		return c.to.Header()
	}
	if c.header == nil {
		c.header = http.Header{}
	}
	return c.header
}

// WriteHeader implements http.ResponseWriter.
func (c *capture) WriteHeader(status int) {
	if status >= http.StatusOK && c.status == 0 {
		c.status = status
		if c.to != nil && c.limit > 0 {
			c.header = c.to.Header().Clone()
		}
	}
	if c.to != nil {
		c.to.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (c *capture) Write(p []byte) (int, error) {
	if c.status == 0 {
		c.WriteHeader(http.StatusOK)
	}
	n, err := len(p), error(nil)
	if c.to != nil {
		n, err = c.to.Write(p)
	}
	c.sent += int64(n)
	if c.sent <= c.limit {
		c.body = append(c.body, p[:n]...)
	} else {
		c.body = nil
	}
	return n, err
}

// Unwrap returns for http.ResponseController.
func (c *capture) Unwrap() http.ResponseWriter { return c.to }

// answer returns the copy, nil if the response is larger than limit.
func (c *capture) answer(took time.Duration) *Answer {
	if c.status == 0 || c.sent > c.limit {
		return nil
	}
	return &Answer{Status: c.status, Header: c.header, Body: c.body, Took: took}
}
