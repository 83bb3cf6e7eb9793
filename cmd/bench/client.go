package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"strings"
	"time"
)

// answerTimeout limits the time of one request.
const answerTimeout = time.Minute

// client is one persistent HTTP connection. It is simpler than net/http's client and so takes
// less CPU time, because it runs on the same machine as the server. It is not safe for
// concurrent use.
type client struct {
	addr string
	host string // of the header; "" is localhost
	conn net.Conn
	in   *bufio.Reader
	out  []byte
	body []byte
}

// request is one request, ready to send.
type request struct {
	method, path  string
	authorization string
	body          string // JSON
}

// do sends a request and returns the status and the body. The body is valid until the next
// call. The call after an error opens a new connection.
func (c *client) do(ctx context.Context, r request) (status int, body []byte, err error) {
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if c.conn == nil {
		var d net.Dialer
		if c.conn, err = d.DialContext(ctx, "tcp", c.addr); err != nil {
			return 0, nil, err
		}
		c.in = bufio.NewReaderSize(c.conn, 64<<10)
	}
	if err := c.conn.SetDeadline(time.Now().Add(answerTimeout)); err != nil {
		return 0, nil, err
	}
	c.out = append(append(append(append(c.out[:0], r.method...), ' '), r.path...), " HTTP/1.1\r\nHost: "...)
	c.out = append(append(c.out, cmp.Or(c.host, "localhost")...), "\r\n"...)
	if r.authorization != "" {
		c.out = append(append(append(c.out, "Authorization: "...), r.authorization...), "\r\n"...)
	}
	if r.body != "" {
		c.out = strconv.AppendInt(append(c.out, "Content-Type: application/json\r\nContent-Length: "...), int64(len(r.body)), 10)
		c.out = append(c.out, "\r\n"...)
	}
	c.out = append(append(c.out, "\r\n"...), r.body...)
	if _, err := c.conn.Write(c.out); err != nil {
		return 0, nil, err
	}
	return c.read()
}

// read reads a response, whose body has a Content-Length or comes in chunks.
func (c *client) read() (status int, body []byte, err error) {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < len("HTTP/1.1 200") || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, nil, fmt.Errorf("not HTTP: %.50q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, err
	}
	length, chunked, last := -1, false, false
	for {
		if line, err = c.in.ReadSlice('\n'); err != nil {
			return 0, nil, err
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, nil, err
			}
		}
		chunked = chunked || string(line) == "Transfer-Encoding: chunked"
		last = last || strings.EqualFold(string(line), "Connection: close")
	}
	if last {
		defer c.close()
	}
	if chunked {
		err = c.readChunks()
		return status, c.body, err
	}
	if length < 0 {
		return 0, nil, errors.New("a response without Content-Length")
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	_, err = io.ReadFull(c.in, c.body)
	return status, c.body, err
}

// readChunks reads a body in chunks.
func (c *client) readChunks() error {
	body := bytes.NewBuffer(c.body[:0])
	if _, err := body.ReadFrom(httputil.NewChunkedReader(c.in)); err != nil {
		return err
	}
	c.body = body.Bytes()
	for { // trailers
		if line, err := c.in.ReadSlice('\n'); err != nil || len(bytes.TrimRight(line, "\r\n")) == 0 {
			return err
		}
	}
}

// close closes the connection. The next request opens a new one.
func (c *client) close() {
	if c.conn != nil {
		c.conn.Close()
		c.conn = nil
	}
}

// get sends one GET on its own connection. It returns an error for any status other than 200.
func get(ctx context.Context, addr, path string) ([]byte, error) {
	c := &client{addr: addr}
	defer c.close()
	status, body, err := c.do(ctx, request{method: "GET", path: path})
	if err == nil && status != 200 {
		err = fmt.Errorf("%s answered %d: %.200s", path, status, body)
	}
	return body, err
}
