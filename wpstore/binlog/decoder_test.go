package binlog

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"slices"
	"testing"
	"time"

	"calbridge/wpstore/mysqlwire"
)

func TestValues(t *testing.T) {
	for name, test := range map[string]struct {
		number byte
		meta   uint16
		data   string
		want   Value
		left   int
	}{
		"tiny":             {1, 0, "\xff", Value{Kind: Integer, Int: -1}, 0},
		"short":            {2, 0, "\x00\x80", Value{Kind: Integer, Int: -32768}, 0},
		"medium":           {9, 0, "\xff\xff\x7f", Value{Kind: Integer, Int: 1<<23 - 1}, 0},
		"medium below 0":   {9, 0, "\x00\x00\x80", Value{Kind: Integer, Int: -1 << 23}, 0},
		"long":             {3, 0, "\x01\x00\x00\x00", Value{Kind: Integer, Int: 1}, 0},
		"bigint":           {8, 0, "\x00\x00\x00\x00\x00\x00\x00\x80", Value{Kind: Integer, Int: -1 << 63}, 0},
		"varchar":          {15, 255, "\x02abc", Value{Kind: Bytes, Bytes: []byte("ab")}, 1},
		"long varchar":     {15, 256, "\x02\x00abc", Value{Kind: Bytes, Bytes: []byte("ab")}, 1},
		"char of 255":      {typeString, 255, "\x01ab", Value{Kind: Bytes, Bytes: []byte("a")}, 1},
		"text":             {252, 2, "\x01\x00ab", Value{Kind: Bytes, Bytes: []byte("a")}, 1},
		"long text":        {252, 4, "\x01\x00\x00\x00a", Value{Kind: Bytes, Bytes: []byte("a")}, 0},
		"enum of two":      {247, 0xf702, "\x01\x00.", Value{Kind: Other}, 1},
		"bit(8)":           {16, 0x0100, "\x01.", Value{Kind: Other}, 1},
		"bit(9)":           {16, 0x0101, "\x01\x02.", Value{Kind: Other}, 1},
		"decimal(10,2)":    {246, 10<<8 | 2, "12345.", Value{Kind: Other}, 1},
		"decimal(65,30)":   {246, 65<<8 | 30, "123456789012345678901234567890.", Value{Kind: Other}, 1},
		"decimal(9,0)":     {246, 9 << 8, "1234.", Value{Kind: Other}, 1},
		"year":             {13, 0, "1.", Value{Kind: Other}, 1},
		"date":             {10, 0, "123.", Value{Kind: Other}, 1},
		"datetime":         {18, 0, "12345.", Value{Kind: Other}, 1},
		"datetime(6)":      {18, 6, "12345678.", Value{Kind: Other}, 1},
		"datetime(1)":      {18, 1, "123456.", Value{Kind: Other}, 1},
		"time(3)":          {19, 3, "12345.", Value{Kind: Other}, 1},
		"timestamp(4)":     {17, 4, "123456.", Value{Kind: Other}, 1},
		"double":           {5, 8, "12345678.", Value{Kind: Other}, 1},
		"float":            {4, 4, "1234.", Value{Kind: Other}, 1},
		"json":             {245, 4, "\x02\x00\x00\x00ab.", Value{Kind: Other}, 1},
		"vector":           {242, 4, "\x02\x00\x00\x00ab.", Value{Kind: Other}, 1},
		"compressed text":  {140, 1, "\x02ab.", Value{Kind: Other}, 1},
		"compressed short": {141, 10, "\x02ab.", Value{Kind: Other}, 1},
	} {
		r := mysqlwire.Fields{Rest: []byte(test.data)}
		got, err := columnTypes[test.number].value(&r, test.meta)
		if err != nil || got.Kind != test.want.Kind || got.Int != test.want.Int || string(got.Bytes) != string(test.want.Bytes) || len(r.Rest) != test.left {
			t.Errorf("%s: %+v, %d left, %v", name, got, len(r.Rest), err)
		}
		r = mysqlwire.Fields{Rest: []byte(test.data)[:len(test.data)-test.left-1]}
		if _, err := columnTypes[test.number].value(&r, test.meta); err == nil {
			t.Errorf("%s: cut short, and no error", name)
		}
	}
	r := mysqlwire.Fields{Rest: make([]byte, 100)}
	if _, err := columnTypes[20].value(&r, 0); !errors.Is(err, errType) {
		t.Errorf("an unknown type: %v", err)
	}
}

func TestStringTypes(t *testing.T) {
	for _, test := range []struct {
		meta     uint16
		number   byte
		wantMeta uint16
	}{
		{0xfe28, typeString, 0x28}, {0xf701, 247, 1}, {0xf808, 248, 8}, {0xee20, typeString, 0x120}, {0xcefc, typeString, 0x3fc},
	} {
		if kind, meta := stringType(test.meta); kind != test.number || meta != test.wantMeta {
			t.Errorf("%x: %d, %x", test.meta, kind, meta)
		}
	}
}

func TestPlaces(t *testing.T) {
	inOrder := []Place{{"log.000001", 4}, {"log.000001", 900}, {"log.000009", 4}, {"log.000010", 4}, {"log.999999", 5000}, {"log.1000000", 4}}
	for i, a := range inOrder {
		for j, b := range inOrder {
			if a.Before(b) != (i < j) {
				t.Errorf("%v before %v: %v", a, b, a.Before(b))
			}
		}
	}
	d := newDecoder(nil, 0, false)
	d.place = Place{"log.1", 1<<32 - 100}
	for _, want := range []uint64{1<<32 - 50, 1<<32 + 20, 1<<32 + 30} {
		if d.moveTo(uint32(want)); d.place.Position != want {
			t.Errorf("at %d, want %d", d.place.Position, want)
		}
	}
}

// TestFiles: a file that neither a stop nor its server's rotation ends is torn.
func TestFiles(t *testing.T) {
	d := newDecoder(nil, 1<<16, false)
	rotate := func(flags uint16, name string) []byte {
		return event(eventRotate, flags, false, binary.LittleEndian.AppendUint64(nil, 4), []byte(name))
	}
	for _, e := range [][]byte{
		rotate(flagArtificial, "log.1"), formatEvent(0),
		rotate(0, "log.2"), rotate(flagArtificial, "log.2"), formatEvent(0), // FLUSH BINARY LOGS
		event(eventStop, 0, false), rotate(flagArtificial, "log.3"), formatEvent(0), // a shutdown
		rotate(flagArtificial, "log.4"), // a crash
	} {
		if err := d.event(e, false); err != nil {
			t.Fatal(err)
		}
	}
	var files []File
	for _, e := range d.pending {
		if f, ok := e.(*File); ok {
			files = append(files, *f)
		}
	}
	if want := []File{{"log.1", false}, {"log.2", false}, {"log.3", false}, {"log.4", true}}; !slices.Equal(files, want) {
		t.Errorf("%v", files)
	}
}

func TestPositions(t *testing.T) {
	const a, b = "3e11fa47-71ca-11e1-9e33-c80aa9429562", "4e11fa47-71ca-11e1-9e33-c80aa9429562"
	for _, test := range []struct {
		flavor      Flavor
		one, other  string
		contains    bool
		merged, say string
	}{
		{MariaDB, "", "", true, "", ""},
		{MariaDB, "0-1-5", "", true, "0-1-5", ""},
		{MariaDB, "", "0-1-5", false, "0-1-5", ""},
		{MariaDB, "0-1-5", "0-2-5", true, "0-1-5", ""},
		{MariaDB, "0-1-5,1-1-2", "0-2-6", false, "0-2-6,1-1-2", ""},
		{MariaDB, "1-1-2,0-1-5", "1-1-2", true, "0-1-5,1-1-2", "0-1-5,1-1-2"},
		{MySQL, a + ":1-5", a + ":2-3", true, a + ":1-5", ""},
		{MySQL, a + ":1-5:7-9", a + ":6", false, a + ":1-9", ""},
		{MySQL, a + ":1-5:7-9", a + ":4-8", false, a + ":1-9", ""},
		{MySQL, a + ":7-9:1-5:6,", a + ":1-9", true, a + ":1-9", a + ":1-9"},
		{MySQL, a + ":1-5", b + ":1", false, a + ":1-5," + b + ":1", ""},
		{MySQL, b + ":1,\n" + a + ":3", a + ":3", true, a + ":3," + b + ":1", a + ":3," + b + ":1"},
	} {
		one, err1 := ParsePosition(test.flavor, test.one)
		other, err2 := ParsePosition(test.flavor, test.other)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		before := one.String()
		if got := one.Contains(other); got != test.contains {
			t.Errorf("%s contains %s: %v", one, other, got)
		}
		if got := one.Merge(other).String(); got != test.merged {
			t.Errorf("%s and %s: %s", one, other, got)
		}
		if test.say != "" && one.String() != test.say || one.String() != before {
			t.Errorf("%s says %s", test.one, one)
		}
	}
	for _, wrong := range []string{"0-1", "0-1-x", "a", "0-1-5;", "-1-1-1", "0-4294967296-1"} {
		if _, err := ParsePosition(MariaDB, wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
	for _, wrong := range []string{"x", a + ":0", a + ":5-4", a[1:] + ":1", a + ":1-"} {
		if _, err := ParsePosition(MySQL, wrong); err == nil {
			t.Errorf("%q is taken", wrong)
		}
	}
	mariadb, _ := ParsePosition(MariaDB, "0-1-1")
	mysql, _ := ParsePosition(MySQL, a+":1")
	if mariadb.Contains(mysql) || mysql.Contains(mariadb) {
		t.Error("positions of different servers contain each other")
	}
}

func TestSilenceEndsTheStream(t *testing.T) {
	t.Parallel()
	conn, err := mysqlwire.Dial(t.Context(), (&fake{t: t}).listen(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &Stream{conn: conn, decoder: newDecoder(nil, 0, false), limit: 100}
	start := time.Now()
	var timeout net.Error
	if _, err := s.Next(context.Background()); !errors.As(err, &timeout) || !timeout.Timeout() {
		t.Errorf("silence: %v", err)
	}
	if took := time.Since(start); took < silence || took > 40*silence {
		t.Errorf("noticed after %s", took)
	}
	if _, err := s.Next(context.Background()); err == nil {
		t.Error("a broken stream goes on")
	}
}
