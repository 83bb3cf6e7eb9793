package systemtest

import (
	"database/sql"
	"fmt"
	"net/http"
	"strings"
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
