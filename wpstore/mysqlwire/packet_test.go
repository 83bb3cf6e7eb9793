package mysqlwire

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
)

// FuzzPackets reads packets and what they may be: rows, errors.
func FuzzPackets(f *testing.F) {
	f.Add([]byte{3, 0, 0, 0, 1, 'a', 0}, 10)
	f.Add(append([]byte{70, 0, 0, 0, 10}, "8.4.3\x00\x01\x00\x00\x00abcdefgh\x00\xff\xff\x2d\x02\x00\xff\xff\x15\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00ijklmnopqrst\x00caching_sha2_password\x00"...), 100)
	f.Add([]byte{9, 0, 0, 0, 0xff, 0x15, 4, '#', '2', '8', '0', '0', '0'}, 100)
	f.Fuzz(func(t *testing.T, data []byte, keep int) {
		r := NewReader(bytes.NewReader(data), 16)
		keep = min(max(keep, 0), 1<<20)
		for {
			packet, length, err := r.Read(keep)
			if err != nil {
				return
			}
			if int64(len(packet)) != min(length, int64(keep)) {
				t.Fatalf("%d of %d bytes, keeping %d", len(packet), length, keep)
			}
			_ = ServerError(packet)
		}
	})
}

// TestPackets writes packets of all sizes that are read in another way, and reads
// them, wholly and in part.
func TestPackets(t *testing.T) {
	const buffer = 64
	for _, size := range []int{0, 1, buffer, buffer + 1, usualSize, usualSize + 1, maxPiece - 1, maxPiece, maxPiece + 5, 2 * maxPiece} {
		payload := bytes.Repeat([]byte("x"), size)
		stream := AppendPacket(AppendPacket(nil, 0, payload), byte(1+size/maxPiece), []byte("next"))
		for _, limit := range []int{0, 10, buffer, size + 1} {
			r := NewReader(bytes.NewReader(stream), buffer)
			data, length, err := r.Read(limit)
			if err != nil || length != int64(size) || !bytes.Equal(data, payload[:min(size, limit)]) {
				t.Fatalf("%d bytes, limit %d: %d of %d, %v", size, limit, len(data), length, err)
			}
			if data, _, err = r.Read(4); err != nil || string(data) != "next" {
				t.Errorf("behind %d bytes: %q, %v", size, data, err)
			}
			if _, _, err = r.Read(4); err != io.EOF {
				t.Errorf("at the end: %v", err)
			}
		}
		r := NewReader(bytes.NewReader(stream[:headerSize+size-min(size, 1)]), buffer)
		if _, _, err := r.Read(size + 1); size > 0 && err != io.ErrUnexpectedEOF {
			t.Errorf("%d bytes cut short: %v", size, err)
		}
	}
}

// TestLengthEncoded writes integers at the borders of each form and reads them.
func TestLengthEncoded(t *testing.T) {
	for _, n := range []int{0, 1, 250, 251, 252, 1<<16 - 1, 1 << 16, 1<<24 - 1, 1 << 24, 1 << 40} {
		data := AppendLength(nil, n)
		got, size := LengthEncoded(append(data, "rest"...))
		if got != uint64(n) || size != len(data) || EncodedSize(data[0]) != size {
			t.Errorf("%d: %d in %d bytes of %d", n, got, size, len(data))
		}
		if _, size := LengthEncoded(data[:len(data)-1]); size != 0 {
			t.Errorf("%d cut short", n)
		}
	}
	for _, first := range []byte{NullValue, 0xff} {
		if _, size := LengthEncoded([]byte{first, 0, 0, 0, 0, 0, 0, 0, 0, 0}); size != 0 {
			t.Errorf("%x begins no length", first)
		}
	}
}

func TestPacketsInPieces(t *testing.T) {
	ours, theirs := net.Pipe()
	c := NewReader(ours, connBuffer)
	go func() {
		defer theirs.Close()
		piece := make([]byte, 4+maxPiece)
		piece[0], piece[1], piece[2] = 0xff, 0xff, 0xff
		for i := range 2 {
			piece[3] = byte(i)
			_, _ = theirs.Write(piece)
		}
		_, _ = theirs.Write([]byte{3, 0, 0, 2, 7, 8, 9, 1, 0, 0, 9, 1})
	}()
	data, length, err := c.Read(2*maxPiece + 1)
	if err != nil || length != 2*maxPiece+3 || len(data) != 2*maxPiece+1 || data[len(data)-1] != 7 {
		t.Errorf("%d of %d bytes, %v", len(data), length, err)
	}
	if _, _, err := c.Read(100); !errors.Is(err, ErrSequence) {
		t.Errorf("a packet out of order: %v", err)
	}
	c.sequence = 0
	if _, _, err := c.Read(100); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("the end: %v", err)
	}
}
