package systemtest

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/trial"
	"calbridge/rest/rollout"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
)

// standIn answers like a WordPress with The Events Calendar: another calbridge with --compat exact
// on the same database answers the calendar's namespace. change changes its responses.
func standIn(t *testing.T, file string, change func(*http.Response)) *httptest.Server {
	t.Helper()
	exact := start(t, nil, "serve", "--dsn", "sqlite:"+file, "--namespace", trial.Namespace, "--compat", "exact", "--cache", "off", "--record-password-use=false")
	target, err := url.Parse(exact.api)
	if err != nil {
		t.Fatal(err)
	}
	calendar := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			p.Out.Host = p.In.Host
			p.Out.Header.Set("X-Forwarded-Proto", "https")
			p.Out.Header.Del(rollout.Marker)
		},
		ModifyResponse: func(resp *http.Response) error {
			if change != nil {
				change(resp)
			}
			return nil
		},
	}
	wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/" && r.URL.Query().Get("rest_route") == "/" || r.URL.Path == "/wp-json/" || r.URL.Path == "/wp-json":
			w.Header().Set("Content-Type", "application/json; charset=UTF-8")
			fmt.Fprintf(w, `{"name":"Stand-in","home":"https://%s","timezone_string":"Europe/Prague","namespaces":["oembed/1.0","%s"]}`, r.Host, trial.Namespace)
		case r.URL.Path == "/" && r.URL.RawQuery == "":
			io.WriteString(w, "<html></html>")
		default:
			calendar.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(wordpress.Close)
	return wordpress
}

// plainSample returns the database of the sample calendar without its language plugin: recording
// every language takes minutes.
func plainSample(t *testing.T) string {
	t.Helper()
	file := sampleFile(t)
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{DSN: "sqlite:" + file}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.SQL().Exec(`UPDATE wp_options SET option_value = 'a:1:{i:0;s:43:"the-events-calendar/the-events-calendar.php";}' WHERE option_name = 'active_plugins'`); err != nil {
		t.Fatal(err)
	}
	return file
}

// inBody replaces a text in the bodies of JSON responses.
func inBody(old, replacement string) func(*http.Response) {
	return func(resp *http.Response) {
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			return
		}
		body = bytes.ReplaceAll(body, []byte(old), []byte(replacement))
		resp.Body = io.NopCloser(bytes.NewReader(body))
		resp.ContentLength = int64(len(body))
		resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
	}
}

// TestTrial tries a site whose WordPress is a stand-in, and reads the verdict.
func TestTrial(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*http.Response)
		code   int
		want   []string
		not    []string
	}{
		{"as it is", nil, cmdline.OK, []string{"Verdict     This site can be served natively", "Intended    ", "--compat exact", "Unexplained none", "Next        calbridge serve --dsn", "--namespace tribe/events/v1"}, []string{"--mode auto"}},
		{"PHP's header", func(resp *http.Response) { resp.Header.Set("X-Powered-By", "PHP/8.3.1") }, cmdline.OK, []string{"natively", "Headers", "x-powered-by", "Unexplained none"}, nil},
		{"a plugin's field", inBody(`"all_day":`, `"plugin_field":1,"all_day":`), cmdline.Failed, []string{"can be served with --mode auto", "plugin_field", "--mode auto --upstream"}, []string{"Unexplained none"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file, dir := plainSample(t), filepath.Join(t.TempDir(), "trial")
			wordpress := standIn(t, file, c.change)
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := once(t, nil, "trial", "--dsn", "sqlite:"+file, "--url", wordpress.URL, "--dir", dir, "--delay", "1ms")
			if code != c.code {
				t.Errorf("exit %d, want %d\n%s", code, c.code, stderr)
			}
			for _, text := range c.want {
				if !strings.Contains(stdout, text) {
					t.Errorf("the verdict lacks %q", text)
				}
			}
			for _, text := range c.not {
				if strings.Contains(stdout, text) {
					t.Errorf("the verdict has %q", text)
				}
			}
			if n := strings.Count(stdout, "\n"); n > trial.MostLines {
				t.Errorf("%d lines", n)
			}
			t.Logf("%s\n%s", stdout, stderr)
			for _, name := range []string{"recording.jsonl.gz", "profile.json", "report.html", "report.json", "check.txt"} {
				if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
					t.Errorf("%s: %v", name, err)
				}
			}
			if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
				t.Errorf("the database has changed: %v", err)
			}
		})
	}
}
