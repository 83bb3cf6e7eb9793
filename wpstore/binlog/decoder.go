package binlog

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"

	"calbridge/wpstore/mysqlwire"
)

// maxTables limits the table maps in memory.
const maxTables = 4096

// decoder turns events of the log into [Event] values. It does no I/O; want returns the
// columns to decode.
type decoder struct {
	want  func(*Table) []int
	limit int // limit of decompressed data, in bytes

	checksums bool // whether events have checksums
	tables    map[uint64]*Table
	place     Place
	closed    bool // whether the server has ended the file
	// group is the transaction whose events arrive now; nil between transactions.
	group Position
	// single is set if the group is one statement, which ends it.
	single  bool
	parts   fragments // of the row event that arrives in parts now
	pending []Event
}

func newDecoder(want func(*Table) []int, limit int, checksums bool) *decoder {
	return &decoder{want: want, limit: limit, tables: map[uint64]*Table{}, checksums: checksums}
}

// event decodes one event as it arrives over the network. truncated is set if its end is
// missing. It appends to pending.
func (d *decoder) event(data []byte, truncated bool) error {
	h, err := parseHeader(data)
	if err != nil {
		return err
	}
	if !truncated {
		if data, err = d.checked(data, h); err != nil {
			return err
		}
	}
	if h.end != 0 && h.flags&flagArtificial == 0 {
		d.moveTo(h.end)
	}
	return d.dispatch(h, data[headerSize:], truncated)
}

// checked verifies the checksum of an event and removes it.
func (d *decoder) checked(data []byte, h header) ([]byte, error) {
	switch {
	case h.kind == eventFormatDescription:
		checksums, err := parseFormat(data[headerSize:])
		if err != nil {
			return nil, err
		}
		d.checksums = checksums
	case h.kind == eventRotate && h.flags&flagArtificial != 0:
		// The server may send it before the format is known.
		if body, err := verify(data, h); err == nil {
			return body, nil
		}
		return data, nil
	}
	if !d.checksums {
		return data, nil
	}
	return verify(data, h)
}

// moveTo sets the place to the end of an event. The header has only the low half of it.
func (d *decoder) moveTo(end uint32) {
	high := d.place.Position &^ (1<<32 - 1)
	if end < uint32(d.place.Position) {
		high += 1 << 32
	}
	d.place.Position = high | uint64(end)
}

// moveToFile moves to the next file. If the previous file doesn't end with an event that
// names the next one, as after a crash or a shutdown, the server sends an artificial event
// that does.
func (d *decoder) moveToFile(next Place, madeUp bool) {
	if next.File != d.place.File {
		d.emit(&File{Name: next.File, Torn: madeUp && d.place.File != "" && !d.closed})
	}
	d.place, d.closed = next, false
}

func (d *decoder) dispatch(h header, body []byte, truncated bool) error {
	if form, ok := rowsEvents[h.kind]; ok {
		return d.rows(form, body, truncated)
	}
	if h.kind == eventMariaDBPartialRows {
		return d.fragment(body, truncated)
	}
	if truncated {
		d.emit(&Unknown{Why: errTooLong})
		if h.kind == eventQuery && d.single {
			d.commit(h)
		}
		return nil
	}
	switch h.kind {
	case eventRotate:
		r := mysqlwire.Fields{Rest: body}
		next := Place{Position: r.Uint(8)}
		next.File = string(r.Rest)
		d.moveToFile(next, h.flags&flagArtificial != 0)
		return r.Err
	case eventStop:
		d.closed = true
		clear(d.tables)
	case eventFormatDescription:
		clear(d.tables)
	case eventTableMap:
		return d.table(body)
	case eventQuery, eventMariaDBQuery:
		s, err := parseQuery(body, h.kind == eventMariaDBQuery, d.limit)
		if errors.Is(err, errTooLong) {
			s, err = &Statement{}, nil
			d.emit(&Unknown{Why: errTooLong})
		}
		if err == nil {
			d.statement(h, s)
		}
		return err
	case eventXID, eventXAPrepare:
		d.commit(h)
	case eventMariaDBGTID:
		return d.mariaDBGroup(h, body)
	case eventGTID:
		return d.mysqlGroup(body)
	case eventTransactionPayload:
		return d.payload(body)
	case eventAnonymousGTID:
		return errors.New("transactions without GTIDs; the server needs gtid_mode=ON")
	case eventTaggedGTID:
		return d.taggedGroup(body)
	case eventHeartbeat, eventHeartbeat2:
		if d.group == nil {
			d.emit(&Idle{})
		}
	case eventIntVar, eventRand, eventUserVar, eventPreviousGTIDs, eventMariaDBAnnotate, eventMariaDBCheckpoint, eventMariaDBGTIDList,
		eventMariaDBEncryption: // refers to the file; what is sent is not encrypted
	default:
		if h.flags&flagIgnorable == 0 {
			d.emit(&Unknown{Why: fmt.Errorf("an event of type %d", h.kind)})
		}
	}
	return nil
}

func (d *decoder) emit(e Event) { d.pending = append(d.pending, e) }

func (d *decoder) commit(h header) {
	if d.parts.seen > 0 {
		d.emit(&Unknown{Why: errFragments})
	}
	d.emit(&Commit{GTID: d.group, End: d.place, Committed: time.Unix(int64(h.timestamp), 0)})
	d.group, d.single, d.parts = nil, false, fragments{}
	if len(d.tables) > maxTables {
		clear(d.tables) // each transaction has its own maps
	}
}

// table stores a table map, and calls want for a new one.
func (d *decoder) table(body []byte) error {
	r := mysqlwire.Fields{Rest: body}
	id := r.Uint(idSize)
	if known, ok := d.tables[id]; ok && bytes.Equal(known.raw, body) {
		return nil
	}
	t, err := parseTable(body)
	if err != nil {
		return err
	}
	t.wanted = d.want(t)
	d.tables[t.id] = t
	return nil
}

func (d *decoder) rows(form rowsEvent, body []byte, truncated bool) error {
	r := mysqlwire.Fields{Rest: body}
	id := r.Uint(idSize)
	flags := r.Uint(2)
	if r.Err != nil {
		return r.Err
	}
	const end, noTable = 1, 1<<24 - 1
	t := d.tables[id]
	if t == nil {
		if flags&end != 0 && id == noTable {
			return nil // it only ends a statement
		}
		return errors.New("rows of a table without a map")
	}
	if t.wanted == nil {
		return nil
	}
	why := errTooLong
	if !truncated {
		var rows *Rows
		rows, why = parseRows(r.Rest, form, t, d.limit)
		if why == nil && t.known {
			d.emit(rows)
			return nil
		}
	}
	if why == nil {
		why = errType
	}
	d.emit(&Unknown{Table: t, Why: why})
	return nil
}

// forget makes table call want again for all tables.
func (d *decoder) forget() {
	for _, t := range d.tables {
		t.raw = nil
	}
}

// statement decodes a query event, which may begin or end a transaction.
func (d *decoder) statement(h header, s *Statement) {
	const longest = 40 // number of bytes up to the words below
	words := strings.Fields(strings.ToUpper(s.SQL[:min(longest, len(s.SQL))]))
	words = append(words, "", "")
	switch {
	case words[0] == "BEGIN", words[0] == "XA" && words[1] == "START":
		d.single = false
		return
	case words[0] == "XA" && words[1] == "END", words[0] == "SAVEPOINT", words[0] == "ROLLBACK" && words[1] == "TO":
		return
	case words[0] == "COMMIT", words[0] == "ROLLBACK" && words[1] == "":
		d.commit(h)
		return
	}
	d.emit(s)
	if d.single {
		d.commit(h)
	}
}

// mariaDBGroup starts a transaction.
func (d *decoder) mariaDBGroup(h header, body []byte) error {
	r := mysqlwire.Fields{Rest: body}
	g := gtid{server: h.server, sequence: r.Uint(8), domain: uint32(r.Uint(4))}
	const standalone = 1
	d.single = r.Byte()&standalone != 0
	d.group = domains{g.domain: g}
	return r.Err
}

// mysqlGroup starts a transaction. It consists of a single statement unless that statement
// is BEGIN.
func (d *decoder) mysqlGroup(body []byte) error {
	r := mysqlwire.Fields{Rest: body}
	r.Skip(1)
	var id uuid.UUID
	copy(id[:], r.Bytes(uint64(len(id))))
	n := r.Uint(8)
	d.group, d.single = sets{{server: id}: {{n, n}}}, true
	return r.Err
}

// taggedGroup starts a transaction whose GTID has a tag.
func (d *decoder) taggedGroup(body []byte) error {
	from, n, err := parseTaggedGTID(body)
	d.group, d.single = sets{from: {{n, n}}}, true
	return err
}
