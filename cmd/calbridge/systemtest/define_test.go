package systemtest

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/cmd/calbridge/cmdline"
	"calbridge/cmd/calbridge/settings"
	"calbridge/rest/wpauth"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// definedSite is the sample calendar, served under a constant or without it.
type definedSite struct {
	*started
	store *sitedb.DB
}

// These are an application password of the user demo, another one, and their hashes.
const (
	demoPassword, passwordHash       = "PvONhdp6He0gGXB9al6eEUDl", "$generic$IKsx6iy6V6FKjQ9xz7lBYiVbLON6IqpMT73TY9E9"
	otherPassword, otherPasswordHash = "abcd1234EFGH5678ijkl9012", "$generic$-r4FB5NrhNs1VZlhj9uMueqVu30SZqjhd5q-NUtA"
)

// sessionToken is the token of a session of the user eva, whose number is 2.
const sessionToken = "token-of-the-test"

// sampleWithLogin loads a sample calendar whose user demo has an application password.
func sampleWithLogin(t *testing.T, dsn string) *sitedb.DB {
	t.Helper()
	cfg := sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn), CreateFile: true}, Tables: table.Config{Prefix: "wp_"}}
	store, err := sitedb.Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if err := sample.Load(t.Context(), store, sample.Options{Now: time.Now(), Home: "https://lipa.example", PasswordHash: passwordHash}); err != nil {
		t.Fatal(err)
	}
	return store
}

// withDefined serves a new sample calendar at dsn, after changes to it.
func withDefined(t *testing.T, dsn string, changes []string, env map[string]string, args ...string) *definedSite {
	t.Helper()
	store := sampleWithLogin(t, dsn)
	sum := sha256.Sum256([]byte(sessionToken))
	change(t, store, "INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (2, 'session_tokens', ?)", fmt.Sprintf(`a:1:{s:64:"%x";a:1:{s:10:"expiration";i:%d;}}`, sum, time.Now().Add(time.Hour).Unix()))
	for _, scheme := range []string{"logged_in", "nonce"} {
		change(t, store, "INSERT INTO wp_options (option_name, option_value) VALUES (?, ?), (?, ?)", scheme+"_key", scheme+"-key-of-the-database ", scheme+"_salt", scheme+"-salt-of-the-database")
	}
	for _, statement := range changes {
		change(t, store, statement)
	}
	return &definedSite{start(t, env, append([]string{"serve", "--dsn", dsn, "--cache", "off"}, args...)...), store}
}

// send returns the status and body of a response.
func (s *definedSite) send(method, path, body string, header ...string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), method, s.api+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return fmt.Sprintf("%d %s", resp.StatusCode, strings.ReplaceAll(string(text), `\/`, "/"))
}

// as sends a request with an application password.
func (s *definedSite) as(user, password, method, path, body string) string {
	s.t.Helper()
	return s.send(method, path, body, "Authorization", basicHeader(user, password))
}

// logIn returns the status for a login cookie of the user eva. The arguments are the cookie's
// name, and the secrets of the cookie and of the nonce; "" stands for what the database has.
func (s *definedSite) logIn(cookie, loggedIn, nonce string) string {
	s.t.Helper()
	if cookie == "" {
		cookie = "wordpress_logged_in_" + wpauth.CookieHash("https://lipa.example")
	}
	if loggedIn == "" {
		loggedIn = "logged_in-key-of-the-database logged_in-salt-of-the-database"
	}
	if nonce == "" {
		nonce = "nonce-key-of-the-database nonce-salt-of-the-database"
	}
	now := time.Now()
	return s.send("GET", sampleAPI+"/events?status=draft", "", "Cookie", cookie+"="+loginCookie("eva", "!", now.Add(time.Hour), sessionToken, loggedIn),
		"X-WP-Nonce", wpauth.Nonce(wpauth.NonceTick(now), 2, sessionToken, nonce))[:3]
}

// loginCookie returns the login cookie that WordPress makes for a user whose stored hash ends
// with passwordEnd.
func loginCookie(login, passwordEnd string, expires time.Time, token, secret string) string {
	sign := func(of func() hash.Hash, key string, parts ...string) string {
		mac := hmac.New(of, []byte(key))
		mac.Write([]byte(strings.Join(parts, "|")))
		return hex.EncodeToString(mac.Sum(nil))
	}
	expiration := fmt.Sprint(expires.Unix())
	key := sign(md5.New, secret, login, passwordEnd, expiration, token)
	return strings.Join([]string{login, expiration, token, sign(sha256.New, key, login, expiration, token)}, "%7C")
}

// count returns the number of rows that a query counts.
func (s *definedSite) count(query string) string {
	s.t.Helper()
	var n int
	if err := s.store.SQL().QueryRowContext(s.t.Context(), query).Scan(&n); err != nil {
		s.t.Fatalf("%s: %v", query, err)
	}
	return fmt.Sprint(n)
}

// firstEvent returns the id of an event.
func (s *definedSite) firstEvent() string {
	s.t.Helper()
	m := regexp.MustCompile(`"id":(\d+)`).FindStringSubmatch(s.send("GET", sampleAPI+"/events?per_page=1", ""))
	if m == nil {
		s.t.Fatal("there are no events")
	}
	return m[1]
}

// image returns the address of a picture.
func (s *definedSite) image() string {
	return regexp.MustCompile(`"image":\{"url":"[^"]*`).FindString(s.send("GET", sampleAPI+"/events?per_page=50", ""))
}

// definedEffect shows the effect of a constant: probe returns what matches without before value is
// defined, and what matches with afterwards. Both are regular expressions.
type definedEffect struct {
	value         string
	probe         func(*definedSite) string
	without, with string
	changes       []string          // statements that prepare the database
	args          []string          // flags of both runs
	env           map[string]string // environment of both runs
	server        bool              // needs a database server
}

// definedEffects returns the effect of each constant.
func definedEffects() map[string]definedEffect {
	passwords := []string{"--application-passwords", "on"}
	drafts := func(user, secret string) func(*definedSite) string {
		return func(s *definedSite) string {
			return s.as(user, secret, "GET", sampleAPI+"/events?status=draft", "")[:3]
		}
	}
	cookie := func(name, loggedIn, nonce string) func(*definedSite) string {
		return func(s *definedSite) string { return s.logIn(name, loggedIn, nonce) }
	}
	// twice is a case of a constant with the phrase that LOGGED_IN_KEY has too. WordPress ignores
	// phrases that it finds twice.
	twice := definedEffect{value: "a phrase ", probe: cookie("", "a phrase logged_in-salt-of-the-database", ""), without: "^200", with: "^403", env: map[string]string{"CALBRIDGE_LOGGED_IN_KEY": "a phrase "}}
	image := func(s *definedSite) string { return s.image() }
	const usualImage = `"https://lipa.example/wp-content/uploads/\d`
	events := func(s *definedSite) string { return s.send("GET", sampleAPI+"/events?per_page=1", "") }
	return map[string]definedEffect{
		"DB_CHARSET": {value: "latin1", server: true, without: `"currency_symbol":"K\\u010d"`, with: `"currency_symbol":"K\?"`, probe: events},
		"CUSTOM_USER_TABLE": {value: "people", args: passwords, without: "^401", with: "^200", probe: drafts("nina", demoPassword),
			changes: []string{"CREATE TABLE people AS SELECT * FROM wp_users", "UPDATE people SET user_login = 'nina' WHERE ID = 1"}},
		"CUSTOM_USER_META_TABLE": {value: "peoplemeta", args: passwords, without: "^401", with: "^200", probe: drafts("demo", otherPassword),
			changes: []string{"CREATE TABLE peoplemeta AS SELECT * FROM wp_usermeta", "UPDATE peoplemeta SET meta_value = REPLACE(meta_value, '" + passwordHash + "', '" + otherPasswordHash + "')"}},
		"WP_HOME":             {value: "https://other.example", probe: events, without: `"url":"https://lipa.example/event`, with: `"url":"https://other.example/event`},
		"WP_SITEURL":          {value: "https://lipa.example/wp", probe: image, without: usualImage, with: `"https://lipa.example/wp/wp-content/uploads/\d`},
		"WP_CONTENT_URL":      {value: "https://cdn.example/app", probe: image, without: usualImage, with: `"https://cdn.example/app/uploads/\d`},
		"UPLOADS":             {value: "files", probe: image, without: usualImage, with: `"https://lipa.example/files/\d`},
		"WP_ENVIRONMENT_TYPE": {value: "local", probe: drafts("demo", demoPassword), without: "^40", with: "^200"},
		"BLOG_ID_CURRENT_SITE": {value: "5", args: []string{"--blog-id", "1"}, probe: image, without: usualImage, with: `/wp-content/uploads/sites/1/\d`,
			changes: []string{
				"CREATE TABLE wp_sitemeta (meta_id integer primary key, site_id integer, meta_key text, meta_value text)",
				"INSERT INTO wp_sitemeta (site_id, meta_key, meta_value) VALUES (1, 'siteurl', 'https://lipa.example/')",
				"CREATE TABLE wp_blogs (blog_id integer primary key, site_id integer, domain text, path text, registered text, last_updated text, public integer, archived integer, mature integer, spam integer, deleted integer, lang_id integer)",
				"INSERT INTO wp_blogs VALUES (1, 1, 'lipa.example', '/', '2020-01-01 00:00:00', '2020-01-01 00:00:00', 1, 0, 0, 0, 0, 0)",
			}},
		"DISALLOW_UNFILTERED_HTML": {value: "true", args: passwords, without: `<iframe`, with: `"description":"<p>x</p>`, probe: func(s *definedSite) string {
			return s.as("demo", demoPassword, "POST", sampleAPI+"/events", `{"title":"x","start_date":"2030-01-01 10:00:00","end_date":"2030-01-01 11:00:00","description":"x<iframe src='https://a.example'></iframe>"}`)
		}},
		"TEC_CUSTOM_TABLES_V1_DISABLED": {value: "true", changes: []string{"UPDATE wp_postmeta SET meta_value = '2041-02-03 04:05:06' WHERE meta_key IN ('_EventStartDate', '_EventEndDate', '_EventStartDateUTC', '_EventEndDateUTC')"},
			without: `"events":\[\]|^404`, with: `"start_date":"2041-02-03 04:05:06"`, probe: func(s *definedSite) string {
				return s.send("GET", sampleAPI+"/events?start_date=2041-01-01&end_date=2042-01-01", "")
			}},
		"EMPTY_TRASH_DAYS": {value: "0", args: passwords, without: "^1$", with: "^0$", probe: func(s *definedSite) string {
			id := s.firstEvent()
			s.as("demo", demoPassword, "DELETE", sampleAPI+"/events/"+id, "")
			return s.count("SELECT COUNT(*) FROM wp_posts WHERE ID = " + id)
		}},
		"WP_POST_REVISIONS": {value: "false", args: passwords, without: "^[1-9]", with: "^0$", probe: func(s *definedSite) string {
			id := s.firstEvent()
			s.as("demo", demoPassword, "POST", sampleAPI+"/events/"+id, `{"description":"new"}`)
			return s.count("SELECT COUNT(*) FROM wp_posts WHERE post_type = 'revision' AND post_parent = " + id)
		}},
		"COOKIEHASH":       {value: "abc", probe: cookie("wordpress_logged_in_abc", "", ""), without: "^40", with: "^200"},
		"LOGGED_IN_COOKIE": {value: "me", probe: cookie("me", "", ""), without: "^40", with: "^200"},
		"LOGGED_IN_KEY":    {value: "a phrase ", probe: cookie("", "a phrase logged_in-salt-of-the-database", ""), without: "^40", with: "^200"},
		"LOGGED_IN_SALT":   {value: "a phrase", probe: cookie("", "logged_in-key-of-the-database a phrase", ""), without: "^40", with: "^200"},
		"NONCE_KEY":        {value: "a phrase ", probe: cookie("", "", "a phrase nonce-salt-of-the-database"), without: "^40", with: "^200"},
		"NONCE_SALT":       {value: "a phrase", probe: cookie("", "", "nonce-key-of-the-database a phrase"), without: "^40", with: "^200"},
		"SECRET_KEY":       {value: "a phrase ", probe: cookie("", "a phrase logged_in-salt-of-the-database", "a phrase nonce-salt-of-the-database"), without: "^40", with: "^200"},
		"AUTH_KEY":         twice,
		"AUTH_SALT":        twice,
		"SECURE_AUTH_KEY":  twice,
		"SECURE_AUTH_SALT": twice,
		"SECRET_SALT":      twice,
	}
}

// formerWarning matches the line that names a setting in a form of earlier releases.
var formerWarning = regexp.MustCompile(`level=WARN msg="([^"]*) still works, but not in the next release: ([^"]*)"`)

// TestDefinedConstants checks through the program what each constant of --define changes, in the
// form of this release, which is not reported, and in that of earlier ones, which is reported once.
func TestDefinedConstants(t *testing.T) {
	t.Parallel()
	effects := definedEffects()
	for _, c := range settings.Constants() {
		t.Run(c.Name, func(t *testing.T) {
			e, ok := effects[c.Name]
			if !ok {
				t.Fatal("the constant has no case here")
			}
			definition, former := c.Name+"="+e.value, []string{"--" + c.Former + "=" + e.value}
			now := []string{"--define", definition}
			advice := "use --define " + c.Name + "=VALUE"
			env := map[string]string{}
			for name, value := range e.env {
				env[name] = value
			}
			if c.Env != "" {
				env[c.Env] = e.value
				now, former = nil, []string{"--config", configFile(t, c.Former+" = '"+e.value+"'\n")}
				advice = "use the line define = " + c.Name + "=VALUE"
			}
			for _, run := range []struct {
				name, want, advice string
				env                map[string]string
				args               []string
			}{
				{"without", e.without, "", e.env, nil},
				{"with", e.with, "", env, now},
				{"former", e.with, advice, e.env, former},
			} {
				dsn := "sqlite:" + filepath.Join(t.TempDir(), "sample.db")
				if e.server {
					dsn = wptest.MariaDB(t)
				}
				site := withDefined(t, dsn, e.changes, run.env, append(run.args, e.args...)...)
				if got := e.probe(site); !regexp.MustCompile(run.want).MatchString(got) {
					t.Errorf("%s: %.600s, want %s", run.name, got, run.want)
				}
				site.stop()
				warnings := formerWarning.FindAllStringSubmatch(site.stderr.String(), -1)
				if run.advice == "" && len(warnings) > 0 || run.advice != "" && (len(warnings) != 1 || warnings[0][2] != run.advice) {
					t.Errorf("%s: the log warns %q, want %q", run.name, warnings, run.advice)
				}
			}
		})
	}
	for name := range effects {
		if !slices.ContainsFunc(settings.Constants(), func(c settings.Constant) bool { return c.Name == name }) {
			t.Errorf("%s is not a constant that --define sets", name)
		}
	}
}

// configFile writes a file and returns its path.
func configFile(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, dir, "conf", text)
	return filepath.Join(dir, "conf")
}

// TestDefineSources checks through the program which source of a constant wins, that the last of
// several flags does, where keys and salts may be, and which definitions are refused.
func TestDefineSources(t *testing.T) {
	t.Parallel()
	dsn := "sqlite:" + namedSample(t, "https://database.example")
	wordpress := configFile(t, "<?php\ndefine('WP_HOME', 'https://wordpress.example');\n")
	file := configFile(t, "define = WP_HOME=https://file.example # a comment\n")
	env := map[string]string{"CALBRIDGE_DEFINE": "COOKIEHASH=x WP_HOME=https://environment.example"}
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
	}{
		"database":    {},
		"wordpress":   {nil, []string{"--wp-config", wordpress}},
		"file":        {nil, []string{"--wp-config", wordpress, "--config", file}},
		"environment": {env, []string{"--wp-config", wordpress, "--config", file}},
		"flag":        {env, []string{"--wp-config", wordpress, "--config", file, "--define", "WP_HOME=https://flag.example"}},
		"last":        {env, []string{"--define", "WP_HOME=https://first.example", "--define", "UPLOADS=files", "--define", "WP_HOME=https://last.example"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, c.env, append([]string{"serve", "--dsn", dsn}, c.args...)...)
			if _, body := fetch(t, s.api+eventsPath); !strings.Contains(body, `"url":"https:\/\/`+name+`.example\/event`) {
				t.Errorf("%.600s", body)
			}
		})
	}

	const phrase = "a phrase = with # signs "
	secret := configFile(t, phrase+"\n")
	other := configFile(t, "define = 'LOGGED_IN_KEY=another phrase'\n")
	for name, c := range map[string]struct {
		env  map[string]string
		args []string
	}{
		"key in the environment":        {map[string]string{"CALBRIDGE_LOGGED_IN_KEY": phrase, "CALBRIDGE_LOGGED_IN_KEY_FILE": other}, []string{"--config", other}},
		"key in a file of its own":      {map[string]string{"CALBRIDGE_LOGGED_IN_KEY_FILE": secret}, []string{"--config", other}},
		"key in the configuration file": {nil, []string{"--config", configFile(t, "define = 'LOGGED_IN_KEY="+phrase+"'\n")}},
		"key in wp-config.php":          {nil, []string{"--wp-config", configFile(t, "<?php\ndefine('LOGGED_IN_KEY', '"+phrase+"');\n")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := withDefined(t, "sqlite:"+filepath.Join(t.TempDir(), "sample.db"), nil, c.env, c.args...)
			if got := s.logIn("", phrase+"logged_in-salt-of-the-database", ""); got != "200" {
				t.Errorf("the login cookie leads to %s", got)
			}
		})
	}

	for name, c := range map[string]struct {
		env  map[string]string
		args []string
		want string
	}{
		"unknown flag":          {nil, []string{"--define", "WP_DEBUG=1"}, `--define: "WP_DEBUG" is not a constant that can be defined; use one of AUTH_KEY,`},
		"unknown variable":      {map[string]string{"CALBRIDGE_DEFINE": "WP_HOMME=x"}, nil, "did you mean WP_HOME?"},
		"unknown line":          {nil, []string{"--config", configFile(t, "define = WP_DEBUG=1\n")}, `:1: "WP_DEBUG" is not a constant`},
		"twice in a file":       {nil, []string{"--config", configFile(t, "define = UPLOADS=a\ndefine = UPLOADS=b\n")}, ":2: UPLOADS is defined twice"},
		"key in a flag":         {nil, []string{"--define", "AUTH_KEY=hidden"}, "AUTH_KEY is a secret; set CALBRIDGE_AUTH_KEY or CALBRIDGE_AUTH_KEY_FILE"},
		"key in a variable":     {map[string]string{"CALBRIDGE_DEFINE": "AUTH_KEY=hidden"}, nil, "AUTH_KEY is a secret"},
		"key in a former flag":  {nil, []string{"--auth-key", "hidden"}, "--auth-key: keys and salts are not taken from the command line"},
		"a value that is wrong": {nil, []string{"--define", "EMPTY_TRASH_DAYS=week"}, `--define EMPTY_TRASH_DAYS: "week" is not a number`},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := once(t, c.env, append([]string{"serve", "--dsn", dsn}, c.args...)...)
			if code != cmdline.Usage || !strings.Contains(stderr, c.want) || strings.Contains(stdout+stderr, "hidden") {
				t.Errorf("exit %d: %s, want %s", code, stderr, c.want)
			}
		})
	}
}

// retiredEffect shows the effect of a setting that the next release won't have, as definedEffect
// does. lines precede the setting's line in the configuration file.
type retiredEffect struct {
	lines, value  string
	probe         func(*started) string
	without, with string
	advice        string
}

// retiredEffects returns the effects of the settings, given an address that stands for WordPress, a
// function that returns the Host of the last request to it, and a folder.
func retiredEffects(t *testing.T, wordpress string, asked func() string, dir string) map[string]retiredEffect {
	form := func(body string) func(*started) string {
		return func(s *started) string {
			resp, err := http.Post(s.api+sampleAPI+"/events", "application/x-www-form-urlencoded", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			return fmt.Sprint(resp.StatusCode)
		}
	}
	requests := func(n int) func(*started) string {
		return func(s *started) (statuses string) {
			for range n {
				resp, _ := fetch(t, s.api+eventsPath)
				statuses += fmt.Sprint(resp.StatusCode, " ")
			}
			return statuses
		}
	}
	// Pictures are fetched from public addresses only, so these three are seen in the console.
	inForce := func(name string) func(*started) string {
		return func(s *started) string { return (&reloading{child: &child{started: s}}).inForce(name) }
	}
	journal := filepath.Join(dir, "journal")
	companion := "companion-secret = " + oldSecret + "\n"
	return map[string]retiredEffect{
		"companion-url":  {lines: companion, value: wordpress, probe: func(*started) string { return asked() }, without: "^$", with: "^127", advice: "set --upstream"},
		"companion-host": {lines: companion + "upstream = " + wordpress, value: "site.example", probe: func(*started) string { return asked() }, without: "^127", with: "^site.example$", advice: "set --upstream-host"},
		"max-input-vars": {value: "2", probe: form("a=1&b=2&title=x&start_date=2030-01-01&end_date=2030-01-02"), without: "^401", with: "^400", advice: "it becomes a constant of 1000"},
		"max-input-nesting": {value: "1", probe: func(s *started) string {
			resp, _ := fetch(t, s.api+eventsPath+"&start_date[a][b]=x")
			return fmt.Sprint(resp.StatusCode)
		}, without: "^400", with: "^200", advice: "it becomes a constant of 64"},
		"max-image":     {value: "1MiB", probe: inForce("max-image"), without: "not shown", with: "^1MiB$", advice: "it becomes a constant of 10MiB"},
		"image-memory":  {value: "1MiB", probe: inForce("image-memory"), without: "not shown", with: "^1MiB$", advice: "it becomes a constant of 384MiB"},
		"image-timeout": {value: "1s", probe: inForce("image-timeout"), without: "not shown", with: "^1s$", advice: "it becomes a constant of 5s"},
		"compare-log-max": {lines: "mode = diff-native\nupstream = " + wordpress + "\ncompare-log = " + journal, value: "1KiB", advice: "it becomes a constant of 64MiB", probe: func(s *started) string {
			for i := range 4 {
				fetch(t, fmt.Sprintf("%s%s&page=%d", s.api, eventsPath, i+1))
			}
			for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
				if _, err := os.Stat(journal + ".1"); err == nil {
					return "renamed"
				}
				if data, _ := os.ReadFile(journal); strings.Count(string(data), "\n") >= 4 {
					return "one file"
				}
			}
			return "nothing"
		}, without: "^one file$", with: "^renamed$"},
		"rate-burst": {lines: "rate-limit = 0.001", value: "1", probe: requests(3), without: "^200 200 200 $", with: "^200 429 429 $", advice: "it becomes a constant of 50"},
		"render-cache": {value: "0", advice: "it becomes a constant of 32MiB", without: "bytes [1-9]", with: "bytes 0$", probe: func(s *started) string {
			fetch(t, s.api+sampleAPI+"/events?per_page=50")
			_, metrics := fetch(t, s.ops+"/metrics")
			return regexp.MustCompile(`(?m)^calbridge_cache_rendered_bytes .*`).FindString(metrics)
		}},
	}
}

// TestRetiredSettings checks through the program that each setting that the next release won't have
// still works, and that the log names once what replaces it.
func TestRetiredSettings(t *testing.T) {
	t.Parallel()
	var host atomic.Pointer[string]
	wordpress := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) { host.Store(&q.Host) }))
	t.Cleanup(wordpress.Close)
	asked := func() string {
		if seen := host.Load(); seen != nil {
			return *seen
		}
		return ""
	}
	dir := t.TempDir()
	effects := retiredEffects(t, wordpress.URL, asked, dir)
	for _, name := range settings.Retired() {
		t.Run(name, func(t *testing.T) {
			e, ok := effects[name]
			if !ok {
				t.Fatal("the setting has no case here")
			}
			for want, line := range map[string]string{e.without: "", e.with: name + " = " + e.value} {
				host.Store(nil)
				leftovers, _ := filepath.Glob(filepath.Join(dir, "*"))
				for _, file := range leftovers {
					os.Remove(file)
				}
				s := start(t, nil, "serve", "--dsn", "sqlite:"+namedSample(t, "https://one.example"), "--config", configFile(t, e.lines+"\n"+line+"\n"))
				if got := e.probe(s); !regexp.MustCompile(want).MatchString(got) {
					t.Errorf("%q: %s, want %s", line, got, want)
				}
				s.stop()
				warnings := formerWarning.FindAllStringSubmatch(s.stderr.String(), -1)
				if line == "" && len(warnings) > 0 || line != "" && (len(warnings) != 1 || !strings.HasPrefix(warnings[0][2], e.advice)) {
					t.Errorf("%q: the log warns %q, want %q", line, warnings, e.advice)
				}
			}
		})
	}
	for name := range effects {
		if !slices.Contains(settings.Retired(), name) {
			t.Errorf("%s is not a setting that the next release won't have", name)
		}
	}
}
