package binlog

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"calbridge/wpstore/mysqlwire"
)

// Event is [*Rows], [*Statement], [*Unknown], [*Commit] or [*File].
type Event any

// Idle shows that the server has nothing more to send, between two transactions. It comes about once a
// second while nothing happens.
type Idle struct{}

// Statement is a change that the log holds as SQL: of tables, or of rows if the session
// does not log rows.
type Statement struct {
	Schema string // the session's default, "" for none
	SQL    string
}

// Unknown is a change that cannot be decoded. It affects the table, or anything if the
// table is nil.
type Unknown struct {
	Table *Table
	Why   error
}

// File reports that a file of the log begins, or that the stream begins within it.
type File struct {
	Name string
	// Torn is set if the server didn't end the previous file: it crashed. What was
	// committed last may be missing from the log. If the server doesn't write both through
	// at each commit, it may be missing from the tables although the log has it.
	Torn bool
}

// Commit ends a transaction.
type Commit struct {
	// GTID holds this transaction alone.
	GTID Position
	// End is the place in the log where it ends.
	End Place
	// Committed is the time on the server's clock when the transaction was written, in
	// whole seconds.
	Committed time.Time
}

// Place is a position in a server's log files.
type Place struct {
	File     string
	Position uint64
}

// Before reports whether a place comes before another. Names of files end with a
// growing number.
func (p Place) Before(other Place) bool {
	if p.File != other.File {
		if len(p.File) != len(other.File) {
			return len(p.File) < len(other.File)
		}
		return p.File < other.File
	}
	return p.Position < other.Position
}

// Event types, besides those of rows.
const (
	eventQuery              = 2
	eventStop               = 3
	eventRotate             = 4
	eventIntVar             = 5 // of the statement that follows, as the next two
	eventRand               = 13
	eventUserVar            = 14
	eventFormatDescription  = 15
	eventXID                = 16
	eventTableMap           = 19
	eventHeartbeat          = 27
	eventGTID               = 33
	eventAnonymousGTID      = 34
	eventPreviousGTIDs      = 35
	eventXAPrepare          = 38
	eventTransactionPayload = 40
	eventHeartbeat2         = 41
	eventTaggedGTID         = 42
	eventMariaDBAnnotate    = 160
	eventMariaDBCheckpoint  = 161
	eventMariaDBGTID        = 162
	eventMariaDBGTIDList    = 163
	eventMariaDBEncryption  = 164
	eventMariaDBQuery       = 165 // compressed
	eventMariaDBPartialRows = 172
)

const (
	headerSize   = 19
	checksumSize = 4

	flagInUse      = 0x1
	flagArtificial = 0x20
	flagIgnorable  = 0x80
)

// header is the part that all events start with.
type header struct {
	timestamp uint32
	kind      byte
	server    uint32
	size      uint32
	end       uint32 // in the file, modulo 2^32; 0 for events that are not in it
	flags     uint16
}

func parseHeader(data []byte) (header, error) {
	if len(data) < headerSize {
		return header{}, errShort
	}
	le := binary.LittleEndian
	return header{
		timestamp: le.Uint32(data), kind: data[4], server: le.Uint32(data[5:]),
		size: le.Uint32(data[9:]), end: le.Uint32(data[13:]), flags: le.Uint16(data[17:]),
	}, nil
}

// errShort is returned for an event that ends before it is complete.
var errShort = errors.New("malformed: too short")

// errChecksum is returned for an event that was damaged in transit or on disk.
var errChecksum = errors.New("wrong checksum")

// verify checks and removes the checksum of an event.
func verify(data []byte, h header) ([]byte, error) {
	if len(data) < headerSize+checksumSize {
		return nil, errShort
	}
	body := data[:len(data)-checksumSize]
	sum := crc32.ChecksumIEEE(body)
	if h.kind == eventFormatDescription && h.flags&flagInUse != 0 {
		// The checksum was computed before the server marked its file as in use.
		plain := bytes.Clone(body)
		plain[17] &^= flagInUse
		sum = crc32.ChecksumIEEE(plain)
	}
	if sum != binary.LittleEndian.Uint32(data[len(body):]) {
		return nil, errChecksum
	}
	return body, nil
}

// idSize is the number of bytes of a table's id.
const idSize = 6

// parseFormat parses a format description. It returns whether events have checksums.
func parseFormat(data []byte) (checksums bool, err error) {
	r := mysqlwire.Fields{Rest: data}
	if version := r.Uint(2); version != 4 && r.Err == nil {
		return false, fmt.Errorf("version %d of the log is not known", version)
	}
	r.Skip(50 + 4)
	if r.Byte() != headerSize || len(r.Rest) < eventTableMap+1+checksumSize {
		return false, errShort
	}
	const none, crc32, undefined = 0, 1, 255
	switch algorithm := r.Rest[len(r.Rest)-checksumSize-1]; algorithm {
	case none, undefined:
		return false, nil
	case crc32:
		return true, nil
	default:
		return false, fmt.Errorf("checksums of kind %d are not known", algorithm)
	}
}

// parseQuery parses a query event.
func parseQuery(data []byte, compressed bool, limit int) (*Statement, error) {
	r := mysqlwire.Fields{Rest: data}
	r.Skip(4 + 4)
	schema := uint64(r.Byte())
	r.Skip(2)
	r.Skip(r.Uint(2)) // the session's settings
	s := &Statement{Schema: string(r.Bytes(schema))}
	r.Skip(1)
	if r.Err != nil {
		return nil, r.Err
	}
	text := r.Rest
	if compressed {
		var err error
		if text, err = inflate(text, limit); err != nil {
			return nil, err
		}
	}
	s.SQL = string(text)
	return s, nil
}
