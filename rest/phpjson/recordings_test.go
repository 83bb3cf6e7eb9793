package phpjson

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"calbridge/testdata"
)

// Every recorded JSON body must survive reading and writing byte for byte.
func TestRecordedBodies(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short: the race detector finds nothing in a single goroutine")
	}
	files, _ := filepath.Glob(filepath.Join(testdata.Shared(t, "recordings"), "*", "*.jsonl.gz"))
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	type exchange struct {
		Response struct{ Body string }
	}
	compact, pretty := 0, 0
	check := func(body string) {
		if body == "" || body[0] != '{' && body[0] != '[' {
			return
		}
		v, err := Reparse([]byte(body))
		if err != nil {
			t.Errorf("%.80s: %v", body, err)
			return
		}
		if strings.HasPrefix(body, "{\n") {
			pretty++
			if got := string(Indent(nil, Append(nil, v))); got != body {
				t.Errorf("%.80s comes out as %.80s", body, got)
			}
			return
		}
		compact++
		if got := string(Append(nil, v)); got != body {
			t.Errorf("%.80s comes out as %.80s", body, got)
		}
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		unzipped, err := gzip.NewReader(file)
		if err != nil {
			t.Fatal(err)
		}
		for lines := json.NewDecoder(unzipped); ; {
			var line struct {
				exchange
				Steps []exchange
			}
			if err := lines.Decode(&line); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			check(line.Response.Body)
			for _, step := range line.Steps {
				check(step.Response.Body)
			}
		}
		file.Close()
	}
	if compact == 0 || pretty == 0 {
		t.Error("found no bodies")
	}
	t.Logf("%d compact and %d pretty bodies", compact, pretty)
}
