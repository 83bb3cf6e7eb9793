package recording_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

func TestHARThereAndBack(t *testing.T) {
	body := "a=1&b=\xff"
	post := compattest.Exchange("post", "POST", "/wp-json/x?a=%2F&b", "\xff\xfe binary")
	post.Request.Body, post.TookMS, post.As = &body, 12.5, "jana"
	post.Request.Headers["content-type"] = "application/x-www-form-urlencoded"
	post.Response.Headers["set-cookie"] = recording.HeaderValues{"a=1; path=/", "b=2"}
	post.Noise = []string{"$.id"}
	lines := compattest.WriteRecording(t, "reads.jsonl",
		recording.Header{Format: recording.HeaderFormat, Home: "https://town.example"},
		compattest.Exchange("get", "GET", "/wp-json/tribe/events/v1/events?x=1", `{"a":"<b>&amp;"}`), post)
	dir := t.TempDir()
	har, back := filepath.Join(dir, "x.har"), filepath.Join(dir, "x.jsonl")
	if n, err := convertFile(recording.ConvertOptions{Recordings: []string{lines}, Format: recording.FormatHAR, KeepCredentials: true}, har); err != nil || n != 2 {
		t.Fatalf("%d exchanges, error %v", n, err)
	}
	if data, _ := os.ReadFile(har); !json.Valid(data) || !bytes.Contains(data, []byte(`"url":"https://town.example/wp-json/x?a=%2F&b"`)) {
		t.Errorf("HAR %s", data)
	}
	if n, err := convertFile(recording.ConvertOptions{Recordings: []string{har}, Format: recording.FormatJSONLines, KeepCredentials: true}, back); err != nil || n != 2 {
		t.Fatalf("%d exchanges, error %v", n, err)
	}
	ignore := []cmp.Option{cmpopts.IgnoreUnexported(recording.Exchange{}), cmpopts.IgnoreFields(recording.Exchange{}, "File", "Line", "Origin")}
	if diff := cmp.Diff(compattest.ReadExchanges(t, lines), compattest.ReadExchanges(t, back), ignore...); diff != "" {
		t.Errorf("not the same after HAR and back:\n%s", diff)
	}
	var redactedHAR bytes.Buffer
	if _, err := recording.Convert(recording.ConvertOptions{Recordings: []string{lines}, Format: recording.FormatHAR}, &redactedHAR); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(redactedHAR.String(), "a=1; path") || !strings.Contains(redactedHAR.String(), "a=(redacted); path=/") {
		t.Error("cookies are not taken out")
	}
}

func convertFile(o recording.ConvertOptions, file string) (n int, err error) {
	err = recording.WriteFile(file, func(w io.Writer) error {
		n, err = recording.Convert(o, w)
		return err
	})
	return n, err
}

func TestHAROfABrowser(t *testing.T) {
	all := compattest.ReadExchanges(t, compattest.WriteFile(t, "b.har", "\xef\xbb\xbf\n"+compattest.BrowserHAR))
	if len(all) != 3 {
		t.Fatalf("%d exchanges", len(all))
	}
	x := all[0]
	if !x.Browsed || x.Request.Path != "/wp-json/tribe/events/v1/events?x=1" || x.Origin != "https://town.example" || x.Response.Body != `{"a":1}` || x.TookMS != 12 || x.ID != "har-0001" {
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

// TestHARWithoutBodies checks that a body that the browser dropped is not an empty one.
func TestHARWithoutBodies(t *testing.T) {
	for content, noise := range map[string]int{
		`"content":{"size":10}`: 1, `"content":{"size":-1}`: 1, `"content":{},"bodySize":960`: 1,
		`"content":{"size":0}`: 0, `"content":{},"bodySize":-1`: 0, `"content":{"size":-1,"text":""}`: 0,
	} {
		file := compattest.WriteFile(t, "b.har", `{"log":{"entries":[{"request":{"method":"GET","url":"http://h/wp-json/x"},"response":{"status":200,`+content+`}}]}}`)
		if x := compattest.ReadExchanges(t, file)[0]; len(x.Noise) != noise {
			t.Errorf("%s: noise %v", content, x.Noise)
		}
	}
}

func TestBadHAR(t *testing.T) {
	for _, bad := range []string{`{"log":5}`, `{"log":{}}`, `{"log":{"entries":[5]}}`, `{"log":{"entries":[`, `{"log":{"entries":[{"request":{"method":"GET","url":"x"},"response":{"status":200}}]}}`,
		`{"log":{"entries":[{"request":{"method":"GET","url":"http://h/"},"response":{"status":200,"content":{"text":"%","encoding":"base64"}}}]}}`} {
		if err := recording.Read([]string{compattest.WriteFile(t, "bad", bad)}, func(recording.Entry) error { return nil }); err == nil || !strings.Contains(err.Error(), "bad") {
			t.Errorf("%q: error %v", bad, err)
		}
	}
}

func FuzzHAR(f *testing.F) {
	f.Add([]byte(compattest.BrowserHAR))
	f.Fuzz(func(t *testing.T, data []byte) {
		recording.ReadLines(bytes.NewReader(data), "fuzz", func(e recording.Entry) error {
			if e.Exchange != nil {
				recording.Redact(e.Exchange, []string{"a"})
				recording.HAREntryOf(e.Exchange)
			}
			return nil
		})
	})
}
