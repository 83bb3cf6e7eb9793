package systemtest

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
	"sync"
	"syscall"
	"testing"
	"time"

	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// hook is a system that is told of changes. It verifies each delivery with the published library.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	got    []string // kind, id and title
	status int      // 0 means 204
}

const hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func newHook(t *testing.T) *hook {
	h := &hook{}
	verifier, err := standard.NewWebhook(hookSecret)
	if err != nil {
		t.Fatal(err)
	}
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = verifier.Verify(body, r.Header)
		}
		var m struct {
			Type string
			Data struct {
				ID    int64
				Title string
			}
		}
		if err == nil {
			err = json.Unmarshal(body, &m)
		}
		if err != nil {
			t.Errorf("%v: %s", err, body)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.status != 0 {
			w.WriteHeader(h.status)
			return
		}
		h.got = append(h.got, strings.TrimSpace(fmt.Sprint(m.Type, " ", m.Data.ID, " ", m.Data.Title)))
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hook) has(want string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Contains(h.got, want)
}

func (h *hook) answers(status int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.status = status
}

// TestWebhooks checks webhooks through the program: a target is told of changes by plain SQL, also after
// the process was killed, of nothing that visitors can't see, and of the whole list after a replay. The
// commands show, try and repeat them.
func TestWebhooks(t *testing.T) {
	if testing.Short() {
		t.Skip("starts processes")
	}
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 6)
	h, dir := newHook(t), t.TempDir()
	file, secret := filepath.Join(dir, "webhooks.json"), filepath.Join(dir, "secret")
	list := `{"targets":[{"name":"crm","url":"` + h.URL + `","secret_file":"` + secret + `","filters":"start_date=2000-01-01&end_date=2100-01-01","private":true}]}`
	for name, text := range map[string]string{file: list, secret: hookSecret} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"serve", "--extensions", "--state-dir", filepath.Join(dir, "state"), "--webhooks", file}
	serve := func() *child { return spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, args...) }
	s := serve()
	run := func(want int, args ...string) string {
		t.Helper()
		code, stdout, stderr := once(t, nil, append(args, "--ops-listen", strings.TrimPrefix(s.ops, "http://"))...)
		if code != want {
			t.Fatalf("%q: %d\n%s%s", args, code, stdout, stderr)
		}
		return stdout + stderr
	}
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := site.db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	waitFor(t, func() bool { return !strings.Contains(run(0, "webhooks", "list"), "reading the list") })
	began := time.Now()
	exec("UPDATE wp_posts SET post_title = 'First' WHERE ID = ?", synthetic.FirstEvent)
	waitFor(t, func() bool { return h.has(fmt.Sprint("event.updated ", synthetic.FirstEvent, " First")) })
	t.Logf("told after %s", time.Since(began))
	h.mu.Lock()
	if len(h.got) != 1 {
		t.Errorf("told of what was there before: %q", h.got)
	}
	h.mu.Unlock()
	other := int64(synthetic.FirstEvent + 3) // in the default language
	exec("UPDATE wp_posts SET post_title = 'Secret', post_status = 'private' WHERE ID = ?", other)
	waitFor(t, func() bool { return h.has(fmt.Sprint("event.deleted ", other)) })
	s.signal(syscall.SIGKILL)
	_ = s.wait(time.Minute)
	exec("UPDATE wp_posts SET post_title = 'Public again', post_status = 'publish' WHERE ID = ?", other)
	s = serve()
	waitFor(t, func() bool { return h.has(fmt.Sprint("event.created ", other, " Public again")) })

	if out := run(0, "webhooks", "list"); !strings.Contains(out, "crm") || !strings.Contains(out, "pending 0") || !strings.Contains(out, h.URL) {
		t.Error(out)
	}
	var all []map[string]any
	if out := run(0, "webhooks", "list", "--json"); json.Unmarshal([]byte(out), &all) != nil || len(all) != 1 || all[0]["name"] != "crm" {
		t.Error(out)
	}
	h.answers(http.StatusGone)
	exec("UPDATE wp_posts SET post_title = 'Missed' WHERE ID = ?", other)
	waitFor(t, func() bool { return strings.Contains(run(0, "webhooks", "list"), "disabled") })
	if _, metrics := fetch(t, s.ops+"/metrics"); !strings.Contains(metrics, "calbridge_webhook_targets_disabled 1") || !strings.Contains(metrics, `calbridge_webhook_deliveries_total{result="refused"} 1`) {
		t.Error("metrics don't show the disabled target")
	}
	h.answers(0)
	if out := run(0, "webhooks", "replay", "--target", "crm"); !strings.Contains(out, "crm is enabled") {
		t.Error(out)
	}
	waitFor(t, func() bool { return h.has(fmt.Sprint("event.updated ", other, " Missed")) })
	if h.has(fmt.Sprint("event.updated ", other, " Secret")) || h.has(fmt.Sprint("event.created ", other, " Secret")) {
		t.Error("told of what nobody could see")
	}
	resp, err := http.Post(s.ops+"/webhooks/replay?target=crm", "text/plain", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusForbidden {
		t.Errorf("a page of another origin can start a replay: %d", resp.StatusCode)
	}

	if out := run(1, "webhooks", "replay", "--target", "other"); !strings.Contains(out, "no target of this name") {
		t.Error(out)
	}
	code, stdout, stderr := once(t, nil, "webhooks", "test", "--webhooks", file, "--target", "crm")
	if code != 0 || !h.has("webhook.test 0") {
		t.Errorf("%d %s%s", code, stdout, stderr)
	}

	// A reload reads the file again; a broken one changes nothing.
	if err := os.WriteFile(file, []byte(`{"targets":[{"name":"crm"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.reload()
	waitFor(t, func() bool { return strings.Contains(s.stderr.String(), "reload failed") })
	if err := os.WriteFile(file, []byte(strings.Replace(list, "crm", "second", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	s.reload()
	waitFor(t, func() bool { return strings.Contains(run(0, "webhooks", "list"), "second") })

	for name, c := range map[string]struct {
		args []string
		code int
		want string
	}{
		"no action":        {[]string{"webhooks"}, 2, "pass list, test or replay"},
		"no target":        {[]string{"webhooks", "test", "--webhooks", file}, 2, "--target are required"},
		"unknown target":   {[]string{"webhooks", "test", "--webhooks", file, "--target", "third"}, 2, "has no target"},
		"not accepted":     {[]string{"webhooks", "test", "--webhooks", file, "--target", "second"}, 1, "did not accept it: status 500"},
		"no server":        {[]string{"webhooks", "list", "--ops-listen", "127.0.0.1:1"}, 3, "is calbridge running"},
		"without a folder": {[]string{"check", "--dsn", "sqlite:x", "--webhooks", file}, 2, "--webhooks needs --extensions and --state-dir"},
	} {
		t.Run(name, func(t *testing.T) {
			h.answers(http.StatusInternalServerError)
			code, stdout, stderr := once(t, nil, c.args...)
			if code != c.code || !strings.Contains(stdout+stderr, c.want) {
				t.Errorf("%d: %s%s", code, stdout, stderr)
			}
		})
	}
}

// TestNetworkWebhooks checks that a target is told of the changes of the sites of a network that it wants,
// with the site, and that the events of a site that is archived are gone.
func TestNetworkWebhooks(t *testing.T) {
	oneAtATime(t)
	n := readNetwork(t)
	db := wptest.ReplicatedSite(t, "network")
	store := openStore(t, db)
	dir := t.TempDir()
	file, secret := filepath.Join(dir, "webhooks.json"), filepath.Join(dir, "secret")
	var mu sync.Mutex
	got := map[string][]string{}
	hook := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var m struct {
			Type string
			Site struct {
				ID  int64
				URL string
			}
			Data struct{ ID int64 }
		}
		if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		got[r.URL.Path] = append(got[r.URL.Path], fmt.Sprintf("%s %d of %d %s", m.Type, m.Data.ID, m.Site.ID, m.Site.URL))
	}))
	t.Cleanup(hook.Close)
	told := func(target, want string) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.Contains(got[target], want)
		}
	}
	target := func(name, more string) string {
		return fmt.Sprintf(`{"name":%q,"url":"%s/%s","secret_file":%q,"filters":"start_date=2000-01-01&end_date=2100-01-01","private":true%s}`, name, hook.URL, name, secret, more)
	}
	for name, text := range map[string]string{file: `{"targets":[` + target("all", "") + "," + target("seventh", `,"sites":["7"]`) + "]}", secret: hookSecret} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	server := start(t, nil, "serve", "--network", "--wp-config", n.config(t), "--dsn", db.DSN, "--extensions", "--clock", db.Now().Format(time.RFC3339), "--state-dir", filepath.Join(dir, "state"), "--webhooks", file)
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(server.stderr)
		}
	})
	waitFor(t, func() bool {
		_, stdout, _ := once(t, nil, "webhooks", "list", "--ops-listen", strings.TrimPrefix(server.ops, "http://"))
		return strings.Contains(stdout, "seventh") && !strings.Contains(stdout, "reading the list")
	})
	change(t, store, "UPDATE wp_2_posts SET post_title = 'Changed' WHERE ID = 45")
	change(t, store, "UPDATE wp_7_posts SET post_title = 'Changed' WHERE ID = 45")
	waitFor(t, told("/all", "event.updated 45 of 2 https://sit.example/divadlo"))
	waitFor(t, told("/all", "event.updated 45 of 7 https://koncerty.example"))
	waitFor(t, told("/seventh", "event.updated 45 of 7 https://koncerty.example"))
	change(t, store, "UPDATE wp_blogs SET archived = 1 WHERE blog_id = 7")
	waitFor(t, told("/seventh", "event.deleted 45 of 7 https://koncerty.example"))
	change(t, store, "UPDATE wp_blogs SET archived = 0 WHERE blog_id = 7")
	waitFor(t, told("/seventh", "event.created 45 of 7 https://koncerty.example"))
	mu.Lock()
	defer mu.Unlock()
	for _, one := range got["/seventh"] {
		if !strings.HasSuffix(one, "of 7 https://koncerty.example") {
			t.Errorf("a target that wants site 7 alone was told: %s", one)
		}
	}
}
