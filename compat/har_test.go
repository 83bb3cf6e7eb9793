package compat

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestHARThereAndBack(t *testing.T) {
	body := "a=1&b=\xff"
	post := exchange("post", "POST", "/wp-json/x?a=%2F&b", "\xff\xfe binary")
	post.Request.Body, post.TookMS, post.As = &body, 12.5, "jana"
	post.Request.Headers["content-type"] = "application/x-www-form-urlencoded"
	post.Response.Headers["set-cookie"] = HeaderValues{"a=1; path=/", "b=2"}
	post.Noise = []string{"$.id"}
	lines := writeRecording(t, "reads.jsonl",
		RecordingHeader{Format: RecordingFormat, Home: "https://town.example"},
		exchange("get", "GET", "/wp-json/tribe/events/v1/events?x=1", `{"a":"<b>&amp;"}`), post)
	dir := t.TempDir()
	har, back := filepath.Join(dir, "x.har"), filepath.Join(dir, "x.jsonl")
	if n, err := ConvertFile(ConvertOptions{Recordings: []string{lines}, Format: FormatHAR, KeepCredentials: true}, har); err != nil || n != 2 {
		t.Fatalf("%d exchanges, error %v", n, err)
	}
	if data, _ := os.ReadFile(har); !json.Valid(data) || !bytes.Contains(data, []byte(`"url":"https://town.example/wp-json/x?a=%2F&b"`)) {
		t.Errorf("HAR %s", data)
	}
	if n, err := ConvertFile(ConvertOptions{Recordings: []string{har}, Format: FormatJSONLines, KeepCredentials: true}, back); err != nil || n != 2 {
		t.Fatalf("%d exchanges, error %v", n, err)
	}
	ignore := []cmp.Option{cmpopts.IgnoreUnexported(Exchange{}), cmpopts.IgnoreFields(Exchange{}, "File", "Line", "Origin")}
	if diff := cmp.Diff(readExchanges(t, lines), readExchanges(t, back), ignore...); diff != "" {
		t.Errorf("not the same after HAR and back:\n%s", diff)
	}
	var redactedHAR bytes.Buffer
	if _, err := Convert(ConvertOptions{Recordings: []string{lines}, Format: FormatHAR}, &redactedHAR); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(redactedHAR.String(), "a=1; path") || !strings.Contains(redactedHAR.String(), "a=(redacted); path=/") {
		t.Error("cookies are not taken out")
	}
}

const browserHAR = `{ "log": {"version":"1.2","pages":[{"id":"p"}],"entries":[
 {"startedDateTime":"2026-11-21T12:00:00.000Z","time":30,"request":{"method":"GET","url":"https://town.example/wp-json/tribe/events/v1/events?x=1#top","headers":[{"name":":authority","value":"town.example"},{"name":"Accept-Encoding","value":"br"},{"name":"accept","value":"*/*"},{"name":"Cookie","value":"a=1"},{"name":"cookie","value":"b=2"}]},
  "response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"},{"name":"content-encoding","value":"br"},{"name":"Set-Cookie","value":"a=1\nb=2"}],"content":{"size":3,"text":"eyJhIjoxfQ==","encoding":"base64"}},"timings":{"blocked":3,"dns":-1,"send":1,"wait":9,"receive":2}},
 {"request":{"method":"GET","url":"https://town.example/blocked","headers":[]},"response":{"status":0,"headers":[],"content":{}}},
 {"request":{"method":"GET","url":"https://town.example/style.css","headers":[]},"response":{"status":200,"headers":[],"content":{"size":10}}},
 {"request":{"method":"POST","url":"https://town.example/wp-json/f","headers":[],"postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a b","value":"1"}]}},"response":{"status":200,"headers":[],"content":{"size":0}}}
]}}`

func TestHAROfABrowser(t *testing.T) {
	all := readExchanges(t, writeFile(t, "b.har", "\xef\xbb\xbf\n"+browserHAR))
	if len(all) != 3 {
		t.Fatalf("%d exchanges", len(all))
	}
	x := all[0]
	if x.Request.Path != "/wp-json/tribe/events/v1/events?x=1" || x.Origin != "https://town.example" || x.Response.Body != `{"a":1}` || x.TookMS != 12 || x.ID != "har-0001" {
		t.Errorf("%+v", x)
	}
	if diff := cmp.Diff(map[string]string{"accept": "*/*", "cookie": "a=1; b=2"}, x.Request.Headers); diff != "" {
		t.Error(diff)
	}
	if len(x.Response.Headers["set-cookie"]) != 2 || x.Response.Headers["content-encoding"] != nil {
		t.Errorf("headers %v", x.Response.Headers)
	}
	if len(all[1].Noise) != 1 || len(all[2].Noise) != 0 || *all[2].Request.Body != "a+b=1" {
		t.Errorf("%+v %+v", all[1], all[2])
	}
}

// TestHARWithoutBodies: a body that the browser did not keep is not an empty one.
func TestHARWithoutBodies(t *testing.T) {
	for content, noise := range map[string]int{
		`"content":{"size":10}`: 1, `"content":{"size":-1}`: 1, `"content":{},"bodySize":960`: 1,
		`"content":{"size":0}`: 0, `"content":{},"bodySize":-1`: 0, `"content":{"size":-1,"text":""}`: 0,
	} {
		file := writeFile(t, "b.har", `{"log":{"entries":[{"request":{"method":"GET","url":"http://h/wp-json/x"},"response":{"status":200,`+content+`}}]}}`)
		if x := readExchanges(t, file)[0]; len(x.Noise) != noise {
			t.Errorf("%s: noise %v", content, x.Noise)
		}
	}
}

func TestBadHAR(t *testing.T) {
	for _, bad := range []string{`{"log":5}`, `{"log":{}}`, `{"log":{"entries":[5]}}`, `{"log":{"entries":[`, `{"log":{"entries":[{"request":{"method":"GET","url":"x"},"response":{"status":200}}]}}`,
		`{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":200,"content":{"text":"%","encoding":"base64"}}}]}}`} {
		if err := ReadRecordings([]string{writeFile(t, "bad", bad)}, func(Entry) error { return nil }); err == nil || !strings.Contains(err.Error(), "bad") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func FuzzHAR(f *testing.F) {
	f.Add([]byte(browserHAR))
	f.Fuzz(func(t *testing.T, data []byte) {
		readLines(bytes.NewReader(data), "fuzz", func(e Entry) error {
			if e.Exchange != nil {
				redact(e.Exchange, []string{"a"})
				harEntryOf(e.Exchange)
			}
			return nil
		})
	})
}
