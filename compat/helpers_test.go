package compat

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sharedDir is the directory with the reference's recordings. Tests that need
// it are skipped where it is not at hand.
func sharedDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("CALBRIDGE_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "shared")
	}
	if _, err := os.Stat(filepath.Join(dir, "recordings")); err != nil {
		t.Skipf("no recordings of the reference: %v (set CALBRIDGE_SHARED)", err)
	}
	return dir
}

// exchange makes a recorded exchange with a JSON answer.
func exchange(id, method, path, body string) *Exchange {
	return &Exchange{
		ID: id, As: "anonymous",
		Request: Request{Method: method, Path: path, Headers: map[string]string{}},
		Response: Response{Status: 200, Body: body, Headers: map[string]HeaderValues{
			"content-type": {"application/json; charset=UTF-8"},
			"link":         {`<https://town.example/wp-json/>; rel="https://api.w.org/"`},
			"vary":         {"Origin"},
			"date":         {"Sat, 21 Nov 2026 12:00:00 GMT"},
		}},
	}
}

// writeRecording writes lines as a recording and returns its name.
func writeRecording(t *testing.T, name string, lines ...any) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	var b strings.Builder
	for _, line := range lines {
		data, err := json.Marshal(line)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(data)
		b.WriteByte('\n')
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// requestKey tells requests apart that must get different answers.
func requestKey(method, uri, body string, headers http.Header) string {
	key := fmt.Sprintf("%q", []string{method, uri, body})
	for _, name := range []string{"Authorization", "Cookie", "X-Wp-Nonce", "Origin"} {
		key += fmt.Sprintf(" %s=%q", name, headers[name])
	}
	return key
}

// replayServer answers every recorded request with its recorded answer, changed
// by mutate when that is given.
func replayServer(t *testing.T, files []string, site *Site, mutate func(*Exchange, *Response)) *httptest.Server {
	t.Helper()
	answers := map[string]Response{}
	err := ReadRecordings(files, func(e Entry) error {
		x := e.Exchange
		if x == nil {
			return nil
		}
		sent := http.Header{}
		for name, value := range x.Request.Headers {
			sent.Set(name, value)
		}
		if x.As != "anonymous" {
			authorization, _ := site.authorization(x.As)
			sent.Set("Authorization", authorization)
		}
		answer := x.Response
		if mutate != nil {
			mutate(x, &answer)
		}
		answers[requestKey(x.Request.Method, x.Request.Path, x.Request.BodyText(), sent)] = answer
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		key := requestKey(r.Method, r.RequestURI, string(body), r.Header)
		answer, found := answers[key]
		if !found {
			t.Errorf("request was not recorded: %s", key)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		for name, values := range answer.Headers {
			if !ConnectionHeader(name) {
				w.Header()[http.CanonicalHeaderKey(name)] = slices.Clone(values)
			}
		}
		w.WriteHeader(answer.Status)
		io.WriteString(w, answer.Body)
	}))
	t.Cleanup(server.Close)
	return server
}

const testSite = `{"site":"town","home":"https://town.example","users":{"jana":{"id":7,"role":"editor","application_password":"abcd efgh"}}}`

func townSite(t *testing.T) string { return writeFile(t, "town.json", testSite) }

func readExchanges(t *testing.T, file string) []*Exchange {
	t.Helper()
	var all []*Exchange
	err := ReadRecordings([]string{file}, func(e Entry) error {
		if e.Exchange != nil {
			all = append(all, e.Exchange)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

const fakeIndex = `{"namespace":"tribe\/events\/v1","routes":{
"\/tribe\/events\/v1":{"namespace":"tribe\/events\/v1","endpoints":[{"methods":["GET"],"args":{"namespace":{},"context":{}}}]},
"\/tribe\/events\/v1\/events":{"namespace":"tribe\/events\/v1","endpoints":[
 {"methods":["GET"],"args":{"page":{"type":"integer"},"per_page":{"type":"integer"},"search":{"type":"string"},"start_date":{},"featured":{"type":"boolean"},"venue":{"type":"array"},"lang":{"type":"string","enum":["en","de"]}}},
 {"methods":["POST"],"args":{"title":{"type":"string","required":true},"start_date":{"required":true},"end_date":{"required":true}}}]},
"\/tribe\/events\/v1\/events\/(?P<id>\\d+)":{"namespace":"tribe\/events\/v1","endpoints":[{"methods":["GET"],"args":{"id":{"type":"integer"},"password":{"type":"string"}}},{"methods":["POST","PUT"],"args":{}},{"methods":["DELETE"],"args":{}}]},
"\/tribe\/events\/v1\/events\/by-slug\/(?P<slug>[^\/]+)":{"namespace":"tribe\/events\/v1","endpoints":[{"methods":["GET"],"args":{"slug":{}}}]},
"\/tribe\/events\/v1\/venues":{"namespace":"tribe\/events\/v1","endpoints":[{"methods":["GET"],"args":{"page":{"type":"integer"}}}]}}}`
