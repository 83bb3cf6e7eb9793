package langpack

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
)

const (
	magic      = 0x950412de
	headerSize = 20 // magic, revision, number of entries, offsets of the two tables
	rowSize    = 8  // of a table: length and offset of a text
)

// ParseMO parses a compiled gettext catalogue of either byte order. It finds the entries by
// their tables and ignores the hash table.
func ParseMO(data []byte) (*Catalogue, error) {
	if err := checkSize(data); err != nil {
		return nil, err
	}
	if len(data) < headerSize {
		return nil, errors.New("the file is too short for a .mo file")
	}
	var order binary.ByteOrder = binary.LittleEndian
	if order.Uint32(data) != magic {
		order = binary.BigEndian
	}
	field := func(n int) uint64 { return uint64(order.Uint32(data[4*n:])) }
	if field(0) != magic {
		return nil, errors.New("the file does not begin like a .mo file")
	}
	if major := field(1) >> 16; major > 1 {
		return nil, fmt.Errorf("the file has revision %d of the format, which is not known", major)
	}
	entries := field(2)
	if entries > maxEntries {
		return nil, fmt.Errorf("the file has %d entries; at most %d are read", entries, maxEntries)
	}
	text := string(data) // the entries are slices of it
	// at returns row n of the table whose offset is in a field.
	at := func(table int, n uint64) (string, error) {
		row := field(table) + n*rowSize
		if row+rowSize > uint64(len(data)) {
			return "", fmt.Errorf("the table of entry %d lies outside of the file", n)
		}
		length, offset := uint64(order.Uint32(data[row:])), uint64(order.Uint32(data[row+4:]))
		if offset+length > uint64(len(data)) {
			return "", fmt.Errorf("the text of entry %d lies outside of the file", n)
		}
		return text[offset : offset+length], nil
	}
	c := &Catalogue{messages: map[string]string{}, sum: crc32.ChecksumIEEE(data)}
	for n := range entries {
		original, err := at(3, n)
		if err != nil {
			return nil, err
		}
		translation, err := at(4, n)
		if err != nil {
			return nil, err
		}
		c.add(original, translation)
	}
	return c, nil
}
