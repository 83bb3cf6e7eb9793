package wpdump

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxStatement bounds one statement, at what max_allowed_packet can be at most.
const maxStatement = 1 << 30

// splitter cuts a dump into statements. It knows texts, quoted names, comments
// and the DELIMITER lines of the mysql client.
type splitter struct {
	in        *bufio.Reader
	buffer    []byte
	delimiter string
	line      int // of the statement's start, for messages
	read      int // line breaks seen
}

func newSplitter(r io.Reader) *splitter {
	return &splitter{in: bufio.NewReaderSize(r, 1<<16), delimiter: ";"}
}

// next returns the next statement without its delimiter, and io.EOF after the
// last. The bytes are valid until the following call. Comments that servers
// execute (/*!40101 … */) are part of the statement; others are left out between
// statements and kept inside.
func (s *splitter) next() ([]byte, error) {
	s.buffer = s.buffer[:0]
	for {
		c, err := s.in.ReadByte()
		if err == io.EOF {
			if len(bytes.TrimSpace(s.buffer)) == 0 {
				return nil, io.EOF
			}
			return bytes.TrimSpace(s.buffer), nil
		}
		if err != nil {
			return nil, fmt.Errorf("read dump: %w", err)
		}
		if c == '\n' {
			s.read++
		}
		if len(s.buffer) == 0 {
			if c == ' ' || c >= '\t' && c <= '\r' {
				continue
			}
			s.line = s.read + 1
			if c|0x20 == 'd' && s.delimiterLine() {
				continue
			}
		}
		if len(s.buffer) >= maxStatement {
			return nil, fmt.Errorf("dump line %d: the statement is longer than any server takes", s.line)
		}
		s.buffer = append(s.buffer, c)
		switch {
		case c == '\'' || c == '"' || c == '`':
			err = s.quoted(c)
		case c == '#':
			err = s.lineComment(1)
		case c == '-' && s.ahead("- ", "-\n", "-\r", "-\t"):
			err = s.lineComment(1)
		case c == '/' && s.ahead("*"):
			err = s.blockComment()
		case c == s.delimiter[len(s.delimiter)-1] && bytes.HasSuffix(s.buffer, []byte(s.delimiter)):
			statement := bytes.TrimSpace(s.buffer[:len(s.buffer)-len(s.delimiter)])
			if len(statement) > 0 {
				return statement, nil
			}
			s.buffer = s.buffer[:0]
		}
		if err != nil {
			return nil, err
		}
	}
}

// ahead looks whether one of the texts follows.
func (s *splitter) ahead(texts ...string) bool {
	for _, text := range texts {
		if next, _ := s.in.Peek(len(text)); string(next) == text {
			return true
		}
	}
	return false
}

// delimiterLine obeys "DELIMITER ;;", of which the d has been read.
func (s *splitter) delimiterLine() bool {
	next, _ := s.in.Peek(len("elimiter "))
	if !strings.EqualFold(string(next), "elimiter ") {
		return false
	}
	line, _ := s.in.ReadString('\n')
	s.read++
	if fields := strings.Fields(line); len(fields) > 1 {
		s.delimiter = fields[1]
	}
	return true
}

var errUnended = errors.New("the dump ends in the middle of a statement: is the file complete")

// quoted takes the rest of a text or name, quotes doubled or escaped included.
func (s *splitter) quoted(quote byte) error {
	for {
		chunk, err := s.in.ReadSlice(quote)
		s.read += bytes.Count(chunk, []byte{'\n'})
		s.buffer = append(s.buffer, chunk...)
		if err == bufio.ErrBufferFull && len(s.buffer) < maxStatement {
			continue
		}
		if err != nil {
			return fmt.Errorf("dump line %d: %w", s.line, errUnended)
		}
		if quote == '`' || !escaped(s.buffer) {
			return nil // a doubled quote opens the next piece
		}
	}
}

// escaped says whether an odd number of backslashes stands before the last byte.
// Those before the opening quote do not matter: SQL has none there.
func escaped(b []byte) bool {
	n := 0
	for i := len(b) - 2; i >= 0 && b[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// lineComment passes a comment of which drop bytes are in the buffer already.
func (s *splitter) lineComment(drop int) error {
	s.buffer = s.buffer[:len(s.buffer)-drop]
	for {
		chunk, err := s.in.ReadSlice('\n')
		s.read += bytes.Count(chunk, []byte{'\n'})
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("read dump: %w", err)
		}
		if len(s.buffer) > 0 {
			s.buffer = append(s.buffer, '\n')
		}
		return nil
	}
}

// blockComment takes a comment whose slash is in the buffer. Comments for the
// server stay, others go.
func (s *splitter) blockComment() error {
	start := len(s.buffer) - 1
	for {
		chunk, err := s.in.ReadSlice('/')
		s.read += bytes.Count(chunk, []byte{'\n'})
		s.buffer = append(s.buffer, chunk...)
		if err == bufio.ErrBufferFull && len(s.buffer) < maxStatement {
			continue
		}
		if err != nil {
			return fmt.Errorf("dump line %d: %w", s.line, errUnended)
		}
		comment := s.buffer[start:]
		if len(comment) < 4 || !bytes.HasSuffix(comment, []byte("*/")) {
			continue
		}
		if comment[2] != '!' && comment[2] != 'M' && comment[2] != '+' {
			s.buffer = s.buffer[:start]
		}
		return nil
	}
}
