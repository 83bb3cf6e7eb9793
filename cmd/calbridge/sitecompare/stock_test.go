package sitecompare_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"calbridge/cmd/calbridge/sitecompare"
	"calbridge/compat/profile"
	"calbridge/testdata"
)

// TestStockSites checks that no cause is named for a stock site: one whose WordPress has
// wording that calbridge has no profile of, in English or in another language, whose web
// server adds headers, and whose clock goes on between two answers. The wording is the only
// cause that such sites have.
func TestStockSites(t *testing.T) {
	if testing.Short() {
		t.Skip("compares many sites, one like the other")
	}
	shared := testdata.Shared(t, "recordings")
	profileOf := func(recordings string) string {
		built, err := profile.Build(profile.Options{Recordings: []string{filepath.Join(shared, recordings)}})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "profile.json")
		if err := built.WriteFile(file); err != nil {
			t.Fatal(err)
		}
		return file
	}
	_, unworded := sampleSite(t)
	server := func(_ *http.Request, a *httptest.ResponseRecorder) {
		a.Header().Set("X-Powered-By", "PHP/8.2.28")
		a.Header().Set("Server-Timing", "total;dur="+time.Now().Format("05.000"))
		a.Header().Set("Cf-Ray", time.Now().Format("150405"))
	}
	for name, c := range map[string]struct {
		args    []string
		change  change
		allowed string
		same    bool
	}{
		"web server":       {change: server, same: true},
		"clock goes on":    {change: secondLater(), same: true},
		"wording":          {args: []string{"--profile", profileOf("mono/*.jsonl.gz")}, change: server, allowed: "wording"},
		"another language": {args: []string{"--profile", profileOf("variants/locale-fr_FR.jsonl.gz")}, change: server, allowed: "wording"},
		"several":          {args: []string{"--profile", profileOf("wpml/*.jsonl.gz")}, change: server, allowed: "wording"},
	} {
		t.Run(name, func(t *testing.T) {
			handler, cfg := sampleSite(t, c.args...)
			cfg.Ours, cfg.Login = unworded.Ours, nil
			cfg.Upstream.URL = standIn(t, handler, c.change)
			result := sitecompare.Compare(t.Context(), cfg)
			if result.Problem != "" {
				t.Fatal(result.Problem)
			}
			for _, s := range result.Suggestions {
				if s.Sign != c.allowed && s.Sign != "unexplained" {
					t.Errorf("%s is named %d times: %s", s.Sign, s.Count, s.Suggests)
				}
			}
			if c.same && len(result.Groups) > 0 || c.allowed != "" && len(result.Suggestions) == 0 {
				t.Errorf("%d groups, %d suggestions", len(result.Groups), len(result.Suggestions))
			}
			if t.Failed() {
				var text strings.Builder
				result.WriteText(&text)
				t.Logf("%.6000s", text.String())
			}
			if got := result.Identical + result.Headers + result.Raced; c.same && got != result.Requests {
				t.Errorf("%d of %d are the same", got, result.Requests)
			}
		})
	}
}

// secondLater delays some answers until the next second has begun, so that calbridge's own
// answer is from another second.
func secondLater() change {
	var mu sync.Mutex
	delayed := map[string]int{}
	return func(r *http.Request, _ *httptest.ResponseRecorder) {
		mu.Lock()
		delayed[r.RequestURI]++
		wait := r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/events") && !strings.Contains(r.URL.RawQuery, "start_date") && delayed[r.RequestURI] <= 2
		mu.Unlock()
		if wait {
			time.Sleep(time.Until(time.Now().Truncate(time.Second).Add(time.Second)))
		}
	}
}
