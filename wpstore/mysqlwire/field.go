package mysqlwire

import (
	"bytes"
	"encoding/binary"
)

// First bytes of length-encoded values; lower ones are the length itself.
const (
	// NullValue stands for NULL in a row.
	NullValue = 0xfb
	lengthOf2 = 0xfc
	lengthOf3 = 0xfd
	lengthOf8 = 0xfe
)

// EncodedSize returns the size in bytes of a length-encoded integer with this first byte; 0
// if no such integer begins with it.
func EncodedSize(first byte) int {
	switch {
	case first < NullValue:
		return 1
	case first == lengthOf2:
		return 3
	case first == lengthOf3:
		return 4
	case first == lengthOf8:
		return 9
	}
	return 0
}

// LengthEncoded reads the length-encoded integer at the front of data and returns the
// number of bytes that it takes, 0 if there is none.
func LengthEncoded(data []byte) (n uint64, size int) {
	if len(data) == 0 {
		return 0, 0
	}
	size = EncodedSize(data[0])
	if size == 0 || len(data) < size {
		return 0, 0
	}
	switch size {
	case 1:
		return uint64(data[0]), 1
	case 3:
		return uint64(binary.LittleEndian.Uint16(data[1:])), 3
	case 4:
		return uint64(data[1]) | uint64(data[2])<<8 | uint64(data[3])<<16, 4
	}
	return binary.LittleEndian.Uint64(data[1:]), size
}

// AppendLength appends a length-encoded integer.
func AppendLength(out []byte, n int) []byte {
	switch {
	case n < NullValue:
		return append(out, byte(n))
	case n < 1<<16:
		return append(out, lengthOf2, byte(n), byte(n>>8))
	case n < 1<<24:
		return append(out, lengthOf3, byte(n), byte(n>>8), byte(n>>16))
	}
	return binary.LittleEndian.AppendUint64(append(out, lengthOf8), uint64(n))
}

// Fields reads fields from the front of a packet. After an error it returns zeroes.
type Fields struct {
	// Rest is the unread part.
	Rest []byte
	// Err is nil or [ErrMalformed].
	Err error
}

// Bytes reads n bytes.
func (f *Fields) Bytes(n uint64) []byte {
	if f.Err != nil || n > uint64(len(f.Rest)) {
		f.fail()
		return nil
	}
	out := f.Rest[:n]
	f.Rest = f.Rest[n:]
	return out
}

func (f *Fields) fail() { f.Err, f.Rest = ErrMalformed, nil }

// Skip skips n bytes.
func (f *Fields) Skip(n uint64) { f.Bytes(n) }

// Uint reads a number of size bytes, at most eight, the lowest first.
func (f *Fields) Uint(size int) uint64 {
	var wide [8]byte
	copy(wide[:], f.Bytes(uint64(size)))
	return binary.LittleEndian.Uint64(wide[:])
}

// Byte reads one byte.
func (f *Fields) Byte() byte { return byte(f.Uint(1)) }

// LengthEncoded reads a length-encoded number.
func (f *Fields) LengthEncoded() uint64 {
	n, size := LengthEncoded(f.Rest)
	if size == 0 {
		f.fail()
		return 0
	}
	f.Rest = f.Rest[size:]
	return n
}

// LengthEncodedBytes reads a text that follows its length.
func (f *Fields) LengthEncodedBytes() []byte { return f.Bytes(f.LengthEncoded()) }

// UntilZero reads a text that ends with a zero byte, or the rest.
func (f *Fields) UntilZero() []byte {
	text, rest, _ := bytes.Cut(f.Rest, []byte{0})
	f.Rest = rest
	return text
}
