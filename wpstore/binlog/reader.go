package binlog

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errShort means that an event or packet ends before it is complete.
var errShort = errors.New("binlog: malformed: too short")

// reader takes fields from the front of bytes. After an error it returns zeroes.
type reader struct {
	rest []byte
	err  error
}

func (r *reader) bytes(n uint64) []byte {
	if r.err != nil || n > uint64(len(r.rest)) {
		r.err, r.rest = errShort, nil
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *reader) skip(n uint64) { r.bytes(n) }

// uint is a number of up to eight bytes, the lowest first.
func (r *reader) uint(size int) uint64 {
	var wide [8]byte
	copy(wide[:], r.bytes(uint64(size)))
	return binary.LittleEndian.Uint64(wide[:])
}

func (r *reader) byte() byte { return byte(r.uint(1)) }

// lengthEncoded is a number whose first byte says how long it is.
func (r *reader) lengthEncoded() uint64 {
	switch first := r.byte(); first {
	case 0xfc:
		return r.uint(2)
	case 0xfd:
		return r.uint(3)
	case 0xfe:
		return r.uint(8)
	case 0xfb, 0xff:
		r.err = errShort
		return 0
	default:
		return uint64(first)
	}
}

func (r *reader) lengthEncodedBytes() []byte { return r.bytes(r.lengthEncoded()) }

// untilZero is a text that a zero byte ends, or the rest.
func (r *reader) untilZero() []byte {
	i := bytes.IndexByte(r.rest, 0)
	if i < 0 {
		out := r.rest
		r.rest = nil
		return out
	}
	out := r.rest[:i]
	r.rest = r.rest[i+1:]
	return out
}

func uint24(b []byte) uint32 { return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 }

func putUint24(b []byte, n uint32) { b[0], b[1], b[2] = byte(n), byte(n>>8), byte(n>>16) }

// bit says whether the nth bit of a bitmap is set; the lowest of each byte first.
func bit(bitmap []byte, n int) bool { return bitmap[n/8]>>(n%8)&1 != 0 }

func countBits(bitmap []byte, n int) int {
	set := 0
	for i := range n {
		if bit(bitmap, i) {
			set++
		}
	}
	return set
}
