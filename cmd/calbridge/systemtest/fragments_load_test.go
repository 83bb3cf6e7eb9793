package systemtest

import (
	"database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/synthetic"
	"calbridge/wpstore/wptest"
)

// TestFragmentsThroughOutages checks that while WordPress's plugin is updated, WordPress is slow, dead and
// back again, calbridge shows nothing that is older than promised. No row and no fact tells that the plugin
// prints another version. It may be shown for --fragment-max-age after the update, for
// --fragment-stale-if-error while WordPress is dead, and never after a change of the event's rows.
func TestFragmentsThroughOutages(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	const maxAge, stale = 3 * time.Second, 6 * time.Second
	// A fragment is as old as the response of WordPress that confirmed it, so that the time of that
	// response comes on top.
	const slack = 1500 * time.Millisecond
	dsn := wptest.Replicated(t)
	db := newPlainSite(t, dsn, 6)
	o := newOutage(t, dsn, "--fragment-max-age", maxAge.String(), "--fragment-stale-if-error", stale.String())
	changed, event := strconv.Itoa(synthetic.FirstEvent), strconv.Itoa(synthetic.FirstEvent+1)
	for _, id := range []string{changed, event} {
		waitFor(t, func() bool { return o.get(id).native })
	}

	late, got := o.update(event, 2*maxAge)
	t.Logf("plugin updated: the old version was last shown %s later; %s", late, got)
	if late > maxAge+slack || got.native == 0 {
		t.Errorf("shown for %s; %s", late, got)
	}

	o.ref.takes.Store(int64(700 * time.Millisecond))
	late, got = o.update(event, 3*maxAge)
	t.Logf("plugin updated while WordPress takes 700 ms: the old version was last shown %s later; %s", late, got)
	if late > maxAge+slack || got.native == 0 {
		t.Errorf("shown for %s; %s", late, got)
	}
	o.ref.takes.Store(0)
	waitFor(t, func() bool { return o.get(event).native && o.get(changed).native })

	o.ref.dead.Store(true)
	if _, err := db.Exec("UPDATE wp_posts SET post_title = 'Changed while WordPress is dead' WHERE ID = ?", changed); err != nil {
		t.Fatal(err)
	}
	time.Sleep(500 * time.Millisecond) // until the change has arrived
	if r := o.get(changed); r.status == http.StatusOK {
		t.Errorf("WordPress is dead, and the event has changed: status %d, version %d", r.status, r.version)
	}
	late, got = o.update(event, stale+3*time.Second)
	t.Logf("WordPress dead: the last version was shown for %s; %s", late, got)
	if late > stale+slack || got.native == 0 || got.failed == 0 {
		t.Errorf("shown for %s; %s", late, got)
	}

	o.ref.dead.Store(false)
	begin := time.Now()
	waitFor(t, func() bool {
		r := o.get(event)
		if r.native && r.version != o.version.Load() {
			t.Errorf("WordPress is back: the version from before is shown natively")
		}
		return r.native
	})
	t.Logf("WordPress back: native after %s", time.Since(begin).Round(time.Millisecond))
	waitFor(t, func() bool { return o.get(changed).native })
}

// outage is calbridge in front of a WordPress whose plugin prints its version.
type outage struct {
	*provenSite
	version atomic.Int64
	printed *regexp.Regexp
}

func newOutage(t *testing.T, dsn string, args ...string) *outage {
	ref := newReference(t, sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, dsn)}})
	o := &outage{printed: regexp.MustCompile(`"sticky":"version (\d+)"`)}
	of := regexp.MustCompile(`"sticky":false`)
	ref.plugin.Store(&standInPlugin{response: func(_ *http.Request, status int, body []byte) (int, []byte) {
		return status, of.ReplaceAll(body, fmt.Appendf(nil, `"sticky":"version %d"`, o.version.Load()))
	}})
	o.provenSite = &provenSite{spawn(t, []string{"CALBRIDGE_DSN=" + dsn}, append([]string{"serve", "--clock", modesNow, "--read-only", "--mode", "auto", "--upstream", ref.URL,
		"--proof-comparisons", "2", "--proof-time", "1s", "--proof-without-companion"}, args...)...), ref}
	return o
}

// versioned is a response. version is 0 if it has none.
type versioned struct {
	native  bool
	status  int
	version int64
}

func (o *outage) get(event string) (v versioned) {
	o.t.Helper()
	resp, body := fetch(o.t, o.api+apiRoot+"/events/"+event)
	v.status, v.native = resp.StatusCode, resp.StatusCode == http.StatusOK && resp.Header.Get("X-Powered-By") == ""
	if found := o.printed.FindStringSubmatch(body); found != nil {
		v.version, _ = strconv.ParseInt(found[1], 10, 64)
	}
	return v
}

// answers counts responses by who sent them.
type answers struct{ native, forwarded, failed int }

func (a answers) String() string {
	return fmt.Sprintf("%d native, %d by WordPress, %d failed", a.native, a.forwarded, a.failed)
}

// update updates the plugin, and sends requests for a time. It returns when the version from before
// was last shown natively.
func (o *outage) update(event string, during time.Duration) (late time.Duration, got answers) {
	o.t.Helper()
	time.Sleep(2*time.Duration(o.ref.takes.Load()) + time.Second) // until no comparison runs: two responses of one that differ are not an update
	now := o.version.Add(1)
	for begin := time.Now(); time.Since(begin) < during; time.Sleep(20 * time.Millisecond) {
		asked := time.Since(begin)
		switch r := o.get(event); {
		case r.status != http.StatusOK:
			got.failed++
		case !r.native:
			got.forwarded++
		default:
			got.native++
			if r.version != now {
				late = asked
			}
		}
	}
	return late.Round(10 * time.Millisecond), got
}

// TestNativeShare measures which share of requests for single events is native, by the number of events
// and the rate of requests, where a plugin changes each event. An event that is requested less than once
// in --fragment-max-age is answered by WordPress each time. More requests can't cost WordPress more than
// about one request for each event in that time.
//
//	CALBRIDGE_SHARE=1m go test -timeout 1h -run TestNativeShare -v ./cmd/calbridge/systemtest
//
// measures nine cells for a minute each, with a --fragment-max-age of a third of that, and prints a table.
func TestNativeShare(t *testing.T) {
	during, err := time.ParseDuration(os.Getenv("CALBRIDGE_SHARE"))
	events, rates := []int{20, 100, 500}, []float64{5, 20, 80}
	if err != nil {
		if testing.Short() {
			t.Skip("proves for seconds")
		}
		during, events, rates = 6*time.Second, []int{20}, []float64{5, 40}
	}
	age := during / 3
	for _, n := range events {
		dsn := wptest.Replicated(t)
		db := newPlainSite(t, dsn, n)
		for _, rate := range rates {
			o := newOutage(t, dsn, "--fragment-max-age", age.String(), "--proof-rate", "100")
			share, upstream := o.share(db, n, rate, during)
			perEvent := rate * age.Seconds() / float64(n)
			t.Logf("%4d events, %4.0f requests/s (%5.1f for each event in --fragment-max-age %s): native %5.1f %%, %.1f requests/s to WordPress", n, rate, perEvent, age, share, upstream)
			if perEvent >= 4 && share < 60 {
				t.Errorf("%.1f %% native although each event is requested %.0f times in --fragment-max-age", share, perEvent)
			}
		}
	}
}

// share sends requests for random events at a rate, after the first ones have proven them. It returns
// the native share in percent, and the requests to WordPress per second.
func (o *outage) share(db *sql.DB, events int, rate float64, during time.Duration) (percent, upstream float64) {
	o.t.Helper()
	var first int
	if err := db.QueryRow("SELECT MIN(ID) FROM wp_posts WHERE post_type = 'tribe_events'").Scan(&first); err != nil {
		o.t.Fatal(err)
	}
	event := strconv.Itoa(first)
	waitFor(o.t, func() bool { return o.get(event).native })
	random := rand.New(rand.NewPCG(1, 2))
	var native, all atomic.Int64
	send := func(target string, counts bool) {
		resp, err := http.Get(o.api + apiRoot + "/events/" + target)
		if err != nil {
			o.t.Error(err)
			return
		}
		defer resp.Body.Close()
		_, _ = io.Copy(io.Discard, resp.Body)
		if !counts {
			return
		}
		all.Add(1)
		if resp.Header.Get("X-Powered-By") == "" {
			native.Add(1)
		}
	}
	var asked int64
	var clients sync.WaitGroup
	begin, warm := time.Now(), during/3
	for n := 0; ; n++ {
		due := time.Duration(float64(n) / rate * float64(time.Second))
		if due >= during {
			break
		}
		time.Sleep(time.Until(begin.Add(due)))
		target, counts := strconv.Itoa(first+random.IntN(events)), due >= warm
		if asked == 0 && counts {
			asked = o.ref.asked.Load()
		}
		clients.Go(func() { send(target, counts) })
	}
	clients.Wait()
	return 100 * float64(native.Load()) / float64(max(all.Load(), 1)), float64(o.ref.asked.Load()-asked) / (during - warm).Seconds()
}
