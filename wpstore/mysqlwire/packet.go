package mysqlwire

import (
	"bufio"
	"errors"
	"io"
	"slices"
)

const (
	// maxPiece is the longest piece of a packet, in bytes. A piece of that length is
	// followed by another.
	maxPiece = 1<<24 - 1
	// headerSize is the size of a header: three bytes of length and one of the piece's
	// number.
	headerSize = 4
	// usualSize, in bytes, is larger than most packets.
	usualSize = 1 << 20
)

var (
	// ErrMalformed is returned for a packet that is too short or not allowed at its point
	// in the protocol.
	ErrMalformed = errors.New("malformed packet")
	// ErrSequence is returned if bytes were lost or the peer uses another protocol.
	ErrSequence = errors.New("packets out of order")
)

// Reader reads packets. Packets that fit into its buffer are not copied.
type Reader struct {
	in *bufio.Reader
	// sequence is the number that the next piece must have.
	sequence byte
	// long is the latest packet that did not fit into the buffer of in.
	long []byte
	// described is set if the latest packets described the columns of a result.
	described bool
}

// NewReader returns a reader with a buffer of size bytes.
func NewReader(from io.Reader, size int) *Reader {
	return &Reader{in: bufio.NewReaderSize(from, size)}
}

// Read returns the next packet, valid until the next read, and its length. Of a packet
// longer than limit only the first limit bytes are returned. The error is io.EOF if the
// stream ends before the packet begins.
func (r *Reader) Read(limit int) (data []byte, length int64, err error) {
	n, err := r.header()
	if err != nil {
		return nil, 0, err
	}
	if n <= min(limit, r.in.Size()) {
		if data, err = r.in.Peek(n); err != nil {
			return nil, 0, unexpectedEnd(err)
		}
		_, _ = r.in.Discard(n) // the bytes stay in the buffer until the next read
		return data, int64(n), nil
	}
	r.long = r.long[:0]
	for {
		length += int64(n)
		wanted := min(n, limit-len(r.long))
		if err := r.append(wanted); err != nil {
			return nil, 0, unexpectedEnd(err)
		}
		if _, err := r.in.Discard(n - wanted); err != nil {
			return nil, 0, unexpectedEnd(err)
		}
		if n < maxPiece {
			return r.long, length, nil
		}
		if n, err = r.header(); err != nil {
			return nil, 0, unexpectedEnd(err)
		}
	}
}

// header reads the header of a piece and returns the piece's length.
func (r *Reader) header() (int, error) {
	header, err := r.in.Peek(headerSize)
	if err != nil {
		if len(header) > 0 {
			err = unexpectedEnd(err)
		}
		return 0, err
	}
	n := int(header[0]) | int(header[1])<<8 | int(header[2])<<16
	sequence := header[3]
	_, _ = r.in.Discard(headerSize) // was peeked at
	if sequence != r.sequence {
		return 0, ErrSequence
	}
	r.sequence++
	return n, nil
}

// append adds n bytes to the long packet. It allocates in steps, so that a wrong length
// does not cost memory.
func (r *Reader) append(n int) error {
	for n > 0 {
		part, have := n, len(r.long)
		if have < usualSize {
			part = min(n, usualSize)
		}
		r.long = slices.Grow(r.long, part)[:have+part]
		if _, err := io.ReadFull(r.in, r.long[have:]); err != nil {
			return err
		}
		n -= part
	}
	return nil
}

// Follow waits for the next packet, accepts its number, and returns it. It is used to read
// commands, each of which begins with 0.
func (r *Reader) Follow() (sequence byte, err error) {
	header, err := r.in.Peek(headerSize)
	if err != nil {
		return 0, err
	}
	r.sequence = header[3]
	return r.sequence, nil
}

// Buffered returns the number of bytes that have arrived and were not read yet.
func (r *Reader) Buffered() int { return r.in.Buffered() }

// Shrink frees the memory of a large packet. The latest packet is not valid any more.
func (r *Reader) Shrink() {
	if cap(r.long) > usualSize {
		r.long = nil
	}
}

// unexpectedEnd returns the error of a read that ends before the packet is complete.
func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// AppendPacket appends a packet, whose first piece has the given number.
func AppendPacket(out []byte, sequence byte, payload []byte) []byte {
	for {
		n := min(len(payload), maxPiece)
		out = append(appendHeader(out, n, sequence), payload[:n]...)
		if n < maxPiece {
			return out
		}
		payload = payload[n:]
		sequence++
	}
}

// MaxQuery is the longest text that [AppendQuery] accepts, in bytes.
const MaxQuery = maxPiece - 2

// AppendQuery appends the command to run a statement.
func AppendQuery(out []byte, text string) []byte {
	return append(append(appendHeader(out, len(text)+1, 0), ComQuery), text...)
}

func appendHeader(out []byte, n int, sequence byte) []byte {
	return append(out, byte(n), byte(n>>8), byte(n>>16), sequence)
}
