package mysqlwire

import (
	"bytes"
	"context"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// dialFake logs in to a server that answers commands with packets.
func dialFake(t *testing.T, answers map[string][]string) *Conn {
	t.Helper()
	f := &fake{t: t, version: "8.4.3", plugin: pluginNative, password: "secret", answers: answers}
	c, err := Dial(t.Context(), f.listen("tcp"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	t.Cleanup(c.Bound(t.Context(), time.Minute))
	return c
}

// Packets by the documentation of the protocol.
const (
	okay     = "\x00\x00\x00\x02\x00\x00\x00"
	end      = "\xfe\x00\x00\x02\x00"
	newerEnd = "\xfe\x00\x00\x02\x00\x00\x00"
	noTable  = "\xff\x7a\x04#42S02no such table"
	column   = "\x03def"
)

// TestResults reads results in the forms that servers have for them.
func TestResults(t *testing.T) {
	long := strings.Repeat("x", 300)
	for name, test := range map[string]struct {
		answer []string
		want   []string // rows
		number uint16   // of the server's error
		err    error
	}{
		"two rows":               {answer: []string{"\x02", column, column, end, "\x01a\xfb", "\x01b\x01c", end}, want: []string{"\x01a\xfb", "\x01b\x01c"}},
		"newer end":              {answer: []string{"\x01", column, "\x01a", newerEnd}, want: []string{"\x01a"}},
		"no descriptions":        {answer: []string{"\x01\x00", "\x01a", newerEnd}, want: []string{"\x01a"}}, // MariaDB
		"a long value":           {answer: []string{"\x01", column, end, "\xfc\x2c\x01" + long, end}, want: []string{"\xfc\x2c\x01" + long}},
		"no rows":                {answer: []string{"\x01", column, end, end}},
		"an error":               {answer: []string{noTable}, number: 1146},
		"an error after rows":    {answer: []string{"\x01", column, end, "\x01a", noTable}, want: []string{"\x01a"}, number: 1146},
		"an error without state": {answer: []string{"\xff\x7a\x04no state"}, number: 1146},
		"no result":              {answer: []string{okay}, err: ErrMalformed},
		"a request for a file":   {answer: []string{"\xfbfile"}, err: ErrMalformed},
		"too many columns":       {answer: []string{"\xfc\xff\xff"}, err: ErrMalformed},
		"half a number":          {answer: []string{"\xfc\x01"}, err: ErrMalformed},
		"an empty packet":        {answer: []string{""}, err: ErrMalformed},
		"an empty row":           {answer: []string{"\x01", column, end, ""}, err: ErrMalformed},
		"a short error":          {answer: []string{"\xff\x7a"}, err: ErrMalformed},
	} {
		var stream []byte
		for i, packet := range test.answer {
			stream = AppendPacket(stream, byte(i+1), []byte(packet))
		}
		r := NewReader(bytes.NewReader(stream), 1<<10)
		var got []string
		_, err := r.Columns()
		for err == nil {
			var row []byte
			if row, err = r.Row(1 << 10); row == nil {
				break
			}
			got = append(got, string(row))
		}
		var serverErr *mysql.MySQLError
		if errors.As(err, &serverErr) != (test.number != 0) || serverErr != nil && serverErr.Number != test.number {
			t.Errorf("%s: %v", name, err)
		}
		if !slices.Equal(got, test.want) || test.number == 0 && !errors.Is(err, test.err) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
		if _, err := NewReader(bytes.NewReader(nil), 16).Columns(); err != io.ErrUnexpectedEOF {
			t.Errorf("%s: nothing: %v", name, err)
		}
	}
}

// TestFirstRow reads the same packets with the driver.
func TestFirstRow(t *testing.T) {
	number := "\x03def\x00\x00\x00\x01n\x00\x0c\x2d\x00\x14\x00\x00\x00\x08\x00\x00\x00\x00\x00"
	c := dialFake(t, map[string][]string{
		"\x03rows":    {"\x02", number, number, end, "\x012\xfb", "\x013\x014", end},
		"\x03no rows": {"\x01", number, end, end},
		"\x03missing": {noTable},
		"\x03half":    {"\x01", number, end, noTable},
	})
	for statement, want := range map[string][]string{"rows": {"2", ""}, "no rows": nil} {
		if got, err := c.FirstRow(t.Context(), statement); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", statement, got, err)
		}
	}
	for _, statement := range []string{"missing", "half"} {
		var serverErr *mysql.MySQLError
		if _, err := c.FirstRow(t.Context(), statement); !errors.As(err, &serverErr) || serverErr.Number != 1146 {
			t.Errorf("%s: %v", statement, err)
		}
	}
}

func TestCommands(t *testing.T) {
	c := dialFake(t, map[string][]string{"\x15\x01\x02": {okay}, "\x15\x03": {noTable}, "\x15\x04": {"\x01"}, "\x03SET x": {noTable}})
	if err := c.Command(ComRegisterSlave, []byte{1, 2}); err != nil {
		t.Fatal(err)
	}
	if err := c.OK(); err != nil {
		t.Error(err)
	}
	if err := c.Exec(t.Context(), "SET y"); err != nil {
		t.Error(err)
	}
	var serverErr *mysql.MySQLError
	if err := c.Exec(t.Context(), "SET x"); !errors.As(err, &serverErr) || string(serverErr.SQLState[:]) != "42S02" || serverErr.Message != "no such table" {
		t.Errorf("a statement that fails: %v", err)
	}
	for argument, want := range map[byte]string{3: "no such table", 4: ErrMalformed.Error()} {
		if err := c.Command(ComRegisterSlave, []byte{argument}); err != nil {
			t.Fatal(err)
		}
		if err := c.OK(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("a command that fails: %v, want %s", err, want)
		}
	}
}

// TestBound: reads end with the context, its deadline, and the time.
func TestBound(t *testing.T) {
	for name, bound := range map[string]func() (context.Context, time.Duration){
		"time":     func() (context.Context, time.Duration) { return t.Context(), time.Millisecond },
		"deadline": func() (context.Context, time.Duration) { return within(t, time.Millisecond), time.Hour },
		"cancel": func() (context.Context, time.Duration) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Millisecond, cancel)
			return ctx, time.Hour
		},
	} {
		c := dialFake(t, nil)
		done := c.Bound(bound())
		var timeout net.Error
		if err := c.OK(); !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("%s: %v", name, err)
		}
		done()
		if err := c.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := c.Exec(t.Context(), "DO 1"); err == nil {
			t.Errorf("%s: a closed connection works", name)
		}
	}
}

func within(t *testing.T, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), d)
	t.Cleanup(cancel)
	return ctx
}

// TestReaderState: what a reader says of its buffers.
func TestReaderState(t *testing.T) {
	large := bytes.Repeat([]byte("x"), usualSize+1)
	stream := AppendQuery(nil, "SELECT 1")
	if want := "\x09\x00\x00\x00\x03SELECT 1"; string(stream) != want {
		t.Fatalf("%q, want %q", stream, want)
	}
	r := NewReader(bytes.NewReader(AppendPacket(stream, 7, large)), 64)
	if sequence, err := r.Follow(); err != nil || sequence != 0 || r.Buffered() == 0 {
		t.Errorf("sequence %d, %d buffered, %v", sequence, r.Buffered(), err)
	}
	if data, _, err := r.Read(100); err != nil || string(data) != "\x03SELECT 1" {
		t.Errorf("%q, %v", data, err)
	}
	if sequence, err := r.Follow(); err != nil || sequence != 7 {
		t.Errorf("sequence %d, %v", sequence, err)
	}
	if data, _, err := r.Read(len(large)); err != nil || !bytes.Equal(data, large) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	if r.Shrink(); r.long != nil {
		t.Errorf("%d bytes stay in memory", cap(r.long))
	}
	if _, err := r.Follow(); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
}

// TestDriverPanics: a packet at which the driver panics, such as a description of a column that
// ends before a length in it, is an error of that connection.
func TestDriverPanics(t *testing.T) {
	damaged := "\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"
	c := dialFake(t, map[string][]string{"\x03SELECT 1": {"\x01", damaged}})
	if _, err := c.FirstRow(t.Context(), "SELECT 1"); !errors.Is(err, mysql.ErrInvalidConn) {
		t.Errorf("error %v", err)
	}
	if v := c.driver.(driver.Validator); v.IsValid() {
		t.Error("the connection would be used again")
	}
	if err := c.Exec(t.Context(), "SELECT 2"); err == nil {
		t.Error("the connection still works")
	}
}
