package mirror

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// TestMessages checks the parser against the rules of the standard.
func TestMessages(t *testing.T) {
	block := func(event, data string) message { return message{event: event, data: []byte(data), hasData: true} }
	withID := func(m message, id string) message { m.id, m.hasID = id, true; return m }
	for _, c := range []struct {
		name, in string
		want     []message
	}{
		{"nothing", "", nil},
		{"a message", "event: updated\ndata: {}\nid: a\n\n", []message{withID(block("updated", "{}"), "a")}},
		{"no name", "data: x\n\n", []message{block("", "x")}},
		{"no space, two spaces", "data:x\n\ndata:  x\n\n", []message{block("", "x"), block("", " x")}},
		{"lines of data", "data: a\ndata: b\n\n", []message{block("", "a\nb")}},
		{"empty data", "data\n\n", []message{block("", "")}},
		{"two empty lines of data", "data\ndata\n\n", []message{block("", "\n")}},
		{"a colon in the data", "data: a: b\n\n", []message{block("", "a: b")}},
		{"an id alone", "id: a\n\n", []message{withID(message{}, "a")}},
		{"an id doesn't stay", "id: a\ndata: 1\n\ndata: 2\n\n", []message{withID(block("", "1"), "a"), block("", "2")}},
		{"an empty id", "id\n\n", []message{withID(message{}, "")}},
		{"an id with a zero byte", "id: a\x00b\ndata: x\n\n", []message{block("", "x")}},
		{"comments", ": heartbeat\n\n:\ndata: x\n: y\n\n", []message{block("", "x")}},
		{"unknown fields", "retry: 10\ndata: x\nDATA: y\ndatum\n\n", []message{block("", "x")}},
		{"a name alone", "event: x\n\ndata: y\n\n", []message{block("", "y")}},
		{"CR", "data: a\rdata: b\r\rdata: c\r\r", []message{block("", "a\nb"), block("", "c")}},
		{"CRLF", "data: a\r\ndata: b\r\n\r\ndata: c\r\n\r\n", []message{block("", "a\nb"), block("", "c")}},
		{"mixed ends", "data: a\r\ndata: b\n\rdata: c\r\n\n", []message{block("", "a\nb"), block("", "c")}},
		{"byte order mark", "\ufeffdata: a\n\n", []message{block("", "a")}},
		{"byte order mark later", "data: a\n\n\ufeffdata: b\n\n", []message{block("", "a")}},
		{"cut off", "data: a\n\ndata: b\n", []message{block("", "a")}},
		{"cut off in a line", "data: a\n\nda", []message{block("", "a")}},
	} {
		for _, in := range []io.Reader{strings.NewReader(c.in), iotest.OneByteReader(strings.NewReader(c.in))} {
			got, err := allMessages(in, 1000)
			if err != io.EOF || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: %+v (%v), want %+v", c.name, got, err, c.want)
			}
		}
	}
}

func allMessages(in io.Reader, limit int) (all []message, err error) {
	r := newMessageReader(in, limit)
	for {
		m, err := r.next()
		if err != nil {
			return all, err
		}
		all = append(all, message{m.event, bytes.Clone(m.data), m.id, m.hasData, m.hasID})
	}
}

// TestMessageLimits checks that lines and messages without an end don't fill the memory.
func TestMessageLimits(t *testing.T) {
	for _, in := range []string{strings.Repeat("x", 200), "data: " + strings.Repeat("x", 200), strings.Repeat("data: 012345678\n", 20)} {
		if _, err := allMessages(strings.NewReader(in), 100); !errors.Is(err, errTooLong) {
			t.Errorf("%.20q…: %v", in, err)
		}
	}
	if got, err := allMessages(strings.NewReader("data: "+strings.Repeat("x", 90)+"\n\n"), 100); len(got) != 1 || err != io.EOF {
		t.Errorf("%d messages, %v", len(got), err)
	}
	// A message is returned as soon as its end has arrived, also after a CR.
	in, out := io.Pipe()
	go func() { _, _ = out.Write([]byte("data: x\r\r")) }()
	if m, err := newMessageReader(in, 100).next(); err != nil || string(m.data) != "x" {
		t.Errorf("%+v, %v", m, err)
	}
}

// FuzzMessages checks that messages are the same after they are written and parsed again, in
// any pieces.
func FuzzMessages(f *testing.F) {
	for _, seed := range []string{"event: a\ndata: {}\nid: x\n\n", "data\r\rid\n\n", "\ufeff:\r\ndata: a\ndata:b\n\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		const limit = 1 << 10
		got, err := allMessages(bytes.NewReader(in), limit)
		slow, slowErr := allMessages(iotest.OneByteReader(bytes.NewReader(in)), limit)
		if !reflect.DeepEqual(got, slow) || err != slowErr {
			t.Fatalf("%+v (%v), byte by byte %+v (%v)", got, err, slow, slowErr)
		}
		var out strings.Builder
		for _, m := range got {
			if len(m.data) >= limit || strings.ContainsAny(m.event+m.id, "\r\n") {
				t.Fatalf("%+v", m)
			}
			if m.event != "" {
				out.WriteString("event: " + m.event + "\n")
			}
			if m.hasID {
				out.WriteString("id: " + m.id + "\n")
			}
			if m.hasData {
				out.WriteString("data: " + strings.ReplaceAll(string(m.data), "\n", "\ndata: ") + "\n")
			}
			out.WriteByte('\n')
		}
		if again, err := allMessages(strings.NewReader(out.String()), 2*limit); err != io.EOF || !reflect.DeepEqual(again, got) {
			t.Fatalf("%+v (%v), want %+v", again, err, got)
		}
	})
}
