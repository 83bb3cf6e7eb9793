package binlog

import (
	"errors"
	"fmt"

	"calbridge/wpstore/mysqlwire"
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
func (t columnType) value(r *mysqlwire.Fields, meta uint16) (Value, error) {
	switch t {
	case typeTiny:
		return Value{Kind: Integer, Int: int64(int8(r.Uint(1)))}, r.Err
	case typeShort:
		return Value{Kind: Integer, Int: int64(int16(r.Uint(2)))}, r.Err
	case typeInt24:
		return Value{Kind: Integer, Int: int64(int32(r.Uint(3)<<8) >> 8)}, r.Err
	case typeLong:
		return Value{Kind: Integer, Int: int64(int32(r.Uint(4)))}, r.Err
	case typeLongLong:
		return Value{Kind: Integer, Int: int64(r.Uint(8))}, r.Err
	case typeVarchar, typeVarString, typeString:
		size := 1
		if meta > 255 {
			size = 2
		}
		return Value{Kind: Bytes, Bytes: r.Bytes(r.Uint(size))}, r.Err
	case typeTinyBlob, typeMediumBlob, typeLongBlob, typeBlob:
		if meta > 4 {
			return Value{}, errType
		}
		return Value{Kind: Bytes, Bytes: r.Bytes(r.Uint(int(meta)))}, r.Err
	}
	size, err := t.size(r, meta)
	if err != nil {
		return Value{}, err
	}
	r.Skip(size)
	return Value{Kind: Other}, r.Err
}

// size is the length of a value that is skipped, whose own length, if it has one,
// is taken.
func (t columnType) size(r *mysqlwire.Fields, meta uint16) (uint64, error) {
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
			return r.Uint(2), nil
		}
		return r.Uint(1), nil
	case typeJSON, typeGeometry, typeVector, typeBlobCompressed:
		if meta <= 4 {
			return r.Uint(int(meta)), nil
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
