package systemtest

import (
	"bytes"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/wpstore/wptest"
)

// TestOverloadIsFair fills the connections of slow requests, and then those of exports, with
// statements that the database doesn't end. Lists and single events keep their latency, requests of
// the same class beyond its limit get 503, and the metrics count them.
func TestOverloadIsFair(t *testing.T) {
	const conns, limit, asked = 8, 2, 12
	node := wptest.StartNode(t)
	db := node.Site("mono")
	relay := wptest.StartRelay(t, node)
	held := map[string]chan struct{}{"searchneedle": make(chan struct{}), "feedneedle": make(chan struct{})}
	relay.Before(func(sent []byte) {
		for word, ended := range held {
			if bytes.Contains(sent, []byte(word)) {
				<-ended
			}
		}
	})
	s := start(t, nil, "serve", "--dsn", relay.DSN("calendar"), "--table-prefix", db.TablePrefix, "--namespace", recording.DefaultNamespace, "--extensions", "--cache", "off", "--request-timeout", "1m", "--pool-wait", "300ms",
		"--max-open-conns", fmt.Sprint(conns), "--slow-conns", fmt.Sprint(limit), "--export-conns", fmt.Sprint(limit))
	api := s.api + "/wp-json/tribe/events/v1"
	_, list := fetch(t, api+"/events?per_page=5&start_date=2000-01-01")
	id := regexp.MustCompile(`"id":([0-9]+)`).FindStringSubmatch(list)
	if id == nil {
		t.Fatalf("no event: %.200s", list)
	}
	cheap := func() (median time.Duration) {
		var times []time.Duration
		for range 10 {
			for _, path := range []string{"/events?per_page=5&start_date=2000-01-01", "/events/" + id[1], "/venues?per_page=5", "/categories"} {
				begin := time.Now()
				if resp, body := fetch(t, api+path); resp.StatusCode != http.StatusOK {
					t.Errorf("%s: %d %.200s", path, resp.StatusCode, body)
				}
				times = append(times, time.Since(begin))
			}
		}
		slices.Sort(times)
		return times[len(times)/2]
	}
	before := cheap()
	type answer struct {
		status int
		retry  string
		body   string
	}
	for _, c := range []struct{ reason, path, word string }{
		{"slow", "/events?start_date=2000-01-01&search=searchneedle", "searchneedle"},
		{"exports", "/events.ics?search=feedneedle", "feedneedle"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			answers := make(chan answer, asked)
			for range asked {
				go func() {
					resp, body := fetch(t, api+c.path)
					answers <- answer{resp.StatusCode, resp.Header.Get("Retry-After"), body}
				}()
			}
			for range asked - limit {
				if a := <-answers; a.status != http.StatusServiceUnavailable || a.retry == "" || !strings.Contains(a.body, "calbridge_busy") {
					t.Errorf("beyond the limit: %d, Retry-After %q, %.200s", a.status, a.retry, a.body)
				}
			}
			if during := cheap(); during > 20*before+200*time.Millisecond {
				t.Errorf("cheap requests take %s, before %s", during, before)
			} else {
				t.Logf("cheap requests take %s, before %s", during, before)
			}
			close(held[c.word])
			for range limit {
				if a := <-answers; a.status != http.StatusOK {
					t.Errorf("within the limit: %d %.200s", a.status, a.body)
				}
			}
			_, metrics := fetch(t, s.ops+"/metrics")
			for _, want := range []string{fmt.Sprintf(`calbridge_http_rejected_total{reason=%q} %d`, c.reason, asked-limit), `calbridge_http_rejected_total{reason="reads"} 0`} {
				if !strings.Contains(metrics, want+"\n") {
					t.Errorf("the metrics lack %s", want)
				}
			}
		})
	}
}
