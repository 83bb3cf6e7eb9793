package mirror

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// message is a block of a stream of server-sent events that has data, an id, or both.
type message struct {
	event   string // "" means "message"
	data    []byte
	id      string
	hasData bool
	hasID   bool // whether the block itself has an id; by the standard, later blocks keep the last id
}

// errTooLong is returned for a line or a message above the reader's limit.
var errTooLong = errors.New("a message of the stream is too long")

// messageReader parses server-sent events:
// https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream.
type messageReader struct {
	in      *bufio.Reader
	limit   int // in bytes, for a line and for the data of a message
	begun   bool
	afterCR bool // a line feed that follows belongs to the end of the last line
	line    []byte
}

func newMessageReader(in io.Reader, limit int) *messageReader {
	return &messageReader{in: bufio.NewReader(in), limit: limit}
}

// next returns the next message. It drops a message that the end of the stream cuts off.
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
			m = message{} // the name of a block without data means nothing
			continue
		}
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(name) { // the name of a comment is empty
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

// readLine returns a line without its end, which may be CR, LF, or both. After a CR it doesn't
// wait for the next byte.
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
