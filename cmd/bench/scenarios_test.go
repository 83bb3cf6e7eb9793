package main

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
)

// TestScenarios checks that every request is well-formed, the same in each run and under the
// base, and that random requests differ.
func TestScenarios(t *testing.T) {
	all, again := scenarios("/wp-json/x/v1", 1000), scenarios("/wp-json/x/v1", 1000)
	names := map[string]bool{}
	for k, s := range all {
		names[s.name] = true
		paths := map[string]bool{}
		for i := range 20 {
			r := s.next(i)
			paths[r.path] = true
			u, err := url.ParseRequestURI(r.path)
			if err != nil || !strings.HasPrefix(r.path, "/wp-json/x/v1") || strings.Contains(r.path, "%!") {
				t.Errorf("%s: %s, %v", s.name, r.path, err)
			}
			if _, err := url.ParseQuery(u.RawQuery); err != nil {
				t.Errorf("%s: %v", s.name, err)
			}
			if other := again[k].next(i); other != r {
				t.Errorf("%s: %+v, then %+v", s.name, r, other)
			}
			if s.writes != (r.method == "POST") || s.writes != json.Valid([]byte(r.body)) || s.writes != (r.authorization != "") {
				t.Errorf("%s: %+v", s.name, r)
			}
		}
		if random := strings.Contains(s.name, "random") || s.name == "search"; random != (len(paths) > 1) {
			t.Errorf("%s has %d paths", s.name, len(paths))
		}
	}
	if len(names) != 16 {
		t.Errorf("%d scenarios", len(names))
	}
}
