package systemtest

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/wptest"
)

// TestProofWarm checks `calbridge proof warm` with a WordPress whose plugin changes a field of each
// event, and with an access log: without any client, calbridge comes to answer single events, lists and
// the request of the log itself, and the command says so.
func TestProofWarm(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes, and proves for seconds")
	}
	t.Parallel()
	dsn := wptest.Replicated(t)
	newCoherentSite(t, dsn, 6)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	ref.broken.Store(&[2]string{`"sticky":false`, `"sticky":"no"`})
	s := &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--mode", "auto", "--upstream", ref.URL,
		"--proof-comparisons", "3", "--proof-time", "1s", "--proof-without-companion"), ref}
	const ofLog = "/wp-json/calendar/events/v1/events?start_date=2025-01-01&end_date=2030-01-01&order=desc"
	log := filepath.Join(t.TempDir(), "access.log.gz")
	file, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	packed := gzip.NewWriter(file)
	fmt.Fprintf(packed, "203.0.113.7 - - [28/Nov/2026:10:00:00 +0000] \"GET %s HTTP/1.1\" 200 512 \"-\" \"curl/8\"\n", ofLog)
	if err := packed.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := once(t, nil, "proof", "warm", "--url", s.api, "--ops-listen", strings.TrimPrefix(s.ops, "http://"), "--access-log", log, "--round", "500ms", "--for", "1m", "--share", "100")
	if code != 0 || !strings.Contains(stdout, log+": 1 different requests") || !strings.Contains(stdout, "kinds of requests are proven") {
		t.Fatalf("%d\n%s%s", code, stdout, stderr)
	}
	t.Log(stdout)
	_, body := fetch(t, s.api+"/wp-json/calendar/events/v1/events")
	var list struct{ Events []struct{ ID int } }
	if err := json.Unmarshal([]byte(body), &list); err != nil || len(list.Events) == 0 {
		t.Fatalf("%v: %s", err, body)
	}
	targets := []string{"/wp-json/calendar/events/v1/events", "/wp-json/calendar/events/v1/venues", "/wp-json/calendar/events/v1/categories", ofLog}
	for _, e := range list.Events {
		targets = append(targets, "/wp-json/calendar/events/v1/events/"+strconv.Itoa(e.ID))
	}
	for _, target := range targets {
		waitFor(t, func() bool { // what a minute was too short for on a busy machine
			resp, _ := fetch(t, s.api+target)
			return resp.StatusCode == http.StatusOK && resp.Header.Get("X-Powered-By") == ""
		})
	}

	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no address":        {nil, 2, "--url is required"},
		"address elsewhere": {[]string{"--url", ref.URL, "--for", "1s", "--round", "1ms", "--share", "100"}, 1, "none of the requests reached the server"},
		"namespace":         {[]string{"--url", s.api, "--namespace", "tribe/events/v1"}, 1, "check --url and --namespace"},
		"share":             {[]string{"--url", s.api, "--share", "0"}, 2, "--share must be above 0"},
		"no access log":     {[]string{"--url", s.api, "--access-log", log + ".missing"}, 2, "no such file"},
		"nobody listens":    {[]string{"--url", "http://127.0.0.1:1"}, 3, "connection refused"},
		"ops off":           {[]string{"--url", s.api, "--ops-listen", "off"}, 2, "--ops-listen is off"},
		"no server":         {[]string{"--url", s.api, "--ops-listen", "127.0.0.1:1"}, 3, "is calbridge running"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := once(t, nil, append([]string{"proof", "warm", "--ops-listen", strings.TrimPrefix(s.ops, "http://")}, c.args...)...)
			if code != c.code || !strings.Contains(stderr, c.want) {
				t.Errorf("%d, want %d: %s%s", code, c.code, stdout, stderr)
			}
		})
	}
}
