package binlog

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/hex"
	"github.com/google/uuid"
	"hash/crc32"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// What MySQL sends, written by hand from the documentation of its formats: no MySQL server
// was available to record.

// event returns a whole event; its end in the log is at 1000 and the length of the body.
func event(kind byte, flags uint16, checksum bool, body ...[]byte) []byte {
	content := bytes.Join(body, nil)
	size := headerSize + len(content)
	if checksum {
		size += checksumSize
	}
	le := binary.LittleEndian
	out := append(le.AppendUint32(nil, 1_700_000_000), kind)
	out = le.AppendUint32(le.AppendUint32(le.AppendUint32(out, 1), uint32(size)), uint32(1000+len(content)))
	out = append(le.AppendUint16(out, flags), content...)
	if checksum {
		out = le.AppendUint32(out, crc32.ChecksumIEEE(out))
	}
	return out
}

// formatEvent returns a format description of a server with or without checksums.
func formatEvent(algorithm byte) []byte {
	lengths := bytes.Repeat([]byte{8}, 42)
	body := append([]byte{4, 0}, make([]byte, 50+4)...)
	body = append(append(body, headerSize), lengths...)
	return event(eventFormatDescription, 0, true, append(body, algorithm))
}

var testUUID = uuid.MustParse("3e11fa47-71ca-11e1-9e33-c80aa9429562")

func gtidEvent(n uint64, checksum bool) []byte {
	return event(eventGTID, 0, checksum, []byte{0}, testUUID[:], binary.LittleEndian.AppendUint64(nil, n), make([]byte, 42-25))
}

func queryEvent(schema, text string, checksum bool) []byte {
	return event(eventQuery, 0, checksum, make([]byte, 8), []byte{byte(len(schema)), 0, 0, 2, 0, 9, 9}, []byte(schema), []byte{0}, []byte(text))
}

// tableEvent maps table 7: id bigint, name varchar(300), json, date, decimal(10,2).
func tableEvent(checksum bool) []byte {
	return event(eventTableMap, 0, checksum, []byte{7, 0, 0, 0, 0, 0, 1, 0}, []byte("\x04shop\x00"), []byte("\x01t\x00"),
		[]byte{5, 8, 15, 245, 10, 246}, []byte{5, 0x2c, 0x01, 4, 10, 2}, []byte{0x1e}, []byte("optional metadata"))
}

// insertEvent adds (id, "ab", JSON of 3 bytes, a date, NULL), with extra data.
func insertEvent(id byte, checksum bool) []byte {
	row := []byte{0x10, id, 0, 0, 0, 0, 0, 0, 0, 2, 0, 'a', 'b', 3, 0, 0, 0, 1, 2, 3, 9, 9, 9}
	return event(30, 0, checksum, []byte{7, 0, 0, 0, 0, 0, 1, 0}, []byte{5, 0, 1, 2, 3}, []byte{5, 0x1f}, row)
}

func payloadEvent(t *testing.T, compressed bool, events ...[]byte) []byte {
	t.Helper()
	content := bytes.Join(events, nil)
	kind := []byte{2, 3, 0xfc, 255, 0}
	if compressed {
		z, err := zstd.NewWriter(nil)
		if err != nil {
			t.Fatal(err)
		}
		content, kind = z.EncodeAll(content, nil), []byte{2, 1, 0}
	}
	size := append([]byte{1, 3, 0xfc}, byte(len(content)), byte(len(content)>>8))
	return event(eventTransactionPayload, 0, true, size, kind, []byte{0}, content)
}

func TestStreamOfMySQL(t *testing.T) {
	last := func(n uint64) []byte { return gtidEvent(n, true) }
	xid := event(eventXID, 0, true, make([]byte, 8))
	plain := func(e []byte) []byte { // in a payload
		e = bytes.Clone(e)
		binary.LittleEndian.PutUint32(e[9:], uint32(len(e)))
		return e
	}
	inside := [][]byte{plain(queryEvent("shop", "BEGIN", false)), plain(tableEvent(false)), plain(insertEvent(4, false)), plain(insertEvent(5, false)),
		plain(event(eventXID, 0, false, make([]byte, 8)))}
	server := &fake{t: t,
		answers: map[string][]string{
			"SELECT VERSION(), @@global.binlog_checksum":          {"8.4.3", "CRC32"},
			"SELECT @@global.gtid_executed, @@global.server_uuid": {strings.ToUpper(testUUID.String()) + ":1-5:8,\n4e11fa47-71ca-11e1-9e33-c80aa9429562:1", testUUID.String()},
			"SHOW BINARY LOG STATUS":                              {"log.000002", "500", "", "secret_db,other", ""},
		},
		events: [][]byte{
			event(eventRotate, flagArtificial, true, binary.LittleEndian.AppendUint64(nil, 4), []byte("log.000002")),
			formatEvent(1), event(eventPreviousGTIDs, 0, true, make([]byte, 8)),
			last(9), queryEvent("shop", "BEGIN", true), tableEvent(true), insertEvent(1, true), insertEvent(2, true), xid,
			last(10), queryEvent("shop", "DROP TABLE x", true),
			event(eventHeartbeat2, 0, true, []byte{0}),
			last(11), payloadEvent(t, true, inside...),
			last(12), payloadEvent(t, false, inside...),
			last(13), queryEvent("shop", "BEGIN", true), event(39, 0, true, make([]byte, 8)), xid,
			last(14), queryEvent("shop", "XA START X'61',X'',1", true), tableEvent(true), insertEvent(3, true), queryEvent("shop", "XA END X'61',X'',1", true),
			event(eventXAPrepare, 0, true, make([]byte, 8)),
			last(15), queryEvent("shop", "XA COMMIT X'61',X'',1", true),
			event(eventAnonymousGTID, 0, true, make([]byte, 42)),
		},
	}
	stream, err := Open(t.Context(), Config{MySQL: server.listen(), ServerID: 77, Columns: func(*Table) []int { return []int{0, 1, 2, 4} }})
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	start, place := stream.Start()
	if want := testUUID.String() + ":1-5:8,4e11fa47-71ca-11e1-9e33-c80aa9429562:1"; start.String() != want || place != (Place{"log.000002", 500}) || stream.Flavor() != MySQL {
		t.Errorf("starts at %s, %v", start, place)
	}
	if stream.Logs("Other") || !stream.Logs("shop") {
		t.Error("filters")
	}
	for i, want := range []string{
		"insert t [1 ab other NULL]; insert t [2 ab other NULL]",
		"statement DROP TABLE x",
		"insert t [4 ab other NULL]; insert t [5 ab other NULL]",
		"insert t [4 ab other NULL]; insert t [5 ab other NULL]",
		"unknown",
		"insert t [3 ab other NULL]",
		"statement XA COMMIT X'61',X'',1",
	} {
		got, end := transaction(t, stream)
		gtid := sets{{server: testUUID}: {{uint64(9 + i), uint64(9 + i)}}}
		if got != want || end.GTID.String() != gtid.String() || end.End.File != "log.000002" || end.Committed.Unix() != 1_700_000_000 {
			t.Errorf("%d: %s %s, want %s", i, got, end.GTID, want)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := stream.Next(ctx); err == nil || !strings.Contains(err.Error(), "gtid_mode") {
		t.Errorf("a transaction without GTID: %v", err)
	}
	// Flags 4, id 77, no name, position 4, 104 bytes: two servers, the first with two
	// ranges, whose ends are beyond the last.
	want := "0400" + "4d000000" + "00000000" + "0400000000000000" + "68000000" + "0200000000000000" +
		strings.ReplaceAll(testUUID.String(), "-", "") + "0200000000000000" + "0100000000000000" + "0600000000000000" + "0800000000000000" + "0900000000000000" +
		"4e11fa4771ca11e19e33c80aa9429562" + "0100000000000000" + "0100000000000000" + "0200000000000000"
	if got := hex.EncodeToString(server.dumped); got != want {
		t.Errorf("asked with %s, want %s", got, want)
	}
}

// TestColumnNames: of a table map's optional fields the one with names counts, if it has one
// for each column.
func TestColumnNames(t *testing.T) {
	for name, test := range map[string]struct{ optional, want string }{
		"signs and names": {"\x01\x01\x80\x04\x0b\x02id\x01n\x01j\x01d\x01x", "id n j d x"},
		"names alone":     {"\x04\x0a\x01i\x01n\x01j\x01d\x01x", "i n j d x"},
		"too few":         {"\x04\x08\x01i\x01n\x01j\x01d", ""},
		"too many":        {"\x04\x0c\x01i\x01n\x01j\x01d\x01x\x01y", ""},
		"cut off":         {"\x04\x0a\x01i\x01n", ""},
		"a name cut off":  {"\x04\x0a\x01i\x01n\x01j\x01d\x09x", ""},
		"nothing":         {"", ""},
	} {
		body := tableEvent(false)[headerSize:]
		table, err := parseTable(append(bytes.TrimSuffix(body, []byte("optional metadata")), test.optional...))
		if err != nil || strings.Join(table.Names, " ") != test.want {
			t.Errorf("%s: %q, %v", name, table.Names, err)
		}
	}
}

func TestChecksums(t *testing.T) {
	d := newDecoder(func(*Table) []int { return []int{0} }, 1<<20, true)
	for _, e := range [][]byte{formatEvent(1), gtidEvent(1, true), tableEvent(true)} {
		if err := d.event(e, false); err != nil {
			t.Fatal(err)
		}
	}
	damaged := insertEvent(1, true)
	damaged[25] ^= 1
	if err := d.event(damaged, false); err == nil {
		t.Error("a damaged event is taken")
	}
	inUse := formatEvent(1) // summed up before the flag was set
	inUse[17] |= flagInUse
	if err := d.event(inUse, false); err != nil {
		t.Error(err)
	}
	if err := d.event(formatEvent(0), false); err != nil || d.checksums {
		t.Errorf("without checksums: %v", err)
	}
}
