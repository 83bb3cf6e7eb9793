package systemtest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"calbridge/cmd/calbridge/app"
	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/trial"
	"calbridge/compat/profile"
	"calbridge/compat/recording"
	"calbridge/rest/rollout"
	"calbridge/rest/wpauth"
	"calbridge/testdata"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// standIn answers like a WordPress with The Events Calendar: another calbridge with --compat exact
// on the same database answers the calendar's namespace. change changes its responses.
func standIn(t *testing.T, dsn string, change func(*http.Response)) *httptest.Server {
	t.Helper()
	exact := start(t, nil, "serve", "--dsn", dsn, "--namespace", recording.DefaultNamespace, "--compat", "exact", "--cache", "off", "--application-passwords", "on", "--record-password-use=false")
	calendar := asWordPress(t, exact.api, change)
	wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/" && r.URL.Query().Get("rest_route") == "/" || r.URL.Path == "/wp-json/" || r.URL.Path == "/wp-json":
			w.Header().Set("Content-Type", "application/json; charset=UTF-8")
			fmt.Fprintf(w, `{"name":"Stand-in","home":"https://%s","timezone_string":"Europe/Prague","namespaces":["oembed/1.0","%s"]}`, r.Host, recording.DefaultNamespace)
		case r.URL.Path == "/" && r.URL.RawQuery == "":
			io.WriteString(w, "<html></html>")
		default:
			calendar.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(wordpress.Close)
	return wordpress
}

// asWordPress forwards requests to a calbridge as if it were a WordPress under the requested host,
// over https. change, unless it is nil, changes its responses.
func asWordPress(t *testing.T, api string, change func(*http.Response)) *httputil.ReverseProxy {
	t.Helper()
	target, err := url.Parse(api)
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{
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
}

// plainSample returns the database of the sample calendar without its language plugin, since
// recording every language takes minutes. Without protected events no list differs on purpose. The
// statements change it.
func plainSample(t *testing.T, protected bool, statements ...string) string {
	t.Helper()
	file := sampleFile(t)
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	statements = append(statements,
		`UPDATE wp_options SET option_value = 'a:1:{i:0;s:43:"the-events-calendar/the-events-calendar.php";}' WHERE option_name = 'active_plugins'`,
		"INSERT INTO wp_usermeta (user_id, meta_key, meta_value) SELECT ID, '_application_passwords', '"+sample.ApplicationPasswords(wpauth.FastHash("secret"), time.Now().Unix())+"' FROM wp_users WHERE user_login = 'demo'",
	)
	if !protected {
		statements = append(statements, "UPDATE wp_posts SET post_password = ''")
	}
	for _, statement := range statements {
		if _, err := db.SQL().Exec(statement); err != nil {
			t.Fatal(err)
		}
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

// TestTrial tries a site whose WordPress is a stand-in, and reads the verdict. The first trial is
// interrupted, and continued by running the same command again.
func TestTrial(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	for _, c := range []struct {
		name      string
		wordpress string // its db_version, "" for the sample's
		change    func(*http.Response)
		protected bool
		user      bool
		interrupt time.Duration
		code      int
		want      []string
		not       []string
	}{
		{"interrupted", "", nil, false, false, 8 * time.Second, cmdline.OK, []string{"Messages    ", "run this again with --user NAME", "Verdict     This site can be served natively", "Intended    ", "Unexplained none", "Next        calbridge serve --dsn", "--namespace tribe/events/v1"}, []string{"--mode auto"}},
		{"PHP's header on WordPress 6.1", "53496", func(resp *http.Response) { resp.Header.Set("X-Powered-By", "PHP/8.3.1") }, false, true, 0, cmdline.OK, []string{"natively", "Headers", "x-powered-by", "Unexplained none", "is older than 6.5: what it renders differently from 6.5 counts as unexplained; writes were not compared"}, []string{"Messages", "demo", "secret"}},
		{"a plugin's field", "", inBody(`"all_day":`, `"plugin_field":1,"all_day":`), false, false, 0, cmdline.Failed, []string{"can be served with --mode auto", "plugin_field", "--mode auto --upstream"}, []string{"Unexplained none"}},
		{"protected events", "", nil, true, false, 0, cmdline.OK, []string{"natively: every difference is explained", "× S2: lists leave out events whose password the request lacks", "Unexplained none", "--compat exact gives WordPress's behaviour"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var statements []string
			if c.protected { // some of the next events, for venues of upcoming ones
				statements = append(statements, "UPDATE wp_posts SET post_password = 'x' WHERE ID IN (SELECT post_id FROM wp_tec_occurrences WHERE start_date > '"+time.Now().UTC().AddDate(0, 0, 1).Format(time.DateTime)+"' ORDER BY start_date LIMIT 4)")
			}
			if c.wordpress != "" {
				statements = append(statements, "UPDATE wp_options SET option_value = '"+c.wordpress+"' WHERE option_name = 'db_version'")
			}
			file, dir := plainSample(t, c.protected, statements...), filepath.Join(t.TempDir(), "trial")
			wordpress := standIn(t, "sqlite:"+file, c.change)
			before, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"trial", "--dsn", "sqlite:" + file, "--url", wordpress.URL, "--dir", dir, "--delay", "1ms"}
			env := map[string]string{}
			if c.user {
				args, env["CALBRIDGE_USER_PASSWORD"] = append(args, "--user", "demo"), "secret"
			}
			if c.interrupt > 0 {
				ctx, stop := context.WithTimeout(t.Context(), c.interrupt)
				defer stop()
				var stdout, stderr output
				if code := app.Run(ctx, args, func(string) string { return "" }, &stdout, &stderr); code != cmdline.Failed || !strings.Contains(stderr.String(), "Interrupted. Run the same command again to continue") || stdout.String() != "" {
					t.Errorf("interrupted: exit %d\n%s%s", code, &stdout, &stderr)
				}
			}
			code, stdout, stderr := once(t, env, args...)
			if code != c.code {
				t.Errorf("exit %d, want %d\n%s", code, c.code, stderr)
			}
			checkMessages(t, dir, c.user)
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
			if !strings.Contains(stderr, "recording: ") || !strings.Contains(stderr, " left\n") {
				t.Errorf("no progress:\n%s", stderr)
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

// checkMessages checks that check.txt names the messages that the profile lacks, and that with a
// user it has those for users.
func checkMessages(t *testing.T, dir string, user bool) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "check.txt"))
	if err != nil {
		t.Fatal(err)
	}
	have := recordedMessages(t, filepath.Join(dir, "profile.json"), "default")
	for _, m := range profile.Messages() {
		if m.Way != profile.Unreachable && have[m.Key] == "" && !strings.Contains(string(text), m.Key) {
			t.Errorf("%s is missing without a word in check.txt", m.Key)
		}
		if m.Way == profile.Login && m.Needs == "" && (have[m.Key] != "") != user {
			t.Errorf("%s: %q", m.Key, have[m.Key])
		}
	}
	if strings.Contains(string(text), "pass --user NAME") == user {
		t.Errorf("check.txt:\n%s", text)
	}
}

// TestTrialTime measures the time from the command to the verdict on the mono site, at the default
// rate of requests.
func TestTrialTime(t *testing.T) {
	oneAtATime(t)
	if os.Getenv("CALBRIDGE_TRIAL_TIME") == "" {
		t.Skip("takes three minutes: set CALBRIDGE_TRIAL_TIME=1 to run it")
	}
	db := wptest.SiteCopy(t, "sqlite", "mono")
	wordpress := standIn(t, db.DSN, nil)
	began := time.Now()
	code, stdout, stderr := once(t, nil, "trial", "--dsn", db.DSN, "--url", wordpress.URL, "--dir", filepath.Join(t.TempDir(), "trial"))
	t.Logf("exit %d after %s\n%s%s", code, time.Since(began).Round(time.Second), stdout, stderr)
	if code != cmdline.OK {
		t.Errorf("exit %d", code)
	}
	if took := time.Since(began); took > 3*time.Minute {
		t.Errorf("%s to the verdict", took)
	}
}

// TestTrialObstacles checks that a site that can't be tried is explained in two lines, and that
// nothing is written.
func TestTrialObstacles(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	answers := func(handler http.HandlerFunc) string {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		return server.URL
	}
	untrusted := httptest.NewTLSServer(http.NotFoundHandler())
	t.Cleanup(untrusted.Close)
	cfg, err := mysql.ParseDSN(wptest.MariaDBWithUsers(t))
	if err != nil {
		t.Fatal(err)
	}
	cfg.User, cfg.Passwd = "wp", "geheim"
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"namespace switched off", []string{"--url", answers(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"namespaces":["wp/v2"]}`) })}, "has no namespace tribe/events/v1"},
		{"maintenance", []string{"--url", answers(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "Scheduled maintenance", http.StatusServiceUnavailable)
		})}, "is in maintenance"},
		{"login", []string{"--url", answers(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "", http.StatusUnauthorized) })}, "is behind a login"},
		{"redirect", []string{"--url", answers(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://www.town.example/", http.StatusMovedPermanently)
		})}, "redirects to https://www.town.example"},
		{"certificate", []string{"--url", untrusted.URL}, "the certificate of " + strings.TrimPrefix(untrusted.URL, "https://") + " is not valid"},
		{"no database", []string{"--dsn", "wp:geheim@tcp(127.0.0.1:1)/wp"}, "cannot connect to 127.0.0.1:1"},
		{"no database configured", []string{"--dsn", ""}, "            no database configured: use --wp-config"},
		{"wrong password", []string{"--dsn", cfg.FormatDSN()}, "Access denied for user 'wp'@'localhost'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "trial")
			args := []string{"trial", "--dsn", "sqlite:" + sampleFile(t), "--dir", dir}
			if c.args[0] == "--dsn" {
				args = []string{"trial", "--dir", dir}
			}
			code, stdout, stderr := once(t, nil, append(args, c.args...)...)
			wantCode := cmdline.Failed
			if c.name == "no database configured" {
				wantCode = cmdline.Usage
			}
			if code != wantCode || !strings.Contains(stdout, c.want) || !strings.Contains(stdout, "Next        ") || strings.Contains(stdout, " .") || strings.Contains(stdout, "unknown, The Events Calendar unknown") || strings.Contains(stdout+stderr, "geheim") {
				t.Errorf("exit %d\n%s%s", code, stdout, stderr)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Error("a folder was made")
			}
		})
	}
}

// TestTrialWithoutCalendar checks the words for a site whose calendar is not active.
func TestTrialWithoutCalendar(t *testing.T) {
	oneAtATime(t)
	file := plainSample(t, false)
	db, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, "sqlite:"+file)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.SQL().Exec(`UPDATE wp_options SET option_value = 'a:0:{}' WHERE option_name = 'active_plugins'`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"namespaces":["wp/v2"]}`) }))
	t.Cleanup(wordpress.Close)
	code, stdout, _ := once(t, nil, "trial", "--dsn", "sqlite:"+file, "--url", wordpress.URL, "--dir", filepath.Join(t.TempDir(), "trial"))
	if code != cmdline.Failed || !strings.Contains(stdout, "The Events Calendar is not active on "+wordpress.URL) || !strings.Contains(stdout, "Next        Activate the plugin") {
		t.Errorf("exit %d\n%s", code, stdout)
	}
}

// TestTrialNetwork checks that the verdict on a network names the site that was tried.
func TestTrialNetwork(t *testing.T) {
	oneAtATime(t)
	t.Parallel()
	n := readNetwork(t)
	site := &n.Sites[slices.IndexFunc(n.Sites, func(s networkSite) bool { return s.served() && s.BlogID > 1 })]
	db := wptest.SiteCopy(t, "sqlite", "network")
	exact := n.serve(t, db, site, buildProfileFile(t, testdata.Shared(t), "mono"))
	calendar := asWordPress(t, exact.api, nil)
	wordpress := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" && r.URL.Query().Get("rest_route") == "/" {
			fmt.Fprintf(w, `{"home":%q,"namespaces":[%q]}`, site.Home, recording.DefaultNamespace)
			return
		}
		calendar.ServeHTTP(w, r)
	}))
	t.Cleanup(wordpress.Close)
	_, stdout, stderr := once(t, nil, "trial", "--wp-config", n.config(t), "--dsn", db.DSN, "--blog-id", strconv.FormatInt(site.BlogID, 10), "--clock", db.Now().Format(time.RFC3339),
		"--url", wordpress.URL, "--dir", filepath.Join(t.TempDir(), "trial"), "--delay", "1ms")
	if want := fmt.Sprintf("Site %d of a network; run this once for each site, with --blog-id.", site.BlogID); !strings.Contains(stdout, want) || !strings.Contains(stdout, "can be served") {
		t.Errorf("the verdict lacks %q\n%s%s", want, stdout, stderr)
	}
	t.Log(stdout)
}
