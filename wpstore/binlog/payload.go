package binlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"calbridge/wpstore/mysqlwire"
)

// payload decodes the events of a transaction that MySQL has compressed as a whole
// (binlog_transaction_compression). They have no checksums.
func (d *decoder) payload(body []byte) error {
	const (
		endOfFields = iota
		fieldPayload
		fieldCompression
		fieldLength
	)
	const compressedZstd, plain = 0, 255
	r := mysqlwire.Fields{Rest: body}
	compression := uint64(plain)
	for field := r.LengthEncoded(); field != endOfFields && r.Err == nil; field = r.LengthEncoded() {
		value := mysqlwire.Fields{Rest: r.LengthEncodedBytes()}
		if field == fieldCompression {
			compression = value.LengthEncoded()
		}
	}
	if r.Err != nil {
		return r.Err
	}
	var events io.Reader = bytes.NewReader(r.Rest)
	switch compression {
	case plain:
	case compressedZstd:
		const window = 64 << 20
		z, err := zstd.NewReader(events, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(window))
		if err != nil {
			return fmt.Errorf("compressed transaction: %w", err)
		}
		defer z.Close()
		events = z
	default:
		return fmt.Errorf("a transaction is compressed in an unknown way (%d)", compression)
	}
	return d.events(events)
}

// events decodes consecutive events.
func (d *decoder) events(from io.Reader) error {
	size := 0 // of the events since the last one that was too long
	for {
		head := make([]byte, headerSize)
		if _, err := io.ReadFull(from, head); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("compressed transaction: %w", err)
		}
		h, err := parseHeader(head)
		if err != nil {
			return err
		}
		if h.size < headerSize || h.kind == eventTransactionPayload {
			return errShort
		}
		length, limit := int64(h.size)-headerSize, int64(d.limit)
		body, err := io.ReadAll(io.LimitReader(from, min(length, limit)))
		if err != nil {
			return fmt.Errorf("compressed transaction: %w", err)
		}
		skipped, err := io.CopyN(io.Discard, from, max(length-limit, 0))
		if err != nil || int64(len(body))+skipped != length {
			return errShort
		}
		size += len(body)
		if size > d.limit {
			// Pending rows stay in memory until the payload ends: drop them.
			d.emit(&Unknown{Why: errTooLong})
			d.pending = d.pending[len(d.pending)-1:]
			size = 0
		}
		if err := d.dispatch(h, body, skipped > 0); err != nil {
			return err
		}
	}
}
