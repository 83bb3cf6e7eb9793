package compat

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const caseLine = `{"id":"c-1","as":"jana","steps":[{"request":{"method":"POST","path":"/x","headers":{},"body":"{}"},"response":{"status":201,"headers":{"set-cookie":["a","b"],"allow":"GET"},"body":"{}"},"noise":["$.id"]},` +
	`{"as":"anonymous","request":{"method":"GET","path":"/x/1","headers":{},"body":null},"response":{"status":200,"headers":{},"body":""}}],` +
	`"rows":{"wp_posts":{"inserted":[{"ID":9007199254740993,"post_title":"x","post_parent":null}],"updated":[{"key":{"ID":1},"before":{"n":"1"},"after":{"n":"2"},"option_name":"cron"}],"deleted":[{"ID":2}]}},"noise":["rows.wp_posts.inserted[0].post_name"]}`

func TestReadWriteCases(t *testing.T) {
	file := writeFile(t, "writes.jsonl", caseLine+"\n")
	var got *Case
	if err := ReadRecordings([]string{file}, func(e Entry) error { got = e.Case; return nil }); err != nil {
		t.Fatal(err)
	}
	change := got.Rows["wp_posts"]
	want := TableChange{
		Inserted: []Row{{"ID": json.Number("9007199254740993"), "post_title": "x", "post_parent": nil}},
		Updated:  []RowUpdate{{Key: Row{"ID": json.Number("1")}, Before: Row{"n": "1"}, After: Row{"n": "2"}, OptionName: "cron"}},
		Deleted:  []Row{{"ID": json.Number("2")}},
	}
	if diff := cmp.Diff(want, change); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	first, second := got.Exchange(0), got.Exchange(1)
	if first.ID != "c-1/1" || first.As != "jana" || second.As != "anonymous" || second.Request.Body != nil || first.Noise[0] != "$.id" || first.Line != 1 {
		t.Errorf("steps %+v %+v", first, second)
	}
	if values := first.Response.Headers["set-cookie"]; len(values) != 2 {
		t.Errorf("header values %v", values)
	}
	again, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	back := new(Case)
	if err := decodeNumbersExactly(again, back); err != nil {
		t.Fatal(err)
	}
	back.File, back.Line = got.File, got.Line
	if diff := cmp.Diff(got, back); diff != "" {
		t.Errorf("a case does not survive writing and reading:\n%s", diff)
	}
}

func TestReadRecordings(t *testing.T) {
	line, err := json.Marshal(exchange("a", "GET", "/", strings.Repeat("x", 300_000)))
	if err != nil {
		t.Fatal(err)
	}
	text := `{"format":"x/1","clock":1}` + "\n\n" + string(line) + "\r\n" + strings.TrimSuffix(caseLine, "\n")
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(text))
	z.Close()
	dir := t.TempDir()
	for name, data := range map[string][]byte{"b.jsonl": []byte(text), "a.dat": packed.Bytes()} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := ExpandGlobs([]string{filepath.Join(dir, "*.dat"), filepath.Join(dir, "*")})
	if err != nil || len(files) != 2 || filepath.Base(files[0]) != "a.dat" {
		t.Fatalf("files %v, error %v", files, err)
	}
	var kinds []string
	err = ReadRecordings(files, func(e Entry) error {
		switch {
		case e.Exchange != nil:
			kinds = append(kinds, "exchange")
		case e.Case != nil:
			kinds = append(kinds, "case")
		case e.Header != nil:
			kinds = append(kinds, "header")
		}
		return nil
	})
	if err != nil || strings.Join(kinds, " ") != "header exchange case header exchange case" {
		t.Errorf("%v, error %v", kinds, err)
	}
	count := 0
	if err := ReadRecordings(files, func(Entry) error { count++; return ErrStop }); err != nil || count != 1 {
		t.Errorf("stopped after %d, error %v", count, err)
	}
	for _, bad := range []string{"x", "[1]", `{"a":1}`, `{"request":{"method":"GET"}}`, `{"steps":[]}`, `{"steps":5}`, `{"request":5}`,
		`{"request":{"method":"GET","path":"/"},"response":{"headers":{"a":5}}}`, "\x1f\x8bnot gzip"} {
		file := writeFile(t, "bad", "\n"+bad+"\n")
		if bad[0] == 0x1f {
			file = writeFile(t, "bad", bad)
		}
		if err := ReadRecordings([]string{file}, func(Entry) error { return nil }); err == nil || !strings.Contains(err.Error(), "bad") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}
