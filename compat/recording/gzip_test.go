package recording

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestGzipFile checks that a compressed recording, cut off anywhere by a crash, continues
// after its last whole line and stays readable.
func TestGzipFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "town.jsonl.gz")
	add := func(lines ...string) error {
		f, err := OpenGzip(name)
		if err != nil {
			return err
		}
		for _, line := range lines {
			if _, err := fmt.Fprintln(f, line); err != nil {
				t.Fatal(err)
			}
		}
		return f.Close()
	}
	read := func() (lines []string) {
		t.Helper()
		err := Read([]string{name}, func(e Entry) error {
			switch {
			case e.Header != nil:
				lines = append(lines, "header")
			case e.Exchange != nil:
				lines = append(lines, e.Exchange.ID)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return lines
	}
	exchange := func(id string) string {
		return fmt.Sprintf(`{"id":%q,"as":"anonymous","request":{"method":"GET","path":"/"},"response":{"status":200,"headers":{},"body":"x"}}`, id)
	}
	whole := []string{"header", "a", "b", "c"}
	if err := add(`{"format":"`+HeaderFormat+`"}`, exchange("a")); err != nil {
		t.Fatal(err)
	}
	if err := add(exchange("b"), exchange("c")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := add(); err != nil { // nothing to add
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil || strings.Join(read(), " ") != strings.Join(whole, " ") {
		t.Fatal(err, read())
	}
	for length := range data {
		if err := os.WriteFile(name, data[:length], 0o600); err != nil {
			t.Fatal(err)
		}
		if err := add(); err != nil {
			t.Fatalf("cut off at %d: %v", length, err)
		}
		have := read()
		if len(have) > len(whole) || strings.Join(have, " ") != strings.Join(whole[:len(have)], " ") || len(have) < 4 && length > len(data)-5 {
			t.Fatalf("cut off at %d: %v", length, have)
		}
		if len(have) == 0 {
			continue
		}
		if err := add(exchange("d")); err != nil {
			t.Fatal(err)
		}
		if again := read(); len(again) != len(have)+1 || again[len(have)] != "d" {
			t.Fatalf("cut off at %d and continued: %v", length, again)
		}
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(name), "*"))
	if err != nil || len(left) != 1 {
		t.Errorf("files left: %v", left)
	}
	for _, wrong := range [][]byte{[]byte("hello"), []byte("hello, this is text"), bytes.Repeat([]byte{0x1f, 0x8b}, 20)} {
		if err := os.WriteFile(name, wrong, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := add(exchange("a")); err == nil {
			t.Errorf("%q is continued", wrong)
		}
		if got, _ := os.ReadFile(name); !bytes.Equal(got, wrong) {
			t.Errorf("%q was changed", wrong)
		}
	}
}
