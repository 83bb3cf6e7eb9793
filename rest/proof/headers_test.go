package proof

import (
	"net/http"
	"slices"
	"testing"
	"time"
)

// TestHeaders: constant headers become rules, those that vary are left out, and those that mean
// something stay differences.
func TestHeaders(t *testing.T) {
	for _, c := range []struct {
		name    string
		values  []string // of WordPress's responses, one after the other
		varying bool     // between two responses to one request
		state   State
		rule    bool
		left    bool
	}{
		{"X-Shop", []string{"open"}, false, Proving, true, false},
		{"Access-Control-Max-Age", []string{"600"}, false, Proving, true, false},
		{"X-Request-Id", []string{"1", "2", "3", "4"}, true, Proven, false, true},
		{"X-Generated-At", []string{"12:00", "12:01"}, true, Proven, false, true},
		{"Age", []string{"1", "2"}, true, Proven, false, true},
		{"X-Day", []string{"Monday", "Tuesday"}, false, Differing, false, false},
		{"Set-Cookie", []string{"a=1", "a=2"}, true, Differing, false, false},
		{"Access-Control-Allow-Origin", []string{"https://a.example", "https://b.example"}, true, Differing, false, false},
		{"X-Wp-Nonce", []string{"1", "2"}, true, Differing, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newTestProver(t, false)
			if err := p.RefreshIfDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			for i := range 4 {
				p.at = p.at.Add(time.Minute)
				r := p.result(string(rune('a'+i)), Different, "headers "+c.name)
				r.Theirs.Header.Set(c.name, c.values[i%len(c.values)])
				r.Applied = p.Adjustments().Headers().Apply(r.Ours.Header, testSite)
				if p.Adjustments().Align(r.Ours.Header, r.Theirs.Header); r.Ours.Header.Get(c.name) == r.Theirs.Header.Get(c.name) {
					r.Verdict, r.Fields = Same, nil
				} else if c.varying {
					r.Varying = []string{c.name}
				}
				p.Record(r)
			}
			got := p.Report()
			rule := slices.ContainsFunc(got.Headers, func(r HeaderRule) bool { return r.Name == c.name })
			if rule != c.rule || slices.Contains(got.Varying, c.name) != c.left {
				t.Errorf("rules %v, varying %v", got.Headers, got.Varying)
			}
			state := got.Shapes[0].State
			if state == Proven && c.rule { // two comparisons teach the rule, two prove
				state = Proving
			}
			if state != c.state {
				t.Errorf("%+v", got.Shapes[0])
			}
			if to := (http.Header{}); c.left {
				if p.Adjustments().Headers().Apply(to, testSite); len(to) > 0 {
					t.Errorf("natively: %v", to)
				}
			}
		})
	}
}

// TestHeaderRules: constant headers that WordPress removes or replaces are learned, and applied to
// responses that have the value that was compared.
func TestHeaderRules(t *testing.T) {
	for _, c := range []struct {
		name         string
		ours, theirs string // "" for none
		means        string // of the rule, "" for none
	}{
		{"X-Robots-Tag", "noindex", "", "header that WordPress never sends"},
		{"Access-Control-Allow-Headers", "Authorization", "Authorization, X-Key", "header that WordPress sends with another value"},
		{"X-Shop", "", "open", "header that WordPress always sends"},
		{"Link", "<https://town.example/>", "", ""},
		{"X-Tec-Total", "7", "", ""},
		{"X-Robots-Tag", "noindex", "from 192.0.2.1", ""},
	} {
		t.Run(c.name+" "+c.theirs, func(t *testing.T) {
			p := newTestProver(t, false)
			if err := p.RefreshIfDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			header := func(value string) http.Header {
				if value == "" {
					return http.Header{}
				}
				return http.Header{c.name: {value}}
			}
			compare := func(request, theirs string) {
				p.at = p.at.Add(time.Minute)
				r := p.result(request, Different, "headers "+c.name)
				r.Ours.Header, r.Theirs.Header = header(c.ours), header(theirs)
				r.Applied = p.Adjustments().Headers().Apply(r.Ours.Header, testSite)
				if r.Ours.Header.Get(c.name) == theirs {
					r.Verdict, r.Fields = Same, nil
				}
				p.Record(r)
			}
			compare("/a", c.theirs)
			compare("/b", c.theirs)
			rules := p.Report().Headers
			if c.means == "" {
				if len(rules) > 0 {
					t.Fatalf("learned %+v", rules)
				}
				return
			}
			if len(rules) != 1 || rules[0].Means() != c.means {
				t.Fatalf("learned %+v", rules)
			}
			to, other := header(c.ours), http.Header{c.name: {"another value"}}
			p.Adjustments().Headers().Apply(to, testSite)
			p.Adjustments().Headers().Apply(other, testSite)
			if to.Get(c.name) != c.theirs || other.Get(c.name) != "another value" {
				t.Errorf("applied: %v and %v", to, other)
			}
			compare("/c", c.theirs)
			compare("/d", c.theirs)
			if state := p.Report().Shapes[0].State; state != Proven {
				t.Errorf("with the rule: %s", state)
			}
			compare("/e", "changed")
			if r := p.Report(); len(r.Headers) > 0 || r.Endings[EndHeader] != 1 {
				t.Errorf("after WordPress has changed the header: %+v, %v", r.Headers, r.Endings)
			}
		})
	}
}

// TestVaryingHeader: a header is recognized within three comparisons, although unknown tables change
// all the time, if the same request gets another value while its rows stay the same.
func TestVaryingHeader(t *testing.T) {
	for _, c := range []struct {
		name    string
		changed bool // a row changes before each comparison
		request func(n int) string
		values  [3]string
		varies  bool
	}{
		{"the same request", false, func(int) string { return "/a" }, [3]string{"1", "2", "3"}, true},
		{"a header that changes once", false, func(int) string { return "/a" }, [3]string{"1", "2", "2"}, false},
		{"other requests", false, func(n int) string { return string(rune('a' + n)) }, [3]string{"1", "2", "3"}, false},
		{"changed rows", true, func(int) string { return "/a" }, [3]string{"1", "2", "3"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newTestProver(t, false)
			if err := p.RefreshIfDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			for n := range 3 {
				p.at = p.at.Add(time.Minute)
				p.Others([]string{"busy"})
				if c.changed {
					p.cfg.Tracker.Invalidate(p.draft.Tags...)
				}
				r := p.result(c.request(n), Different, "headers X-Second")
				r.Theirs.Header.Set("X-Second", c.values[n])
				p.Record(r)
			}
			if varies := slices.Contains(p.Report().Varying, "X-Second"); varies != c.varies {
				t.Errorf("varies: %t, want %t", varies, c.varies)
			}
		})
	}
}
