package systemtest

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// wordpressTook is the time that WordPress takes for a response in measurements of mode auto.
const wordpressTook = 100 * time.Millisecond

// TestTimeToNative measures how much of a typical site calbridge answers itself after `calbridge proof
// warm`, with the default settings: in front of a WordPress that takes 100 ms and whose plugin changes a
// field of each event. When the command has ended, which must take 15 minutes at most, clients send
// likely requests, the more popular ones more often.
//
//	CALBRIDGE_WARM=160 go test -timeout 30m -run TestTimeToNative -v ./cmd/calbridge/systemtest
//
// is for a site of 160 events.
func TestTimeToNative(t *testing.T) {
	events, _ := strconv.Atoi(os.Getenv("CALBRIDGE_WARM"))
	if events == 0 {
		t.Skip("takes 15 minutes: set CALBRIDGE_WARM=160 for a site of 160 events")
	}
	dsn := wptest.Replicated(t)
	newPlainSite(t, dsn, events)
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	ref.broken.Store(&[2]string{`"sticky":false`, `"sticky":"no"`})
	ref.takes.Store(int64(wordpressTook))
	s := &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, "serve", "--clock", modesNow, "--read-only", "--mode", "auto", "--upstream", ref.URL, "--proof-without-companion"), ref}
	begin := time.Now()
	code, stdout, stderr := once(t, nil, "proof", "warm", "--url", s.api, "--ops-listen", strings.TrimPrefix(s.ops, "http://"))
	took := time.Since(begin)
	t.Logf("%d events, %d requests to WordPress\n%s", events, ref.asked.Load(), stdout)
	if code != 0 || took > 16*time.Minute {
		t.Errorf("%d after %s: %s", code, took, stderr)
	}
	likely := s.likely()
	native, asked, seen := 0, 0, map[string]bool{}
	byKind := map[string]*[2]int{}
	popular := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.1, 4, uint64(len(likely)-1))
	for range 1000 {
		target := likely[popular.Uint64()]
		resp, body := fetch(t, s.api+target)
		if resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d %s", target, resp.StatusCode, body)
		}
		kind, _, _ := strings.Cut(strings.TrimPrefix(target, apiRoot), "=")
		kind = strings.TrimRight(kind, "0123456789")
		if byKind[kind] == nil {
			byKind[kind] = &[2]int{}
		}
		asked, seen[target] = asked+1, true
		byKind[kind][1]++
		if resp.Header.Get("X-Powered-By") == "" {
			native++
			byKind[kind][0]++
		}
	}
	for kind, n := range byKind {
		if n[0] < n[1] {
			t.Logf("%-30s %d of %d native", kind, n[0], n[1])
		}
	}
	share := 100 * float64(native) / float64(asked)
	t.Logf("after %s, calbridge answers %.1f %% of %d likely requests itself, %d of them different", took.Round(time.Second), share, asked, len(seen))
	if share < 95 {
		t.Errorf("%.1f %% of likely requests are native: %+v", share, s.report().Answers)
	}
}

// newPlainSite makes a site of events in one language.
func newPlainSite(t *testing.T, dsn string, events int) *sql.DB {
	t.Helper()
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn), Logger: slog.New(slog.DiscardHandler)}, Tables: table.Config{Prefix: "wp_"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if err := store.CreateSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	wptest.Generate(t, store.SQL(), "wp_", events)
	return store.SQL()
}

// apiRoot is the path of the API.
const apiRoot = "/wp-json/calendar/events/v1"

// likely returns the requests that clients of a site likely send, the most popular ones first: lists of
// events, single events, venues, organizers, categories and tags, and months.
func (s *provenSite) likely() []string {
	s.t.Helper()
	all := []string{apiRoot + "/events", apiRoot + "/events?per_page=50"}
	for _, list := range []string{"events", "venues", "organizers", "categories", "tags"} {
		_, body := fetch(s.t, s.ref.URL+apiRoot+"/"+list+"?per_page=50"+map[bool]string{true: "&start_date=2025-11-29"}[list == "events"])
		var answer map[string]json.RawMessage
		if err := json.Unmarshal([]byte(body), &answer); err != nil {
			s.t.Fatalf("%v: %s", err, body)
		}
		var items []struct{ ID int64 }
		if err := json.Unmarshal(answer[list], &items); err != nil {
			s.t.Fatalf("%v: %s", err, body)
		}
		if list != "events" {
			all = append(all, apiRoot+"/"+list+"?per_page=50")
		}
		for _, i := range items {
			all = append(all, fmt.Sprintf("%s/%s/%d", apiRoot, list, i.ID))
		}
	}
	now, err := time.Parse(time.RFC3339, modesNow)
	if err != nil {
		s.t.Fatal(err)
	}
	for month := range 6 {
		first := time.Date(now.Year(), now.Month()+time.Month(month), 1, 0, 0, 0, 0, time.UTC)
		all = append(all, fmt.Sprintf("%s/events?start_date=%s&end_date=%s", apiRoot, first.Format(time.DateOnly), first.AddDate(0, 1, -1).Format(time.DateOnly)))
	}
	return all
}
