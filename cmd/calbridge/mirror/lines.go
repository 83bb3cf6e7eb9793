package mirror

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// message is a block of a stream of server-sent events with data, with an id, or with both.
type message struct {
	event   string // "" means "message"
	data    []byte
	id      string
	hasData bool
	hasID   bool // of its own: the standard lets later blocks keep the last id
}

// errTooLong is a line or a message above the reader's limit.
var errTooLong = errors.New("a message of the stream is too long")

// messageReader reads server-sent events:
// https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream.
type messageReader struct {
	in      *bufio.Reader
	limit   int // of a line, and of the data of a message, in bytes
	begun   bool
	afterCR bool // a line feed now belongs to the end of the last line
	line    []byte
}

func newMessageReader(in io.Reader, limit int) *messageReader {
	return &messageReader{in: bufio.NewReader(in), limit: limit}
}

// next returns the next message. It leaves out one that the stream's end cuts off.
func (r *messageReader) next() (message, error) {
	var m message
	for {
		line, err := r.readLine()
		if err != nil {
			return message{}, err
		}
		if len(line) == 0 {
			if m.hasData || m.hasID {
				m.data = bytes.TrimSuffix(m.data, []byte("\n"))
				return m, nil
			}
			m = message{} // without data, its name means nothing
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) { // comments have an empty name
		case "event":
			m.event = string(value)
		case "data":
			if len(m.data)+len(value) >= r.limit {
				return message{}, errTooLong
			}
			m.data, m.hasData = append(append(m.data, value...), '\n'), true
		case "id":
			if !strings.Contains(string(value), "\x00") {
				m.id, m.hasID = string(value), true
			}
		}
	}
}

// readLine returns a line without its end, which may be CR, LF, or both. After a CR it
// doesn't wait for what follows.
func (r *messageReader) readLine() ([]byte, error) {
	r.line = r.line[:0]
	for {
		b, err := r.in.ReadByte()
		if err != nil {
			return nil, err
		}
		follows := r.afterCR
		r.afterCR = b == '\r'
		switch {
		case b == '\n' && follows:
			continue
		case b == '\n' || b == '\r':
			if !r.begun {
				r.begun = true
				return bytes.TrimPrefix(r.line, []byte("\ufeff")), nil
			}
			return r.line, nil
		case len(r.line) >= r.limit:
			return nil, errTooLong
		}
		r.line = append(r.line, b)
	}
}
