package binlog

import (
	"errors"
	"fmt"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds.
const (
	// Absent is a column that the server left out of the log (binlog_row_image).
	Absent Kind = iota
	// Null is NULL.
	Null
	// Integer is a number, as if its column were signed.
	Integer
	// Bytes is a text or binary string.
	Bytes
	// Other is of a type that is not decoded.
	Other
)

// Value is one column of a row.
type Value struct {
	Kind Kind
	Int  int64
	// Bytes are valid until the next event.
	Bytes []byte
}

// errType means that a row has a column whose length is not known.
var errType = errors.New("binlog: a column of an unknown type")

// value takes a value that is not NULL.
func (r *reader) value(t columnType, meta uint16) (Value, error) {
	switch t {
	case typeTiny:
		return Value{Kind: Integer, Int: int64(int8(r.uint(1)))}, r.err
	case typeShort:
		return Value{Kind: Integer, Int: int64(int16(r.uint(2)))}, r.err
	case typeInt24:
		return Value{Kind: Integer, Int: int64(int32(r.uint(3)<<8) >> 8)}, r.err
	case typeLong:
		return Value{Kind: Integer, Int: int64(int32(r.uint(4)))}, r.err
	case typeLongLong:
		return Value{Kind: Integer, Int: int64(r.uint(8))}, r.err
	case typeVarchar, typeVarString, typeString:
		size := 1
		if meta > 255 {
			size = 2
		}
		return Value{Kind: Bytes, Bytes: r.bytes(r.uint(size))}, r.err
	case typeTinyBlob, typeMediumBlob, typeLongBlob, typeBlob:
		if meta > 4 {
			return Value{}, errType
		}
		return Value{Kind: Bytes, Bytes: r.bytes(r.uint(int(meta)))}, r.err
	}
	size, err := r.size(t, meta)
	if err != nil {
		return Value{}, err
	}
	r.skip(size)
	return Value{Kind: Other}, r.err
}

// size is the length of a value that is skipped, whose own length, if it has one,
// is taken.
func (r *reader) size(t columnType, meta uint16) (uint64, error) {
	switch t {
	case typeYear:
		return 1, nil
	case typeDate, typeNewDate, typeTime:
		return 3, nil
	case typeFloat, typeTimestamp:
		return 4, nil
	case typeDouble, typeDatetime:
		return 8, nil
	case typeTimestamp2:
		return 4 + fraction(meta), nil
	case typeDatetime2:
		return 5 + fraction(meta), nil
	case typeTime2:
		return 3 + fraction(meta), nil
	case typeEnum, typeSet:
		return uint64(meta & 0xff), nil
	case typeBit:
		return uint64(meta>>8) + uint64(min(meta&0xff, 1)), nil
	case typeNewDecimal:
		return decimalSize(meta)
	case typeVarcharCompressed:
		if meta > 255 {
			return r.uint(2), nil
		}
		return r.uint(1), nil
	case typeJSON, typeGeometry, typeVector, typeBlobCompressed:
		if meta <= 4 {
			return r.uint(int(meta)), nil
		}
	}
	return 0, fmt.Errorf("%w: %d", errType, t)
}

// fraction is how many bytes decimals of a second take.
func fraction(digits uint16) uint64 { return uint64(digits+1) / 2 }

// decimalSize goes by precision and scale: nine digits are four bytes, and the
// rest on either side as few as hold them.
func decimalSize(meta uint16) (uint64, error) {
	precision, scale := meta>>8, meta&0xff
	if scale > precision {
		return 0, errShort
	}
	rest := [...]uint64{0, 1, 1, 2, 2, 3, 3, 4, 4}
	side := func(digits uint16) uint64 { return uint64(digits/9)*4 + rest[digits%9] }
	return side(precision-scale) + side(scale), nil
}
