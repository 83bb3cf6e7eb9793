package phpserial

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"calbridge/testdata"
	"calbridge/wpstore/php"
)

// sqlTexts calls found with each quoted text of a MySQL dump.
func sqlTexts(r io.Reader, found func(text string)) error {
	in := bufio.NewReaderSize(r, 1<<16)
	var text []byte
	quoted := false
	for {
		c, err := in.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case !quoted:
			quoted = c == '\''
			text = text[:0]
		case c == '\\':
			if c, err = in.ReadByte(); err != nil {
				return err
			}
			if plain, ok := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '0': 0, 'Z': 26}[c]; ok {
				c = plain
			}
			text = append(text, c)
		case c == '\'':
			if next, err := in.Peek(1); err == nil && next[0] == '\'' {
				in.Discard(1)
				text = append(text, c)
				continue
			}
			quoted = false
			found(string(text))
		default:
			text = append(text, c)
		}
	}
}

// What WordPress itself wrote must come out byte for byte.
func TestRecordedSites(t *testing.T) {
	dumps, _ := filepath.Glob(filepath.Join(testdata.Shared(t, "sites"), "*.sql.gz"))
	for _, dump := range dumps {
		t.Run(filepath.Base(dump), func(t *testing.T) {
			file, err := os.Open(dump)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			unzipped, err := gzip.NewReader(file)
			if err != nil {
				t.Fatal(err)
			}
			same, texts := 0, 0
			err = sqlTexts(unzipped, func(text string) {
				texts++
				if !LooksSerialized(text) {
					return
				}
				v, err := Unserialize(php.Trim(text))
				if err != nil {
					t.Errorf("%.200q: %v", text, err)
					return
				}
				if got := Serialize(v); got != php.Trim(text) {
					t.Errorf("%.200q comes out as %.200q", text, got)
				}
				same++
			})
			if err != nil {
				t.Fatal(err)
			}
			if same == 0 {
				t.Error("found no serialized value")
			}
			t.Logf("%d of %d texts are serialized", same, texts)
		})
	}
}
