package systemtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"calbridge/cmd/calbridge/app"
)

// hostile is a text that clears a terminal, sets its title, overwrites the line and changes
// the order of text. It contains control characters of all kinds.
const hostile = "\x1b[2J\x1b]0;owned\x07\roverwritten\x08\x00\x7f\u009b31m\u0085\u202egnp.exe\u2066\u200f"

// steering lists the characters of hostile that must not reach a terminal.
const steering = "\x1b\x07\r\x08\x00\x7f\u009b\u0085\u202e\u2066\u200f"

// TestTerminalOutput makes recordings, servers and clients send texts that would control a
// terminal. It checks that neither the output of any command nor the log contains them.
func TestTerminalOutput(t *testing.T) {
	text, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Odd", "a\u009b31m\u202e")
		switch {
		case r.URL.Path == "/proof": // the fields of each kind that is printed
			fmt.Fprintf(w, `{"shapes":[{"route":%[1]s,"name":%[1]s,"state":%[1]s,"why":%[1]s,"reason":%[1]s}],"ended":[{"why":%[1]s,"what":%[1]s}],"facts":[%[1]s]}`, text)
		case r.URL.Path == "/metrics":
			fmt.Fprintf(w, "# TYPE calbridge_http_requests_total counter\ncalbridge_http_requests_total{route=\"%s\",method=\"GET\",code=\"200\",language=\"none\"} 5\n", strings.NewReplacer("\x00", "", "\r", "").Replace(hostile))
		default:
			fmt.Fprintf(w, `{"namespaces":[%[1]s],"events":[{"id":1,"title":%[1]s}],"code":%[1]s,"message":%[1]s,%[1]s:%[1]s}`, text)
		}
	}))
	defer server.Close()
	dir := t.TempDir()
	recording := filepath.Join(dir, "hostile.jsonl")
	var lines []string
	for i, body := range []string{`{"events":[{"id":1,"title":"x"}]}`, string(text), hostile} {
		one, err := json.Marshal(map[string]any{
			"id": fmt.Sprintf("mono-%d-%s", i, hostile), "as": "anonymous",
			"request":  map[string]any{"method": "GET", "path": "/wp-json/tribe/events/v1/events?x=\u009b31m\u202e", "headers": map[string]string{}, "body": nil},
			"response": map[string]any{"status": 200, "headers": map[string]string{"content-type": "application/json", "x-odd": hostile}, "body": body},
		})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(one))
	}
	if err := os.WriteFile(recording, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(server.URL, "http://")
	for name, args := range map[string][]string{
		"compare":         {"compare", "--target", server.URL, "--recordings", recording, "--verbose"},
		"compare nowhere": {"compare", "--target", "http://127.0.0.1:1", "--recordings", recording, "--verbose"},
		"convert":         {"convert", recording, hostile},
		"profile":         {"profile", "build", "--recordings", recording},
		"record":          {"record", "--url", server.URL, "--out", filepath.Join(dir, "out.jsonl"), "--delay", "1ms"},
		"proof":           {"proof", "--ops-listen", address},
		"doctor":          {"doctor", "--ops-listen", address, "--for", "0s"},
		"top":             {"top", "--ops-listen", address, "--once"},
		"mirror":          {"mirror", "--url", server.URL, "--out", filepath.Join(dir, "copy.db")},
		"check":           {"check", "--dsn", "sqlite:" + filepath.Join(dir, hostile[4:9]+"\x1b[2J.db"), "--upstream", server.URL},
		"wrong flag":      {"serve", "--" + hostile},
		"wrong value":     {"serve", "--listen", hostile},
		"wrong command":   {hostile},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // mirror does not end by itself
			defer cancel()
			var out, messages bytes.Buffer
			app.Run(ctx, args, func(string) string { return "" }, &out, &messages)
			stdout, stderr := out.String(), messages.String()
			harmless(t, "stdout", stdout)
			harmless(t, "stderr", stderr)
			t.Logf("%.600s\n%.600s", stdout, stderr)
			if printed := stdout + stderr; !strings.Contains(printed, `\u001b[2J`) && !strings.Contains(printed, `\x1b[2J`) && (name == "compare" || name == "proof" || strings.HasPrefix(name, "wrong")) {
				t.Error("the text is not shown at all")
			}
		})
	}
	t.Run("log", func(t *testing.T) {
		s := start(t, nil, "demo", "--keep", filepath.Join(t.TempDir(), "demo.db"))
		fetch(t, s.api+"/wp-json/calendar/events/v1/events/%1b%5b2J%7f%c2%9b31m%e2%80%ae%0d?x=%1b")
		s.stop()
		harmless(t, "the log", s.stderr.String())
	})
}

// harmless checks that an output can't control a terminal.
func harmless(t *testing.T, name, text string) {
	t.Helper()
	if at := strings.IndexAny(text, steering); at >= 0 {
		t.Errorf("%s has %q in %q", name, text[at:at+1], text[max(0, at-40):min(len(text), at+40)])
	}
}
