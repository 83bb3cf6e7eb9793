package binlog

import (
	"errors"
	mathbits "math/bits"

	"calbridge/wpstore/mysqlwire"
)

// errTagged is returned if an event of a tagged GTID lacks one of its parts.
var errTagged = errors.New("malformed: a GTID with a tag")

// parseTaggedGTID parses the event of a GTID with a tag (MySQL since 8.3), which is a
// message of numbered fields.
func parseTaggedGTID(body []byte) (source, uint64, error) {
	const (
		fieldFlags = iota
		fieldServer
		fieldNumber
		fieldTag
	)
	r := mysqlwire.Fields{Rest: body}
	version, _, _ := variable(&r), variable(&r), variable(&r) // size, and the last required field
	if version != 1 {
		return source{}, 0, errTagged
	}
	var from source
	var number uint64
	for field := range uint64(fieldTag + 1) {
		if variable(&r) != field {
			return source{}, 0, errTagged
		}
		switch field {
		case fieldFlags:
			variable(&r)
		case fieldServer:
			for i := range from.server {
				from.server[i] = byte(variable(&r))
			}
		case fieldNumber:
			number = variable(&r) >> 1 // the lowest bit is the sign
		case fieldTag:
			from.tag = string(r.Bytes(variable(&r)))
		}
	}
	if r.Err != nil || number == 0 || !gtidTag.MatchString(from.tag) {
		return source{}, 0, errTagged
	}
	return from, number, nil
}

// variable reads an integer of variable length. The number of ones at the low end of the
// first byte is the number of bytes that follow. The value is in the bits above those ones
// and a zero.
func variable(r *mysqlwire.Fields) uint64 {
	first := uint64(r.Byte())
	more := mathbits.TrailingZeros8(^byte(first))
	rest := r.Uint(more)
	if more == 8 {
		return rest
	}
	return first>>(more+1) | rest<<(7-more)
}
