package systemtest

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"calbridge/cmd/calbridge/companion"
	"calbridge/cmd/calbridge/settings"
)

// reloading is a program that is reloaded with other settings.
type reloading struct {
	*child
	config, dir, dsn string
	// wordpress stands in for WordPress. It stores the Host of each request in wordpressHost.
	wordpress     *httptest.Server
	wordpressHost chan string  // of requests to WordPress
	factsAsked    atomic.Int64 // requests for facts
}

const (
	oldSecret = "old-secret-of-the-test-32-characters"
	newSecret = "new-secret-of-the-test-32-characters"
)

func newReloading(t *testing.T) *reloading {
	t.Helper()
	r := &reloading{dir: t.TempDir(), wordpressHost: make(chan string, 1000)}
	r.config = filepath.Join(r.dir, "conf")
	r.wordpress = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		select {
		case r.wordpressHost <- q.Host:
		default:
		}
		if strings.Contains(q.URL.RawQuery, "/facts") {
			r.factsAsked.Add(1)
		}
		if strings.Contains(q.URL.RawQuery, "slow") {
			time.Sleep(400 * time.Millisecond)
		}
		_, _ = io.WriteString(w, "WordPress answers")
	}))
	t.Cleanup(r.wordpress.Close)
	r.dsn = "sqlite:" + namedSample(t, "https://one.example")
	r.put(t, "")
	r.child = spawn(t, nil, "serve", "--config", r.config)
	return r
}

// put writes the configuration, with the database unless lines names one. A rate limit is
// always set, because switching it on needs a restart.
func (r *reloading) put(t *testing.T, lines string) {
	t.Helper()
	if !strings.Contains(lines, "rate-limit") {
		lines += "\nrate-limit = 100000\nrate-burst = 100000"
	}
	if !regexp.MustCompile(`(?m)^dsn =`).MatchString(lines) {
		lines += "\ndsn = " + r.dsn
	}
	if err := os.WriteFile(r.config, []byte(lines+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// get returns the status and the beginning of a response of the API, with the headers that
// settings affect.
func (r *reloading) get(path string, header ...string) string {
	resp, body := fetch(r.t, r.api+path, header...)
	return fmt.Sprintf("%d cache-control=%q %s", resp.StatusCode, resp.Header.Get("Cache-Control"), body)
}

// post returns the status of a POST.
func (r *reloading) post(path, kind, body string) string {
	r.t.Helper()
	resp, err := http.Post(r.api+path, kind, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, _ := io.ReadAll(resp.Body)
	return fmt.Sprintf("%d %s", resp.StatusCode, text)
}

// notice sends a notice that is signed with a secret, and returns the status.
func (r *reloading) notice(secret string) string {
	r.t.Helper()
	body, random := `{"posts":[1]}`, make([]byte, 16)
	_, _ = rand.Read(random)
	stamp, nonce := strconv.FormatInt(time.Now().Unix(), 10), hex.EncodeToString(random)
	h := hmac.New(sha256.New, []byte(secret))
	_, _ = io.WriteString(h, "calbridge 1\nto-calbridge notice\n"+stamp+"\n"+nonce+"\n"+body)
	q, err := http.NewRequest(http.MethodPost, r.ops+companion.NoticesPath, strings.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	q.Header.Set("X-Calbridge-Timestamp", stamp)
	q.Header.Set("X-Calbridge-Nonce", nonce)
	q.Header.Set("X-Calbridge-Signature", hex.EncodeToString(h.Sum(nil)))
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	resp.Body.Close()
	return strconv.Itoa(resp.StatusCode)
}

// inForce returns the current value of a setting from the console.
func (r *reloading) inForce(name string) string {
	r.t.Helper()
	_, body := fetch(r.t, r.ops+"/console/status.json")
	var status struct {
		About struct {
			Settings []struct{ Name, Value string }
		}
	}
	if err := json.Unmarshal([]byte(body), &status); err != nil {
		r.t.Fatal(err)
	}
	for _, s := range status.About.Settings {
		if s.Name == name {
			return s.Value
		}
	}
	return "(not shown)"
}

// asked returns the Host of the next request to WordPress.
func (r *reloading) asked() string {
	select {
	case host := <-r.wordpressHost:
		return host
	case <-time.After(10 * time.Second):
		return "nobody asks"
	}
}

func (r *reloading) forget() {
	for len(r.wordpressHost) > 0 {
		<-r.wordpressHost
	}
}

// reloadCase shows the effect of a setting: the probe returns what matches before under the lines
// of before, and what matches after under those of after. Both are regular expressions.
type reloadCase struct {
	beforeLines, afterLines string
	probe                   func() string
	before, after           string
}

const eventsPath = "/wp-json/calendar/events/v1/events?per_page=1"

// effects returns the settings whose effect is seen from outside.
func (r *reloading) effects(t *testing.T) map[string]reloadCase {
	up := "upstream = " + r.wordpress.URL + "\n"
	events := func(header ...string) func() string { return func() string { return r.get(eventsPath, header...) } }
	path := func(path string) func() string { return func() string { return r.get(path) } }
	file := func(name, text string) string {
		path := filepath.Join(r.dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// clients sends requests of three clients behind a proxy.
	clients := func() (statuses string) {
		for i := range 3 {
			resp, _ := fetch(t, r.api+eventsPath, "X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
			statuses += strconv.Itoa(resp.StatusCode) + " "
		}
		return statuses
	}
	const slow = "rate-limit = 0.001\n"
	companionURL := "companion-url = " + r.wordpress.URL + "/\ncompanion-secret = " + oldSecret + "\n"
	state := filepath.Join(r.dir, "state")
	return map[string]reloadCase{
		"wp-config":     {"wp-config = " + file("a.php", "<?php\ndefine('WP_HOME', 'https://a.example');\n"), "wp-config = " + file("b.php", "<?php\ndefine('WP_HOME', 'https://b.example');\n"), events(), "a.example.id=", "b.example.id="},
		"define":        {"define = WP_HOME=https://two.example", "define = WP_HOME=https://three.example", events(), "two.example.id=", "three.example.id="},
		"home":          {"", "home = https://two.example", events(), "one.example.id=", "two.example.id="},
		"namespace":     {"", "namespace = other/v1", path("/wp-json/other/v1/events?per_page=1"), "^404", "^200"},
		"rest-prefix":   {"", "rest-prefix = api", path("/api/calendar/events/v1/events?per_page=1"), "^404", "^200"},
		"compat":        {"", "compat = exact", events(), `cache-control="no-cache"`, `cache-control=""`},
		"cache-control": {"", "cache-control = max-age=7", events(), `cache-control="no-cache"`, `cache-control="max-age=7"`},
		"extensions":    {"", "extensions = true", path("/wp-json/calendar/events/v1/events.ics"), "^404", "^200"},
		"clock":         {"", "clock = 2019-05-06T07:08:09Z", path("/wp-json/calendar/events/v1/events"), "start_date=20[2-9]", "start_date=2019-05-06"},
		"max-body": {"", "max-body = 1KiB", func() string {
			return r.post(eventsPath, "application/json", `{"title":"`+strings.Repeat("x", 4000)+`"}`)
		}, "^400", "^413"},
		"dsn": {"", "dsn = sqlite:" + namedSample(t, "https://three.example"), events(), "one.example.id=", "three.example.id="},
		"max-input-vars": {"", "max-input-vars = 2", func() string {
			return r.post(eventsPath, "application/x-www-form-urlencoded", "a=1&b=2&title=x&start_date=2030-01-01&end_date=2030-01-02")
		}, "^401", "^400"},
		"rate-burst": {slow + "rate-burst = 3", slow + "rate-burst = 1", func() string {
			return strings.Repeat("x", strings.Count(r.get(eventsPath)[:3]+r.get(eventsPath)[:3]+r.get(eventsPath)[:3], "200"))
		}, "^xxx$", "^x$"},
		"trusted-proxies":  {slow + "rate-burst = 1\ntrusted-proxies = 127.0.0.0/8", slow + "rate-burst = 1\ntrusted-proxies = none", clients, "^200 200 200 $", "^200 429 429 $"},
		"mode":             {up + "mode = native", up + "mode = proxy", events(), `"events"`, "WordPress answers"},
		"mode-share":       {up + "mode = diff-native", up + "mode = diff-native\nmode-share = 0", events(), `"events"`, "WordPress answers"},
		"upstream":         {up + "mode = proxy", "upstream = http://127.0.0.1:1\nmode = proxy", events(), "WordPress answers", "^50"},
		"upstream-host":    {up + "mode = proxy", up + "mode = proxy\nupstream-host = site.example", func() string { r.forget(); r.get(eventsPath); return r.asked() }, "^127", "^site.example$"},
		"upstream-timeout": {up + "mode = proxy", up + "mode = proxy\nupstream-timeout = 50ms", path(eventsPath + "&slow=1"), "WordPress answers", "^503"},
		"compare-share": {up + "mode = diff-native\ncompare-share = 100", up + "mode = diff-native\ncompare-share = 0", func() string {
			time.Sleep(2 * time.Second) // answers that differ are compared once more
			r.forget()
			r.get(eventsPath)
			select {
			case <-r.wordpressHost:
				return "compared"
			case <-time.After(2 * time.Second):
				return "alone"
			}
		}, "compared", "alone"},
		"companion-secret": {"companion-secret = " + oldSecret, "companion-secret = " + newSecret, func() string { return r.notice(oldSecret) + " " + r.notice(newSecret) }, "^204 401$", "^401 204$"},
		"companion-url": {"", companionURL, func() string {
			before := r.factsAsked.Load()
			r.reload()
			return map[bool]string{true: "asked", false: "not asked"}[r.factsAsked.Load() > before]
		}, "not asked", "^asked"},
		"companion-host": {companionURL, companionURL + "companion-host = site.example", func() string { r.forget(); r.reload(); return r.asked() }, "^127", "^site.example$"},
		"ops-hosts":      {"", "ops-hosts = prometheus.example", func() string { return r.opsAs("prometheus.example") }, "^403$", "^200$"},
		"state-dir": {companionURL, companionURL + "state-dir = " + state, func() string {
			_, err := os.Stat(filepath.Join(state, "companion"))
			return strconv.FormatBool(err == nil)
		}, "false", "true"},
	}
}

// opsAs returns the status of the ops address for a Host.
func (r *reloading) opsAs(host string) string {
	r.t.Helper()
	q, err := http.NewRequest(http.MethodGet, r.ops+"/version", nil)
	if err != nil {
		r.t.Fatal(err)
	}
	q.Host = host
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	resp.Body.Close()
	return strconv.Itoa(resp.StatusCode)
}

// refused returns values with which no site can be opened, so that the reload reports them.
func (r *reloading) refused() map[string]string {
	compared := "\nmode = diff-native\nupstream = " + r.wordpress.URL
	return map[string]string{
		"feed-dsn": "user@tcp(127.0.0.1:1)/x", "replica-dsn": "user@tcp(127.0.0.1:1)/x", "table-prefix": "zz_", "blog-id": "77", "profile": "/nowhere", "tls-key": "/nowhere",
		"custom-user-table": "nobody", "custom-user-meta-table": "nothing", "compare-rules": "/nowhere" + compared, "compare-log": "/nowhere/at/all" + compared,
		"webhooks": "/nowhere", "purge": "/nowhere",
	}
}

// handedOver returns settings that a reload only passes to the site that it reopens. Their
// effects are tested where they are implemented.
func handedOver() map[string]string {
	return map[string]string{
		"db-charset": "utf8mb4", "sites-loaded": "7", "max-open-conns": "7", "pool-wait": "2s", "slow-conns": "3", "export-conns": "3", "replica-max-lag": "9s", "writer-cookie": "true", "driver-only": "true",
		"request-timeout": "11s", "max-streams": "7", "max-streams-per-client": "7", "language-param": "lang2", "languages": "en,de", "read-only": "true", "write-without-transactions": "true",
		"uploads-dir": os.TempDir(), "max-image": "1MiB", "image-memory": "1MiB", "image-timeout": "1s", "site-refresh": "2s", "render-cache": "1MiB",
		"wordpress-dir": os.TempDir(), "max-input-nesting": "32", "siteurl": "https://two.example", "content-url": "https://two.example/c", "uploads-constant": "files", "main-blog-id": "2", "environment": "local", "wordpress-version": "6.9",
		"theme": "classic", "content-width": "700", "disallow-unfiltered-html": "true", "calendar-tables-off": "true", "empty-trash-days": "3", "post-revisions": "3",
		"application-passwords": "off", "record-password-use": "false", "login-tries": "3", "cookiehash": "abc", "logged-in-cookie": "abc",
		"cache": "off", "cache-size": "64MiB", "search-index-size": "8MiB", "cache-max-age": "2s", "changes-max-age": "2h", "cache-tags": "xkey", "cache-tag-prefix": "town-",
		"upstream-user": "editor", "compare-level": "status", "compare-log-max": "1MiB", "proof-comparisons": "3", "proof-time": "2m", "proof-sample": "3", "proof-rate": "7", "proof-writes": "true", "proof-code-every": "3s", "fragment-max-age": "1m", "fragment-stale-if-error": "2m",
		"proof-without-companion": "true", "harmless-tables": "stats", "ordinary-headers": "X-Partner", "harmless-code": "plugin/some", "serve-despite-hooks": "true", "static-blocks": "a/b", "plugin-shortcodes": "map",
		"auth-key": "k", "auth-salt": "k", "secure-auth-key": "k", "secure-auth-salt": "k", "logged-in-key": "k", "logged-in-salt": "k", "nonce-key": "k", "nonce-salt": "k", "secret-key": "k", "secret-salt": "k",
		"upstream-password": "p",
	}
}

// TestSettingsReload checks that a reload applies every setting of the table, except for those
// that it reports as needing a restart.
func TestSettingsReload(t *testing.T) {
	t.Parallel()
	r := newReloading(t)
	reloaded, restarted := settings.Names()
	effects, refusals, handed := r.effects(t), r.refused(), handedOver()
	effects["drain-delay"] = reloadCase{} // it takes effect at the end
	for i, name := range reloaded {
		if i%raceStep != 0 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r.child.t, r.started.t = t, t
			effect, seen := effects[name]
			value, broken := refusals[name]
			given, passed := handed[name]
			switch {
			case name == "drain-delay":
			case seen:
				r.put(t, effect.beforeLines)
				r.reloads(t)
				if got := effect.probe(); !regexp.MustCompile(effect.before).MatchString(got) {
					t.Fatalf("before: %.300s, want %s", got, effect.before)
				}
				r.put(t, effect.afterLines)
				r.reloads(t)
				if got := effect.probe(); !regexp.MustCompile(effect.after).MatchString(got) {
					t.Errorf("after the reload: %.300s, want %s", got, effect.after)
				}
			case broken:
				r.put(t, "")
				r.reloads(t)
				r.put(t, name+" = "+value)
				r.reload()
				if r.metric("calbridge_config_last_reload_successful") != 0 {
					t.Errorf("%s = %s: the reload reports success", name, value)
				}
			case passed:
				r.put(t, name+" = "+given)
				r.reloads(t)
				if got := r.inForce(settings.Title(name)); got != given && got != "•••" {
					t.Errorf("in force is %q, want %q", got, given)
				}
			default:
				t.Error("the setting has no case here")
			}
		})
	}
	for _, name := range restarted {
		t.Run(name, func(t *testing.T) { r.reports(t, name) })
	}
	t.Run("drain-delay", func(t *testing.T) {
		r.put(t, "drain-delay = 2s")
		r.reloads(t)
		begin := time.Now()
		r.signal(syscall.SIGTERM)
		if err := r.wait(time.Minute); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took < 2*time.Second {
			t.Errorf("stopping takes %s, want 2s", took)
		}
	})
	for name := range effects {
		if !slices.Contains(reloaded, name) {
			t.Errorf("%s is no setting that a reload applies", name)
		}
	}
}

// reloads reloads the settings. The reload must succeed.
func (r *reloading) reloads(t *testing.T) {
	t.Helper()
	r.child.t = t
	r.reload()
	if r.metric("calbridge_config_last_reload_successful") != 1 {
		log := strings.Split(strings.TrimSpace(r.stderr.String()), "\n")
		t.Fatalf("the reload fails: %s", log[max(0, len(log)-2):])
	}
}

// reports checks that a change of a setting is reported as needing a restart.
func (r *reloading) reports(t *testing.T, name string) {
	r.child.t, r.started.t = t, t
	cert, key := filepath.Join(r.dir, "cert.pem"), filepath.Join(r.dir, "key.pem")
	changed := map[string]string{
		"sites": "sites = /nowhere", "network": "network = true", "metrics-sites": "metrics-sites = 3", "log-format": "log-format = json", "log-level": "log-level = debug",
		"max-connections": "max-connections = 7", "pprof": "pprof = true", "tls-cert": "tls-cert = " + cert + "\ntls-key = " + key, "rate-limit": "rate-limit = 0",
	}[name]
	switch name {
	case "config":
		return // names the file that a reload reads, which can't change while the program runs
	case "listen", "ops-listen":
		return // spawn gives them as flags, which win; see TestRestartNeeded of package settings
	case "tls-cert":
		writeCertificate(t, cert, key, 10)
	}
	if changed == "" {
		t.Fatal("the setting has no case here")
	}
	r.put(t, changed)
	r.reloads(t)
	want := regexp.MustCompile(`take effect only at the next start" settings=` + name + `\n`)
	waitFor(t, func() bool { return want.MatchString(r.stderr.String()) })
	r.put(t, "")
	r.reloads(t)
}
