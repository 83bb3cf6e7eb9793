package binlog

import (
	"bytes"

	"calbridge/wpstore/mysqlwire"
)

// columnType is the type of a column in the log.
type columnType byte

// The types, by their numbers in the protocol.
const (
	typeDecimal           columnType = 0
	typeTiny              columnType = 1
	typeShort             columnType = 2
	typeLong              columnType = 3
	typeFloat             columnType = 4
	typeDouble            columnType = 5
	typeNull              columnType = 6
	typeTimestamp         columnType = 7
	typeLongLong          columnType = 8
	typeInt24             columnType = 9
	typeDate              columnType = 10
	typeTime              columnType = 11
	typeDatetime          columnType = 12
	typeYear              columnType = 13
	typeNewDate           columnType = 14
	typeVarchar           columnType = 15
	typeBit               columnType = 16
	typeTimestamp2        columnType = 17
	typeDatetime2         columnType = 18
	typeTime2             columnType = 19
	typeBlobCompressed    columnType = 140 // MariaDB
	typeVarcharCompressed columnType = 141 // MariaDB
	typeVector            columnType = 242
	typeJSON              columnType = 245
	typeNewDecimal        columnType = 246
	typeEnum              columnType = 247
	typeSet               columnType = 248
	typeTinyBlob          columnType = 249
	typeMediumBlob        columnType = 250
	typeLongBlob          columnType = 251
	typeBlob              columnType = 252
	typeVarString         columnType = 253
	typeString            columnType = 254
	typeGeometry          columnType = 255
)

// Table is a table as the log knows it: its columns have types and no names.
type Table struct {
	Schema, Name string
	// Columns is how many columns the table has.
	Columns int

	id    uint64
	types []columnType
	// meta says more about each type, such as the bytes of a length.
	meta   []uint16
	known  bool // the metadata could be read
	raw    []byte
	wanted []int // columns to decode, ascending; nil: none are asked for
}

// parseTable reads a table map event after its header.
func parseTable(data []byte, idSize int) (*Table, error) {
	r := mysqlwire.Fields{Rest: data}
	t := &Table{id: r.Uint(idSize)}
	r.Skip(2) // flags
	t.Schema = string(r.Bytes(uint64(r.Byte())))
	r.Skip(1)
	t.Name = string(r.Bytes(uint64(r.Byte())))
	r.Skip(1)
	columns := r.LengthEncoded()
	types := r.Bytes(columns)
	meta := mysqlwire.Fields{Rest: r.LengthEncodedBytes()}
	r.Skip((columns + 7) / 8) // which may be NULL
	if r.Err != nil {
		return nil, r.Err
	}
	t.Columns = len(types)
	t.types, t.meta = make([]columnType, len(types)), make([]uint16, len(types))
	t.known = true
	for i, n := range types {
		t.types[i] = columnType(n)
		size, high := metaSize(columnType(n))
		switch {
		case size < 0:
			t.known = false // nor where the metadata of the next begins
		case size == 2 && high: // the first byte is the type itself
			t.meta[i] = uint16(meta.Byte())<<8 | uint16(meta.Byte())
		default:
			t.meta[i] = uint16(meta.Uint(size))
		}
		if !t.known || meta.Err != nil {
			t.known = false
			break
		}
		if columnType(n) == typeString {
			t.types[i], t.meta[i] = stringType(t.meta[i])
		}
	}
	t.raw = bytes.Clone(data)
	return t, nil
}

// metaSize is how many bytes the metadata of a type takes, -1 when the type is not
// known, and whether they stand highest first.
func metaSize(t columnType) (size int, highFirst bool) {
	switch t {
	case typeFloat, typeDouble, typeTinyBlob, typeMediumBlob, typeLongBlob, typeBlob, typeGeometry, typeJSON, typeVector,
		typeTimestamp2, typeDatetime2, typeTime2, typeBlobCompressed:
		return 1, false
	case typeVarchar, typeVarString, typeBit, typeVarcharCompressed:
		return 2, false
	case typeNewDecimal, typeString, typeEnum, typeSet:
		return 2, true
	case typeTiny, typeShort, typeLong, typeNull, typeTimestamp, typeLongLong, typeInt24, typeDate, typeTime, typeDatetime,
		typeYear, typeNewDate:
		return 0, false
	}
	return -1, false
}

// stringType tells CHAR, ENUM and SET apart, which all call themselves string. The
// high byte is the type, with two bits of a length above 255 mixed in, inverted.
func stringType(meta uint16) (columnType, uint16) {
	high, low := byte(meta>>8), meta&0xff
	if high&0x30 != 0x30 {
		return columnType(high | 0x30), low | uint16(high&0x30^0x30)<<4
	}
	return columnType(high), low
}
