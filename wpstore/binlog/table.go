package binlog

import (
	"bytes"

	"calbridge/wpstore/mysqlwire"
)

// Table is a table as the log describes it.
type Table struct {
	Schema, Name string
	// Columns is the number of columns of the table.
	Columns int
	// Names are the names of the columns; empty unless the server logs them
	// (binlog_row_metadata=FULL).
	Names []string

	id    uint64
	types []byte // indexes of columnTypes
	// meta has details of each type, such as the number of bytes of a length.
	meta   []uint16
	known  bool // whether all types are known
	raw    []byte
	wanted []int // columns to decode, ascending; nil for none
}

// parseTable parses a table map event after its header.
func parseTable(data []byte) (*Table, error) {
	f := mysqlwire.Fields{Rest: data}
	t := &Table{id: f.Uint(idSize), raw: bytes.Clone(data)}
	f.Skip(2) // flags
	t.Schema = string(f.Bytes(uint64(f.Byte())))
	f.Skip(1)
	t.Name = string(f.Bytes(uint64(f.Byte())))
	f.Skip(1)
	columns := f.LengthEncoded()
	t.types = bytes.Clone(f.Bytes(columns))
	meta := mysqlwire.Fields{Rest: f.LengthEncodedBytes()}
	f.Skip((columns + 7) / 8) // the columns that may be NULL
	if f.Err != nil {
		return nil, f.Err
	}
	t.Columns = len(t.types)
	t.Names = columnNames(f, t.Columns)
	t.meta = make([]uint16, t.Columns)
	for i, number := range t.types {
		kind := &columnTypes[number]
		if kind.layout == unknown { // nor is it known where the metadata of the next column begins
			return t, nil
		}
		t.meta[i] = uint16(meta.Uint(kind.metadata))
		if kind.highFirst {
			t.meta[i] = t.meta[i]<<8 | t.meta[i]>>8
		}
		if number == typeString {
			t.types[i], t.meta[i] = stringType(t.meta[i])
		}
	}
	t.known = meta.Err == nil
	return t, nil
}

// maxNames is the number of columns that servers allow.
const maxNames = 4096

// columnNames reads the names in the optional part of a table map. Each field there has a
// type and a length.
func columnNames(f mysqlwire.Fields, columns int) []string {
	const fieldNames = 4
	for columns <= maxNames && len(f.Rest) > 0 && f.Err == nil {
		kind := f.Byte()
		value := mysqlwire.Fields{Rest: f.LengthEncodedBytes()}
		if kind != fieldNames || f.Err != nil {
			continue
		}
		var names []string
		for len(names) <= columns && len(value.Rest) > 0 && value.Err == nil {
			names = append(names, string(value.LengthEncodedBytes()))
		}
		if len(names) == columns && value.Err == nil {
			return names
		}
	}
	return nil
}

// typeString is the type number of CHAR.
const typeString = 254

// stringType distinguishes CHAR, ENUM and SET, which all have the type number of CHAR. The
// high byte is the real number. Two bits of a length above 255 are mixed in, inverted.
func stringType(meta uint16) (number byte, rest uint16) {
	high, low := byte(meta>>8), meta&0xff
	if high&0x30 != 0x30 {
		return high | 0x30, low | uint16(high&0x30^0x30)<<4
	}
	return high, low
}
