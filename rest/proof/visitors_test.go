package proof

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"
)

// TestVisitors: while the site runs code that reads who asks, nothing is answered natively. The
// report names the code.
func TestVisitors(t *testing.T) {
	p := newTestProver(t, false)
	p.prove(t)
	p.code = Facts{CodeFact: "read", "code mu-plugins/guard.php": "1"}
	p.facts = Facts{"plugins": "a", VisitorFact + " mu-plugins/guard.php": "hooked", VisitorFact + " plugins/shop": "hooked"}
	if err := p.RefreshCode(t.Context()); err != nil { // other code: all facts are read
		t.Fatal(err)
	}
	p.expect(t, "a guard has been added", Visitors)
	p.Record(p.result("/a", Same))
	p.Record(p.result("/b", Same))
	p.expect(t, "a guard, and identical answers", Visitors)
	r := p.Report()
	if r.Held != Visitors || !slices.Equal(r.Visitors, []string{"mu-plugins/guard.php", "plugins/shop"}) {
		t.Errorf("held %q because of %v", r.Held, r.Visitors)
	}
	if !slices.Contains(r.Changed, "code mu-plugins/guard.php") || !slices.Contains(r.Changed, "visitor mu-plugins/guard.php") {
		t.Errorf("changed %v", r.Changed)
	}
	p.facts = Facts{"plugins": "a"}
	if err := p.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.prove(t)
}

// TestSites: what was proved under one address of the site counts under no other, and a refusal
// under another closes nothing. There are too many addresses at some time, but the site's own stay.
func TestSites(t *testing.T) {
	p := newTestProver(t, false)
	p.facts = Facts{HostFact + " Town.example:8443": "own"}
	p.prove(t)
	expect := func(what, site string, want Reason) {
		t.Helper()
		if got := p.Release(asked{site: site}, p.draft).Why; got != want {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	expect("another scheme", SiteOf(false, "town.example"), NotProven)
	expect("another name", SiteOf(true, "partner.example"), NotProven)
	expect("in capitals", SiteOf(true, "TOWN.Example"), None)
	expect("with a port", SiteOf(true, "town.example:8443"), None)
	for host, want := range map[string]string{"town.example:9": "Town.example:8443", "other.example:9": "other.example", "[::1]:9": "[::1]", "10.0.0.1": "10.0.0.1"} {
		if got := p.ComparisonHost(host); got != want {
			t.Errorf("compared with %s: %s, want %s", host, got, want)
		}
	}
	for _, verdict := range []Verdict{Same, Same, Different} { // shown first, then refused
		r := p.result(fmt.Sprint("/", verdict), verdict, "status")
		r.Site, r.Ours.Body = SiteOf(false, "partner.example"), []byte(`{"id":7}`)
		if verdict == Different {
			r.Theirs.Status = http.StatusForbidden
		}
		p.Record(r)
		if verdict == Same {
			continue
		}
		expect("refused there", r.Site, Closed)
	}
	if len(p.Report().Endings) != 1 { // what was shown there is refused, which ends all objects once
		t.Errorf("endings %v", p.Report().Endings)
	}
	r := p.result("/refused", Different, "status")
	r.Site, r.Ours.Body, r.Theirs.Status = SiteOf(false, "never.example"), []byte(`{"id":7}`), http.StatusForbidden
	p.Record(p.result("/a", Same))
	p.Record(r)
	expect("refused under a name that never showed it", testSite, None)

	for i := range 2 * maxSites {
		_ = p.Release(asked{site: SiteOf(false, fmt.Sprintf("n%d.example", i))}, p.draft)
	}
	expect("too many names", SiteOf(false, "another.example"), NotSite)
	expect("the site's own", SiteOf(false, "town.example"), NotProven)
	expect("proven", testSite, None)
	if n := len(p.book.Proofs()); n > maxSites+4 {
		t.Errorf("%d shapes", n)
	}
}

// TestHeadersOfSites: a header is learned for the address under which WordPress sends it. One that
// repeats what the comparison sent is not learned.
func TestHeadersOfSites(t *testing.T) {
	for _, c := range []struct {
		value string
		want  bool
	}{{"open", true}, {"for " + ComparisonAddress, false}, {"Calbridge-Comparison/1", false}} {
		p := newTestProver(t, false)
		if err := p.RefreshIfDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		for i := range 4 {
			p.at = p.at.Add(time.Minute)
			r := p.result(fmt.Sprint("/", i), Different, "headers X-Shop")
			r.Theirs.Header.Set("X-Shop", c.value)
			p.Record(r)
		}
		to, other := http.Header{}, http.Header{}
		p.Adjustments().Headers().Apply(to, testSite)
		p.Adjustments().Headers().Apply(other, SiteOf(false, "town.example"))
		if learned := to.Get("X-Shop") == c.value; learned != c.want || len(other) > 0 {
			t.Errorf("%s: %v, and under another address %v", c.value, to, other)
		}
	}
}
