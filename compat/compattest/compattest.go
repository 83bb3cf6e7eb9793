// Package compattest has helpers shared by the tests of the packages in compat: small
// recordings and a server that replays them.
package compattest

import (
	_ "embed"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"calbridge/compat/recording"
)

// Exchange returns a recorded exchange with a JSON answer.
func Exchange(id, method, path, body string) *recording.Exchange {
	return &recording.Exchange{
		ID: id, As: "anonymous",
		Request: recording.Request{Method: method, Path: path, Headers: map[string]string{}},
		Response: recording.Response{Status: 200, Body: body, Headers: map[string]recording.HeaderValues{
			"content-type": {"application/json; charset=UTF-8"},
			"link":         {`<https://town.example/wp-json/>; rel="https://api.w.org/"`},
			"vary":         {"Origin"},
			"date":         {"Sat, 21 Nov 2026 12:00:00 GMT"},
		}},
	}
}

// WriteRecording writes lines as a recording and returns its name.
func WriteRecording(t *testing.T, name string, lines ...any) string {
	t.Helper()
	var b strings.Builder
	for _, line := range lines {
		if err := recording.WriteLine(&b, line); err != nil {
			t.Fatal(err)
		}
	}
	return WriteFile(t, name, b.String())
}

// WriteFile writes text to a file of that name and returns its path.
func WriteFile(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// requestKey differs for requests that must get different answers.
func requestKey(method, uri, body string, headers http.Header) string {
	key := fmt.Sprintf("%q", []string{method, uri, body})
	for _, name := range []string{"Authorization", "Cookie", "X-Wp-Nonce", "Origin"} {
		key += fmt.Sprintf(" %s=%q", name, headers[name])
	}
	return key
}

// ReplayServer answers every recorded request with its recorded answer. mutate, if not
// nil, changes the answers.
func ReplayServer(t *testing.T, files []string, site *recording.Site, mutate func(*recording.Exchange, *recording.Response)) *httptest.Server {
	t.Helper()
	answers := map[string]recording.Response{}
	err := recording.Read(files, func(e recording.Entry) error {
		x := e.Exchange
		if x == nil {
			return nil
		}
		sent := http.Header{}
		for name, value := range x.Request.Headers {
			sent.Set(name, value)
		}
		if x.As != "anonymous" {
			authorization, _ := site.Authorization(x.As)
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
		if !found && strings.HasPrefix(r.RequestURI, "/?rest_route=") { // explanations ask for more than was recorded
			http.NotFound(w, r)
			return
		}
		if !found {
			t.Errorf("request was not recorded: %s", key)
			w.WriteHeader(http.StatusTeapot)
			return
		}
		for name, values := range answer.Headers {
			if !recording.ConnectionHeader(name) {
				w.Header()[http.CanonicalHeaderKey(name)] = slices.Clone(values)
			}
		}
		w.WriteHeader(answer.Status)
		io.WriteString(w, answer.Body)
	}))
	t.Cleanup(server.Close)
	return server
}

// TownSite returns the name of a site file with one login, jana.
func TownSite(t *testing.T) string {
	return WriteFile(t, "town.json", `{"site":"town","home":"https://town.example","users":{"jana":{"id":7,"role":"editor","application_password":"abcd efgh"}}}`)
}

// ReadExchanges reads the exchanges of a recording.
func ReadExchanges(t *testing.T, file string) []*recording.Exchange {
	t.Helper()
	var all []*recording.Exchange
	err := recording.Read([]string{file}, func(e recording.Entry) error {
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

// Small files of our own.
var (
	// SmallIndex is a namespace index of five routes.
	//go:embed index.json
	SmallIndex string
	// CaseLine is a write case of two steps, as a recording has it.
	//go:embed write_case.jsonl
	CaseLine string
	// BrowserHAR is a HAR file in the form that browsers write.
	//go:embed browser.har
	BrowserHAR string
)

// Replace changes a body, for a server whose answers should differ from the recorded
// ones.
func Replace(old, new string) func(*recording.Response) {
	return func(r *recording.Response) { r.Body = strings.Replace(r.Body, old, new, 1) }
}
