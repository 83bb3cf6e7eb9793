package binlog

import (
	"errors"

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
	// Other is a value of a type that is not decoded.
	Other
)

// Value is one column of a row.
type Value struct {
	Kind Kind
	Int  int64
	// Bytes are valid until the next event.
	Bytes []byte
}

// errType is returned if a row has a column whose length is unknown.
var errType = errors.New("a column of an unknown type")

// layout is the way in which the values of a type are stored.
type layout uint8

const (
	unknown    layout = iota
	integer           // size bytes
	fixed             // size bytes
	fraction          // size bytes, and those for the fraction of a second, by the metadata
	text              // after its length, which has two bytes if it may be above 255
	blob              // after its length, whose number of bytes is in the metadata
	opaqueText        // like text, not decoded
	opaqueBlob        // like blob, not decoded
	member            // the number of bytes is the low byte of the metadata
	bits              // the number of bytes is the high byte, plus one if the low byte is not 0
	decimal           // precision in the high byte, scale in the low one
)

// columnType describes a type of columns.
type columnType struct {
	layout layout
	size   uint64
	// metadata is the number of bytes of metadata in a table map. highFirst is their order.
	metadata  int
	highFirst bool
}

// columnTypes are the types by their numbers in the protocol. Types that no column has are
// left out.
var columnTypes = [256]columnType{
	1:   {layout: integer, size: 1},                      // TINYINT
	2:   {layout: integer, size: 2},                      // SMALLINT
	3:   {layout: integer, size: 4},                      // INT
	4:   {layout: fixed, size: 4, metadata: 1},           // FLOAT
	5:   {layout: fixed, size: 8, metadata: 1},           // DOUBLE
	7:   {layout: fixed, size: 4},                        // TIMESTAMP, old
	8:   {layout: integer, size: 8},                      // BIGINT
	9:   {layout: integer, size: 3},                      // MEDIUMINT
	10:  {layout: fixed, size: 3},                        // DATE
	11:  {layout: fixed, size: 3},                        // TIME, old
	12:  {layout: fixed, size: 8},                        // DATETIME, old
	13:  {layout: fixed, size: 1},                        // YEAR
	14:  {layout: fixed, size: 3},                        // DATE
	15:  {layout: text, metadata: 2},                     // VARCHAR
	16:  {layout: bits, metadata: 2},                     // BIT
	17:  {layout: fraction, size: 4, metadata: 1},        // TIMESTAMP
	18:  {layout: fraction, size: 5, metadata: 1},        // DATETIME
	19:  {layout: fraction, size: 3, metadata: 1},        // TIME
	140: {layout: opaqueBlob, metadata: 1},               // BLOB COMPRESSED, MariaDB
	141: {layout: opaqueText, metadata: 2},               // VARCHAR COMPRESSED, MariaDB
	242: {layout: opaqueBlob, metadata: 1},               // VECTOR
	245: {layout: opaqueBlob, metadata: 1},               // JSON
	246: {layout: decimal, metadata: 2, highFirst: true}, // DECIMAL
	247: {layout: member, metadata: 2, highFirst: true},  // ENUM
	248: {layout: member, metadata: 2, highFirst: true},  // SET
	249: {layout: blob, metadata: 1},                     // TINYTEXT, TINYBLOB
	250: {layout: blob, metadata: 1},                     // MEDIUMTEXT, MEDIUMBLOB
	251: {layout: blob, metadata: 1},                     // LONGTEXT, LONGBLOB
	252: {layout: blob, metadata: 1},                     // TEXT, BLOB
	253: {layout: text, metadata: 2},                     // VARBINARY
	254: {layout: text, metadata: 2, highFirst: true},    // CHAR; ENUM and SET in disguise
	255: {layout: opaqueBlob, metadata: 1},               // GEOMETRY
}

// value reads a value that is not NULL.
func (t *columnType) value(f *mysqlwire.Fields, meta uint16) (Value, error) {
	high, low := uint64(meta>>8), uint64(meta&0xff)
	size := t.size
	switch t.layout {
	case integer:
		unused := 64 - 8*size
		return Value{Kind: Integer, Int: int64(f.Uint(int(size))<<unused) >> unused}, f.Err
	case fixed:
	case fraction:
		size += uint64(meta+1) / 2
	case text, opaqueText:
		size = f.Uint(1 + int(min(high, 1)))
	case blob, opaqueBlob:
		if meta > 4 {
			return Value{}, errType
		}
		size = f.Uint(int(meta))
	case member:
		size = low
	case bits:
		size = high + min(low, 1)
	case decimal:
		if low > high {
			return Value{}, errShort
		}
		size = decimalSize(high-low) + decimalSize(low)
	default:
		return Value{}, errType
	}
	data := f.Bytes(size)
	if t.layout == text || t.layout == blob {
		return Value{Kind: Bytes, Bytes: data}, f.Err
	}
	return Value{Kind: Other}, f.Err
}

// decimalSize returns the number of bytes of the digits on one side of the point: four for
// every nine digits, and as few as possible for the rest.
func decimalSize(digits uint64) uint64 {
	rest := [...]uint64{0, 1, 1, 2, 2, 3, 3, 4, 4}
	return digits/9*4 + rest[digits%9]
}
