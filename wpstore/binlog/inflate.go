package binlog

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"

	"calbridge/wpstore/mysqlwire"
)

// errTooLong is returned for an event that is longer than Config.MaxEvent.
var errTooLong = errors.New("longer than the limit")

// inflate undoes MariaDB's compression of the log (log_bin_compress). The data start with a
// byte that has the algorithm and the size of the length. Then follow the length, with its
// highest byte first, and the text in zlib's format.
func inflate(data []byte, limit int) ([]byte, error) {
	r := mysqlwire.Fields{Rest: data}
	head := r.Byte()
	if head&0x80 == 0 || head&0x70 != 0 {
		return nil, errors.New("compressed in an unknown way")
	}
	length := 0
	for _, b := range r.Bytes(uint64(head & 7)) {
		length = length<<8 | int(b)
		if length > limit {
			return nil, errTooLong
		}
	}
	if r.Err != nil {
		return nil, r.Err
	}
	z, err := zlib.NewReader(bytes.NewReader(r.Rest))
	if err != nil {
		return nil, fmt.Errorf("compressed event: %w", err)
	}
	defer z.Close()
	plain, err := io.ReadAll(io.LimitReader(z, int64(length)+1))
	if err != nil {
		return nil, fmt.Errorf("compressed event: %w", err)
	}
	if len(plain) != length {
		return nil, fmt.Errorf("compressed event: %d bytes instead of %d", len(plain), length)
	}
	return plain, nil
}
