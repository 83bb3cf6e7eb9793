package wordpress_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

const (
	// networkHost is the host of the network of the test.
	networkHost = "network.test"
	// followWithin bounds the time from a change of the network to the first request that is answered by it.
	followWithin = 10 * time.Second
)

// networkSite is a WordPress network, and calbridge over all its sites.
type networkSite struct {
	*site
	base   string // of calbridge
	client http.Client
}

// newNetwork makes a network of a site, and serves it.
func newNetwork(t *testing.T) *networkSite {
	t.Helper()
	program := buildCalbridge(t)
	n := &networkSite{site: newSiteOn(t, func(t testing.TB) string { return wptest.Replicated(t) }, "")}
	n.client = http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	t.Cleanup(n.client.CloseIdleConnections)
	if err := os.MkdirAll(filepath.Join(n.dir, "wp-content/plugins/the-events-calendar"), 0o755); err != nil {
		t.Fatal(err)
	}
	n.copy("testdata/calendar/the-events-calendar.php", "wp-content/plugins/the-events-calendar/the-events-calendar.php")
	n.remove("wp-content/object-cache.php") // it is written for one site
	alone := regexp.MustCompile(`define\('(WP_HOME|WP_SITEURL|CALBRIDGE_URL)'.*\n`).ReplaceAllString(n.read("wp-config.php"), "")
	n.write("wp-config.php", alone)
	install := exec.Command("php", abs(t, "testdata/network.php"), networkHost)
	install.Dir = n.dir
	install.Env = append(os.Environ(), "HTTP_HOST="+networkHost)
	if out, err := install.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "network\n") {
		t.Fatalf("%v\n%s", err, out)
	}
	constants := "define('MULTISITE', true);\ndefine('SUBDOMAIN_INSTALL', false);\ndefine('DOMAIN_CURRENT_SITE', '" + networkHost + "');\n" +
		"define('PATH_CURRENT_SITE', '/');\ndefine('SITE_ID_CURRENT_SITE', 1);\ndefine('BLOG_ID_CURRENT_SITE', 1);\n"
	n.write("wp-config.php", strings.Replace(alone, "<?php\n", "<?php\n"+constants, 1))
	n.host = networkHost
	n.start(program)
	return n
}

// start starts calbridge.
func (n *networkSite) start(program string) {
	n.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "serve", "--network", "--wp-config", filepath.Join(n.dir, "wp-config.php"), "--dsn", n.dsn, "--listen", "127.0.0.1:0", "--ops-listen", "off",
		"--namespace", "tribe/events/v1", "--rate-limit", "0", "--compat", "exact", "--serve-despite-hooks")
	log, err := os.Create(filepath.Join(n.dir, "calbridge.log"))
	if err != nil {
		n.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		n.t.Fatal(err)
	}
	n.t.Cleanup(func() {
		stop()
		_ = cmd.Wait()
		_ = log.Close()
		for line := range strings.Lines(n.read("calbridge.log")) {
			if n.t.Failed() && !strings.Contains(line, "msg=request") {
				n.t.Log(line)
			}
		}
	})
	serving := regexp.MustCompile(`msg=serving listen=(\S+) `)
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if found := serving.FindStringSubmatch(n.read("calbridge.log")); found != nil {
			n.base = "http://" + found[1]
			return
		}
	}
	n.t.Fatalf("calbridge does not serve:\n%s", n.read("calbridge.log"))
}

// insert makes a site by WordPress, with an event, and returns the numbers of both.
func (n *networkSite) insert(path string) (blog, event int64) {
	n.t.Helper()
	blog = n.id(`wp_insert_site(['domain' => '%s', 'path' => '%s', 'network_id' => 1, 'title' => 'Site %[2]s', 'user_id' => 1, 'options' => ['permalink_structure' => '/%%postname%%/']])`, networkHost, path)
	return blog, n.publish(blog, "Event of "+path)
}

// publish makes an event by WordPress.
func (n *networkSite) publish(blog int64, title string) int64 {
	n.t.Helper()
	return n.id(`(switch_to_blog(%d) ? wp_insert_post(['post_title' => '%s', 'post_content' => '<p>Text</p>', 'post_status' => 'publish', 'post_type' => 'tribe_events', 'post_author' => 1, 'meta_input' => [
		'_EventStartDate' => '2030-01-01 10:00:00', '_EventEndDate' => '2030-01-01 12:00:00', '_EventStartDateUTC' => '2030-01-01 10:00:00', '_EventEndDateUTC' => '2030-01-01 12:00:00',
		'_EventTimezone' => 'UTC', '_EventTimezoneAbbr' => 'UTC', '_EventDuration' => '7200']]) : 0)`, blog, title)
}

// move gives a site another address by WordPress.
func (n *networkSite) move(blog int64, domain, path string) {
	n.t.Helper()
	home := "http://" + domain + strings.TrimSuffix(path, "/")
	n.php(`[update_blog_details(%d, ['domain' => '%s', 'path' => '%s']), switch_to_blog(%[1]d), update_option('home', '%[4]s'), update_option('siteurl', '%[4]s')]`, blog, domain, path, home)
}

// get requests an event of a site.
func (n *networkSite) get(ctx context.Context, address string, event int64) (status int, body string, err error) {
	host, folder, _ := strings.Cut(address, "/")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%swp-json/tribe/events/v1/events/%d", n.base, folder, event), nil)
	if err != nil {
		return 0, "", err
	}
	req.Host = host
	req.Header.Set("Accept", "application/json")
	resp, err := n.client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(text), err
}

// soon waits until a site answers with a status and, unless it is "", a text.
func (n *networkSite) soon(what, address string, event int64, status int, text string) {
	n.t.Helper()
	got, body := 0, ""
	for began := time.Now(); time.Since(began) < followWithin; time.Sleep(20 * time.Millisecond) {
		var err error
		if got, body, err = n.get(n.t.Context(), address, event); err != nil {
			n.t.Fatal(err)
		}
		if got == status && strings.Contains(body, text) {
			return
		}
	}
	n.t.Fatalf("%s: %s answers %d %.300s, want %d with %q", what, address, got, body, status, text)
}

// TestNetworkByWordPress lets WordPress create, archive, rename, map and delete sites of a network under load,
// while calbridge follows. The other sites answer as before all the time.
func TestNetworkByWordPress(t *testing.T) {
	n := newNetwork(t)
	type steady struct {
		address string
		event   int64
		body    string
	}
	main := n.publish(1, "Event of the main site")
	_, other := n.insert("/steady/")
	all := []steady{{networkHost + "/", main, ""}, {networkHost + "/steady/", other, ""}}
	for i := range all {
		s := &all[i]
		n.soon("a steady site", s.address, s.event, http.StatusOK, `"id":`)
		var err error
		if _, s.body, err = n.get(t.Context(), s.address, s.event); err != nil {
			t.Fatal(err)
		}
	}
	loading, stop := context.WithCancel(t.Context())
	defer stop()
	var load sync.WaitGroup
	for client := range 4 {
		load.Go(func() {
			for i := client; loading.Err() == nil; i++ {
				s := all[i%len(all)]
				began := time.Now()
				status, body, err := n.get(loading, s.address, s.event)
				switch took := time.Since(began); {
				case loading.Err() != nil:
				case err != nil || status != http.StatusOK || body != s.body || took > followWithin:
					t.Errorf("%s after %v: %d %.300s %v", s.address, took, status, body, err)
					return
				}
				time.Sleep(2 * time.Millisecond)
			}
		})
	}
	for round := range 3 {
		here := func(name string) string { return fmt.Sprintf("%s/%s%d/", networkHost, name, round) }
		folder := func(name string) string { return strings.TrimPrefix(here(name), networkHost) }
		mapped := fmt.Sprintf("mapped%d.test/", round)
		n.soon("an unknown folder", here("new"), 1, http.StatusNotFound, "")
		blog, event := n.insert(folder("new"))
		n.soon("a new site", here("new"), event, http.StatusOK, `"title":"Event of \/new`)
		for _, field := range []string{"archived", "spam", "deleted"} {
			n.is(`"1"`, `update_blog_status(%d, '%s', '1')`, blog, field)
			n.soon(field, here("new"), event, http.StatusGone, "")
			n.is(`"0"`, `update_blog_status(%d, '%s', '0')`, blog, field)
			n.soon("no longer "+field, here("new"), event, http.StatusOK, `"title"`)
		}
		n.move(blog, networkHost, folder("renamed"))
		n.soon("a renamed site", here("renamed"), event, http.StatusOK, `\/renamed`)
		n.soon("its former folder", here("new"), event, http.StatusNotFound, "")
		n.move(blog, strings.TrimSuffix(mapped, "/"), "/")
		n.soon("a mapped site", mapped, event, http.StatusOK, strings.TrimSuffix(mapped, "/"))
		n.soon("its former address", here("renamed"), event, http.StatusNotFound, "")
		again := n.publish(blog, "Another event")
		n.soon("an event of a mapped site", mapped, again, http.StatusOK, "Another event")
		n.is("true", `wp_delete_site(%d) instanceof WP_Site`, blog)
		n.soon("a deleted site", mapped, event, http.StatusFound, "")
		blog, event = n.insert(folder("new"))
		n.soon("a new site at the same address", here("new"), event, http.StatusOK, `"title"`)
		n.is("true", `wp_delete_site(%d) instanceof WP_Site`, blog)
		n.soon("which is deleted", here("new"), event, http.StatusNotFound, "")
	}
	stop()
	load.Wait()
}
