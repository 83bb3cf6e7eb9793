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
				r.Added = p.Learned().AddHeaders(r.Ours.Header, testSite)
				if p.Learned().Align(r.Ours.Header, r.Theirs.Header); r.Ours.Header.Get(c.name) == r.Theirs.Header.Get(c.name) {
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
				if p.Learned().AddHeaders(to, testSite); len(to) > 0 {
					t.Errorf("natively: %v", to)
				}
			}
		})
	}
}
