package phpform

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
	"calbridge/wpstore/php"
)

type page struct {
	Self     string `json:"rest_url"`
	Next     string `json:"next_rest_url"`
	Previous string `json:"previous_rest_url"`
	Body     *page  // of an envelope
}

// The URLs of neighbouring pages must follow from a list's own URL and the page asked
// for.
func TestRecordedPageLinks(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(testdata.Shared(t, "recordings"), "*", "reads-*.jsonl.gz"))
	if len(files) == 0 {
		t.Fatal("no recordings")
	}
	next, previous, filtered := 0, 0, 0
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
				ID       string
				Request  struct{ Path string }
				Response struct{ Body string }
			}
			if err := lines.Decode(&line); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			var p page
			if json.Unmarshal([]byte(line.Response.Body), &p) != nil {
				continue
			}
			if p.Body != nil {
				p = *p.Body
			}
			if p.Self == "" {
				continue
			}
			if got, ok := withoutFilters(p.Self); ok {
				filtered++
				if got != p.Self {
					t.Errorf("%s: got %s, want %s", line.ID, got, p.Self)
				}
			}
			if p.Next == "" && p.Previous == "" {
				continue
			}
			_, query, _ := strings.Cut(line.Request.Path, "?")
			n := max(1, php.ToInt(Parse(query, Limits{}).At("page")))
			bare := RemoveQueryArg(p.Self, "page")
			if p.Next != "" {
				next++
				if got := AddQueryArg(bare, Arg{"page", n + 1}); got != p.Next {
					t.Errorf("%s: next is %s, want %s", line.ID, got, p.Next)
				}
			}
			if p.Previous != "" {
				previous++
				got := bare
				if n > 2 {
					got = AddQueryArg(bare, Arg{"page", n - 1})
				}
				if got != p.Previous {
					t.Errorf("%s: previous is %s, want %s", line.ID, got, p.Previous)
				}
			}
		}
		file.Close()
	}
	if next == 0 || previous == 0 || filtered == 0 {
		t.Error("found no links")
	}
	t.Logf("%d next, %d previous, %d built up from raw values", next, previous, filtered)
}

// withoutFilters rebuilds a list's URL as the server does: first all plain
// arguments, raw, then venue, organizer and featured one by one.
func withoutFilters(self string) (string, bool) {
	base, query, _ := strings.Cut(self, "?")
	var plain, filters []Arg
	for k, v := range Parse(query, Limits{}).All() {
		arg := Arg{k.String(), v}
		switch arg.Name {
		case "venue", "organizer", "featured":
			filters = append(filters, arg)
		default:
			plain = append(plain, arg)
		}
	}
	if len(filters) == 0 {
		return "", false
	}
	url := AddQueryArg(AddQueryArg(base, plain...), filters...)
	return url, true
}
