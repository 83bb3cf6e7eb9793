package recording_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

func TestReadWriteCases(t *testing.T) {
	file := compattest.WriteFile(t, "writes.jsonl", compattest.CaseLine+"\n")
	var got *recording.Case
	if err := recording.Read([]string{file}, func(e recording.Entry) error { got = e.Case; return nil }); err != nil {
		t.Fatal(err)
	}
	change := got.Rows["wp_posts"]
	want := recording.TableChange{
		Inserted: []recording.Row{{"ID": json.Number("9007199254740993"), "post_title": "x", "post_parent": nil}},
		Updated:  []recording.RowUpdate{{Key: recording.Row{"ID": json.Number("1")}, Before: recording.Row{"n": "1"}, After: recording.Row{"n": "2"}, OptionName: "cron"}},
		Deleted:  []recording.Row{{"ID": json.Number("2")}},
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
	back := new(recording.Case)
	if err := recording.DecodeNumbers(again, back); err != nil {
		t.Fatal(err)
	}
	back.File, back.Line = got.File, got.Line
	if diff := cmp.Diff(got, back); diff != "" {
		t.Errorf("a case does not survive writing and reading:\n%s", diff)
	}
}

func TestReadRecordings(t *testing.T) {
	line, err := json.Marshal(compattest.Exchange("a", "GET", "/", strings.Repeat("x", 300_000)))
	if err != nil {
		t.Fatal(err)
	}
	text := `{"format":"x/1","clock":1}` + "\n\n" + string(line) + "\r\n" + strings.TrimSuffix(compattest.CaseLine, "\n")
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
	files, err := recording.ExpandGlobs([]string{filepath.Join(dir, "*.dat"), filepath.Join(dir, "*")})
	if err != nil || len(files) != 2 || filepath.Base(files[0]) != "a.dat" {
		t.Fatalf("files %v, error %v", files, err)
	}
	var kinds []string
	err = recording.Read(files, func(e recording.Entry) error {
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
	if err := recording.Read(files, func(recording.Entry) error { count++; return recording.ErrStop }); err != nil || count != 1 {
		t.Errorf("stopped after %d, error %v", count, err)
	}
	for _, bad := range []string{"x", "[1]", `{"a":1}`, `{"request":{"method":"GET"}}`, `{"steps":[]}`, `{"steps":5}`, `{"request":5}`,
		`{"request":{"method":"GET","path":"/"},"response":{"headers":{"a":5}}}`, "\x1f\x8bnot gzip"} {
		file := compattest.WriteFile(t, "bad", "\n"+bad+"\n")
		if bad[0] == 0x1f {
			file = compattest.WriteFile(t, "bad", bad)
		}
		if err := recording.Read([]string{file}, func(recording.Entry) error { return nil }); err == nil || !strings.Contains(err.Error(), "bad") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}
