package systemtest

import (
	"database/sql"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/rest/proof"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// realSite is a site whose WordPress a reference stands in for.
type realSite struct {
	t   *testing.T
	dsn string
	db  *sql.DB
	ref *reference
}

// auto starts a process in mode auto, with further flags.
func (r *realSite) auto(t *testing.T, flags ...string) *autoProcess {
	t.Helper()
	return &autoProcess{start(t, nil, append([]string{"serve", "--dsn", r.dsn, "--clock", modesNow, "--mode", "auto", "--upstream", r.ref.URL,
		"--proof-comparisons", "3", "--proof-time", "1s", "--proof-without-companion"}, flags...)...)}
}

// autoProcess is a process in mode auto.
type autoProcess struct{ *started }

// get requests a path of the namespace. It reports whether calbridge answered the request itself.
func (p *autoProcess) get(path string) (native bool, header http.Header, body string) {
	p.t.Helper()
	resp, body := fetch(p.t, p.api+"/wp-json/calendar/events/v1/"+path)
	if resp.StatusCode != http.StatusOK {
		p.t.Fatalf("%s: %d %s", path, resp.StatusCode, body)
	}
	return resp.Header.Get("X-Powered-By") == "", resp.Header, body
}

// awaitNative requests a path until calbridge answers it itself.
func (p *autoProcess) awaitNative(path string) (body string) {
	p.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if native, _, body := p.get(path); native {
			return body
		}
	}
	p.t.Fatalf("%s isn't answered natively: %+v", path, p.report())
	return ""
}

func (p *autoProcess) report() (r proof.Report) {
	p.t.Helper()
	return (&provenSite{child: &child{started: p.started}}).report()
}

// TestAutoOnRealSites checks what mode auto promises for sites with plugins, each time through the
// program.
func TestAutoOnRealSites(t *testing.T) {
	if testing.Short() {
		t.Skip("proves for seconds")
	}
	dsn := wptest.Replicated(t)
	site := newCoherentSite(t, dsn, 12)
	r := &realSite{t, dsn, site.db, newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})}
	t.Run("reads at the level exact", r.testReadLevel)
	t.Run("busy tables", r.testBusyTables)
	t.Run("headers", r.testHeaders)
}

// wholeList is the path of a list of all events.
const wholeList = "events?start_date=2020-01-01&end_date=2035-01-01&per_page=50"

// testReadLevel checks that a list with a protected event, which --compat safe leaves out, becomes
// native with the default level.
func (r *realSite) testReadLevel(t *testing.T) {
	protected := synthetic.FirstEvent + 3 // in the default language
	if _, err := r.db.Exec("UPDATE wp_posts SET post_password = 'sesame' WHERE ID = ?", protected); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if _, err := r.db.Exec("UPDATE wp_posts SET post_password = '' WHERE ID = ?", protected); err != nil {
			t.Error(err)
		}
	}()
	has := func(body string) bool { return strings.Contains(body, fmt.Sprintf(`"id":%d,`, protected)) }
	p := r.auto(t)
	if body := p.awaitNative(wholeList); !has(body) {
		t.Errorf("the native list lacks a protected event: %.200s", body)
	}
	native := start(t, nil, "serve", "--dsn", r.dsn, "--clock", modesNow, "--read-only")
	if _, body := fetch(t, native.api+"/wp-json/calendar/events/v1/"+wholeList); has(body) {
		t.Error("the list has no intended difference from WordPress's")
	}
	const says = "reads are answered as with --compat exact"
	_, stdout, stderr := once(t, nil, "check", "--dsn", r.dsn, "--mode", "auto", "--upstream", r.ref.URL)
	if !strings.Contains(stdout, says) {
		t.Errorf("check: %s\n%s", stdout, stderr)
	}
}

// testBusyTables checks that changes of a well-known table end nothing, unless the owner takes it off
// the list, and that changes of unknown ones do.
func (r *realSite) testBusyTables(t *testing.T) {
	for _, name := range []string{"wfhits", "stream", "guards"} {
		if _, err := r.db.Exec("CREATE TABLE wp_" + name + " (id bigint PRIMARY KEY AUTO_INCREMENT)"); err != nil {
			t.Fatal(err)
		}
	}
	p := r.auto(t, "--harmless-tables", "!stream")
	event := fmt.Sprint("events/", synthetic.FirstEvent)
	for _, c := range []struct {
		table string
		ends  int64
	}{{"wfhits", 0}, {"guards", 1}, {"stream", 1}} {
		p.awaitNative(event)
		if _, err := r.db.Exec("INSERT INTO wp_" + c.table + " () VALUES ()"); err != nil {
			t.Fatal(err)
		}
		p.settle(r.db)
		if native, _, _ := p.get(event); native != (c.ends == 0) {
			t.Errorf("after a change of %s: answered natively: %t", c.table, native)
		}
		if got := p.report().Tables[c.table]; got != c.ends {
			t.Errorf("%s: %d changes ended proofs, want %d", c.table, got, c.ends)
		}
	}
}

// settle waits until the changes of rows have arrived.
func (p *autoProcess) settle(db *sql.DB) {
	p.t.Helper()
	title := fmt.Sprint("Settled ", time.Now().UnixNano())
	last := synthetic.FirstEvent + 6
	if _, err := db.Exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", title, last); err != nil {
		p.t.Fatal(err)
	}
	waitFor(p.t, func() bool {
		native, _, body := p.get(fmt.Sprint("events/", last))
		return native && strings.Contains(body, title)
	})
}

// testHeaders checks that a header that varies is left out after three comparisons at most, and that
// constant headers that WordPress adds, removes or replaces are sent natively as WordPress sends them.
func (r *realSite) testHeaders(t *testing.T) {
	behind, err := url.Parse(r.ref.URL)
	if err != nil {
		t.Fatal(err)
	}
	var constant atomic.Bool
	var asked, compared atomic.Int64
	plugin := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(behind)
			p.Out.Host = p.In.Host
			if p.In.UserAgent() == proof.ComparisonAgent {
				compared.Add(1)
			}
		},
		ModifyResponse: func(resp *http.Response) error {
			resp.Header.Set("X-Serial", fmt.Sprint(asked.Add(1)))
			if constant.Load() {
				resp.Header.Set("X-Shop", "open")
				resp.Header.Del("X-Robots-Tag")
				resp.Header.Set("Access-Control-Allow-Headers", "Authorization, X-Key")
			}
			return nil
		},
	})
	defer plugin.Close()
	p := r.auto(t, "--upstream", plugin.URL)
	event := fmt.Sprint("events/", synthetic.FirstEvent)
	waitFor(t, func() bool { p.get(event); return len(p.report().Varying) > 0 })
	if n := compared.Load(); n > 2*3 { // two requests each
		t.Errorf("WordPress was asked %d times by comparisons until the varying header was recognized", n)
	}
	p.awaitNative(event)
	constant.Store(true)
	var header http.Header
	waitFor(t, func() bool {
		for n := range 6 { // a rule takes different requests
			p.get(fmt.Sprint("events/", synthetic.FirstEvent+n))
		}
		native, h, _ := p.get(event)
		header = h
		return native && h.Get("X-Shop") == "open"
	})
	if len(header["X-Robots-Tag"])+len(header["X-Serial"]) > 0 || header.Get("Access-Control-Allow-Headers") != "Authorization, X-Key" {
		t.Errorf("natively: %v", header)
	}
	_, stdout, _ := once(t, nil, "proof", "--ops-listen", strings.TrimPrefix(p.ops, "http://"))
	for _, says := range []string{"always sends: X-Shop", "never sends: X-Robots-Tag", "with another value: Access-Control-Allow-Headers", "varies, and is left out: X-Serial"} {
		if !strings.Contains(stdout, says) {
			t.Errorf("calbridge proof lacks %q:\n%s", says, stdout)
		}
	}
}
