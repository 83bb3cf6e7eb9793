package langpack_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"calbridge/wpstore/langpack"
)

// message is an entry of a file as it stands there.
type message struct{ original, translation string }

func sample() []message {
	return []message{
		{"", "Content-Type: text/plain; charset=UTF-8\n"},
		{"Free", "Zdarma"},
		{"opening curly double quote\x04&#8220;", "&#8222;"},
		{"Event\x00Events", "Akce\x00Akcí"},
		{"not translated", ""},
		{"broken", "\xff"},
	}
}

// mo writes a .mo file: header, table of originals, table of translations, texts.
func mo(order binary.AppendByteOrder, messages []message) []byte {
	var tables, texts []byte
	n := len(messages)
	start := 28 + 16*n
	row := func(text string) {
		tables = order.AppendUint32(tables, uint32(len(text)))
		tables = order.AppendUint32(tables, uint32(start+len(texts)))
		texts = append(texts, text+"\x00"...)
	}
	for _, m := range messages {
		row(m.original)
	}
	for _, m := range messages {
		row(m.translation)
	}
	var file []byte
	for _, field := range []int{0x950412de, 0, n, 28, 28 + 8*n, 0, 0} {
		file = order.AppendUint32(file, uint32(field))
	}
	return append(append(file, tables...), texts...)
}

// expectSample checks the lookup of the entries of sample.
func expectSample(t *testing.T, c *langpack.Catalogue) {
	t.Helper()
	for _, tt := range []struct{ context, text, want string }{
		{"", "Free", "Zdarma"},
		{"opening curly double quote", "&#8220;", "&#8222;"},
		{"", "&#8220;", ""},
		{"another context", "Free", ""},
		{"", "Event", "Akce"},
		{"", "not translated", ""},
		{"", "broken", ""},
		{"", "", ""},
	} {
		if got, ok := c.Lookup(tt.context, tt.text); got != tt.want || ok != (tt.want != "") {
			t.Errorf("Lookup(%q, %q) = %q, %v; want %q", tt.context, tt.text, got, ok, tt.want)
		}
	}
	if c.Len() != 3 {
		t.Errorf("Len() = %d, want 3", c.Len())
	}
}

func TestParseMO(t *testing.T) {
	for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
		c, err := langpack.ParseMO(mo(order, sample()))
		if err != nil {
			t.Fatalf("%v: %v", order, err)
		}
		expectSample(t, c)
	}
	var none *langpack.Catalogue
	if _, ok := none.Lookup("", "Free"); ok || none.Len() != 0 {
		t.Error("a nil catalogue has a translation")
	}
}

// TestParseMOBroken cuts a file everywhere, and lets each field of the header lie.
func TestParseMOBroken(t *testing.T) {
	file := mo(binary.LittleEndian, sample())
	for n := range len(file) - 1 { // the last text's NUL may be missing
		if _, err := langpack.ParseMO(file[:n]); err == nil {
			t.Errorf("the first %d of %d bytes were accepted", n, len(file))
		}
	}
	for _, tt := range []struct {
		offset int
		value  uint32
		want   string
	}{
		{0, 0x950412df, "does not begin like a .mo file"},
		{4, 2 << 16, "revision 2"},
		{8, 200_001, "200001 entries"},
		{8, 1 << 31, "2147483648 entries"},
		{12, 0xffffffff, "table of entry 0"},
		{16, uint32(len(file)) - 4, "table of entry 0"},
		{28, 0xffffffff, "text of entry 0"},
		{32, 0xfffffff0, "text of entry 0"},
	} {
		broken := bytes.Clone(file)
		binary.LittleEndian.PutUint32(broken[tt.offset:], tt.value)
		if _, err := langpack.ParseMO(broken); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%#x at %d: error %v, want %q", tt.value, tt.offset, err, tt.want)
		}
	}
	if _, err := langpack.ParseMO(make([]byte, langpack.MaxFile+1)); err == nil || !strings.Contains(err.Error(), "16 MiB") {
		t.Errorf("a large file: %v", err)
	}
}

func FuzzParseMO(f *testing.F) {
	f.Add(mo(binary.LittleEndian, sample()))
	f.Add(mo(binary.BigEndian, sample()))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := langpack.ParseMO(data)
		if err == nil {
			c.Lookup("", "Free")
		} else if c != nil {
			t.Error("an error and a catalogue")
		}
	})
}
