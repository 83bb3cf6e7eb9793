package systemtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"calbridge/rest/proof"
	"calbridge/rest/rollout"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// TestProofOfMovingTimes: a list whose rest_url has the second of the answer is proven, although
// WordPress's answer always comes from an earlier second than calbridge's. A list that differs in
// more stays a difference.
func TestProofOfMovingTimes(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for seconds")
	}
	t.Parallel()
	dsn := wptest.Replicated(t)
	newCoherentSite(t, dsn, 6)
	wp := start(t, nil, "serve", "--dsn", dsn, "--read-only", "--compat", "exact", "--cache", "off")
	target, err := url.Parse(wp.api)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(target)
			p.Out.Host = p.In.Host
			p.Out.Header.Del(rollout.Marker)
		},
		ModifyResponse: func(resp *http.Response) error { // arrives in the next second
			resp.Header.Set("X-Powered-By", "PHP/8.2")
			if resp.Request.URL.Query().Has("include") {
				time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(1050 * time.Millisecond)))
			}
			return nil
		},
	})
	defer proxy.Close()
	s := start(t, nil, "serve", "--dsn", dsn, "--read-only", "--compat", "exact", "--mode", "auto", "--upstream", proxy.URL,
		"--proof-comparisons", "2", "--proof-time", "1s", "--proof-without-companion")
	path := fmt.Sprintf("%s/wp-json/calendar/events/v1/events?include=%d,%d", s.api, synthetic.FirstEvent, synthetic.FirstEvent+1)
	var state proof.State
	for deadline := time.Now().Add(40 * time.Second); time.Now().Before(deadline) && state != proof.Proven; time.Sleep(200 * time.Millisecond) {
		if resp, body := fetch(t, path); resp.StatusCode != 200 {
			t.Fatalf("%d %s", resp.StatusCode, body)
		}
		_, body := fetch(t, s.ops+"/proof")
		var report proof.Report
		if err := json.Unmarshal([]byte(body), &report); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
		for _, p := range report.Shapes {
			state = p.State
			if p.State == proof.Differing || p.State == proof.Unstable {
				t.Fatalf("%+v %+v", p, p.Difference)
			}
		}
	}
	if state != proof.Proven {
		_, body := fetch(t, s.ops+"/proof")
		t.Errorf("%s after 40 seconds: %s", state, body)
	}
}
