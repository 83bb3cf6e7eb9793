package console

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"testing"
	"time"

	"calbridge/cmd/calbridge/figures"
)

// TestSites checks rates, order, bound and filter of the table of sites.
func TestSites(t *testing.T) {
	i := newInstance(t)
	busy, counts := &figures.Traffic{}, &figures.Traffic{}
	read := func() {
		i.sites = []figures.Site{{Name: "1", Address: "sit.example/", Mode: "native", State: figures.Open, Bytes: 4096}, {Name: "2", Address: "sit.example/divadlo/", Mode: "auto", State: figures.Broken, Why: "wp_2_posts is missing"}}
		counts.AddTo(&i.sites[0])
		busy.AddTo(&i.sites[1])
		for n := range 300 {
			i.sites = append(i.sites, figures.Site{Name: fmt.Sprint(100 + n), Address: fmt.Sprintf("sit.example/s%03d/", n), State: figures.Idle})
		}
		i.sample()
	}
	ask := func(filter string) (got Sites) {
		t.Helper()
		w := httptest.NewRecorder()
		i.Handler().ServeHTTP(w, httptest.NewRequest("GET", Path+"sites.json?filter="+filter, nil))
		if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
			t.Fatalf("%v: %s", err, w.Body)
		}
		return got
	}
	if got := ask(""); len(got.Shown) != 0 || got.Asked != 0 {
		t.Errorf("before the first reading: %+v", got)
	}
	counts.Count(500, time.Second, true, false)
	read()
	i.at = i.at.Add(10 * time.Second)
	for n := range 100 {
		counts.Count(200, 1500*time.Microsecond, true, n%4 > 0)
		busy.Count(503, time.Millisecond, false, false)
		busy.Count(200, time.Minute, false, false)
	}
	read()
	got := ask("")
	if got.Asked != 302 || got.Matched != 302 || len(got.Shown) != mostSites {
		t.Fatalf("%d of %d asked, %d shown", got.Matched, got.Asked, len(got.Shown))
	}
	for n, want := range []Site{
		{"2", "sit.example/divadlo/", "auto", figures.Broken, "wp_2_posts is missing", 20, 5000, 10, -1, 200, 0},
		{"1", "sit.example/", "native", figures.Open, "", 10, 1.99, 0, .75, 101, 4096},
		{"100", "sit.example/s000/", "", figures.Idle, "", 0, 0, 0, -1, 0, 0},
	} {
		if got := got.Shown[n]; got != want {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	for filter, want := range map[string]int{"DIVADLO": 1, "wp_2": 1, "idle": 300, "s29": 10, "none": 0} {
		if got := ask(filter); got.Matched != want {
			t.Errorf("%s: %d sites, want %d", filter, got.Matched, want)
		}
	}
}
