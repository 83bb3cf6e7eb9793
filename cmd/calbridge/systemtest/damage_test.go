package systemtest

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// TestDamagedPackets makes a database send packets at which the MySQL driver panics: first for
// each kind of statement separately (requests, the change feed, the journal, the event index,
// checks of replicas), then for all of them. It checks that the process survives, that
// requests get an error or a response, and that everything recovers as soon as packets are
// intact.
func TestDamagedPackets(t *testing.T) {
	if testing.Short() {
		t.Skip("damages each statement for a while")
	}
	t.Parallel()
	for _, mode := range []struct {
		name string
		args []string
	}{
		{"pipelined", nil},
		{"driver only", []string{"--driver-only"}},
	} {
		t.Run(mode.name, func(t *testing.T) {
			t.Parallel()
			node := wptest.StartNode(t)
			db := node.Site("mono")
			node.Exec("GRANT ALL ON *.* TO site@'%'") // for the binary log
			damager := wptest.StartDamager(t, node)
			d := &damagedSite{t: t, node: node, damager: damager}
			d.s = start(t, nil, outageArgs(db, damager.DSN("calendar"), append([]string{
				"--cache", "strict", "--extensions", "--compat", "fixed", "--state-dir", t.TempDir(),
				"--max-open-conns", "4", "--pool-wait", "200ms",
			}, mode.args...)...)...)
			d.awaitWell()

			names := damager.Seen()
			slices.Sort(names)
			for _, name := range names {
				damager.Damage(func(sent string) bool { return sent == name })
				d.use(200 * time.Millisecond)
			}
			damager.Damage(func(string) bool { return true })
			d.use(time.Second)
			if refused := d.status["503"] + d.status["500"]; refused == 0 {
				t.Errorf("no request failed: %v", d.status)
			}
			damager.Damage(func(string) bool { return false })
			d.awaitWell()
			if panics := d.panics(); panics == 0 {
				t.Error("the driver has not panicked, or nobody counts")
			}
			if log := d.s.stderr.String(); !strings.Contains(log, "panic while reading from the database") || !strings.Contains(log, "stack=") {
				t.Error("the log has no panic with its stack")
			}
			damaged := damager.Damaged()
			for _, reader := range []string{"calbridge:feed.", "calbridge:listing.", "calbridge:linked."} { // the change feed; the event index and the journal; requests
				if !slices.ContainsFunc(slices.Collect(maps.Keys(damaged)), func(name string) bool { return strings.HasPrefix(name, reader) }) {
					t.Errorf("no statement %s… was damaged", reader)
				}
			}
			t.Logf("damaged %v, answers %v, %v panics", damaged, d.status, d.panics())
		})
	}
}

// damagedSite is a site whose database sends damaged packets.
type damagedSite struct {
	t       *testing.T
	s       *started
	node    *wptest.Node
	damager *wptest.Damager
	serial  int
	status  map[string]int // number of responses by status
}

const damagedBase = "/wp-json/tribe/events/v1"

// use sends requests of several kinds, and changes rows, for a time.
func (d *damagedSite) use(limit time.Duration) {
	d.t.Helper()
	if d.status == nil {
		d.status = map[string]int{}
	}
	for end := time.Now().Add(limit); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		d.change()
		for _, path := range []string{"/events?search=concert", "/events", "/events/changes?per_page=1", "/venues", "/categories"} {
			resp, _ := fetch(d.t, d.s.api+damagedBase+path)
			d.status[resp.Status[:3]]++
			if resp.StatusCode != http.StatusOK && resp.StatusCode < 500 {
				d.t.Fatalf("GET %s: status %d", path, resp.StatusCode)
			}
		}
	}
	if resp, _ := fetch(d.t, d.s.ops+"/healthz"); resp.StatusCode != http.StatusOK {
		d.t.Fatalf("/healthz answers with %d", resp.StatusCode)
	}
}

// change changes an event by SQL, and returns its title.
func (d *damagedSite) change() (title string) {
	d.serial++
	title = "Damaged " + strings.Repeat("x", 1+d.serial%50)
	d.node.Exec("UPDATE calendar.wp_posts SET post_title = '" + title + "' WHERE ID = (SELECT MIN(id) FROM (SELECT ID FROM calendar.wp_posts WHERE post_type = 'tribe_events' AND post_status = 'publish' AND post_password = '') AS t)")
	return title
}

// awaitWell waits until changes are served from the journal, lists are served from caches that
// the change feed keeps current, and no request fails.
func (d *damagedSite) awaitWell() {
	d.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		title := d.change()
		listed, _ := fetch(d.t, d.s.api+damagedBase+"/venues")
		changes, body := fetch(d.t, d.s.api+damagedBase+"/events/changes?per_page=50&start_date=2000-01-01")
		_, metrics := fetch(d.t, d.s.ops+"/metrics")
		following := strings.Contains(metrics, "calbridge_cache_followed 1\n")
		if listed.StatusCode == http.StatusOK && changes.StatusCode == http.StatusOK && strings.Contains(body, title) && following {
			return
		}
		if time.Now().After(deadline) {
			d.t.Fatalf("never well: venues %d, changes %d with %q %t, following %t\n%s", listed.StatusCode, changes.StatusCode, title, strings.Contains(body, title), following, tail(d.s.stderr.String()))
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// panics returns the number of panics that were counted.
func (d *damagedSite) panics() float64 {
	_, text := fetch(d.t, d.s.ops+"/metrics")
	return metric(d.t, text, "calbridge_panics_total")
}

// tail returns the end of a log, without the lines of requests.
func tail(log string) string {
	var lines []string
	for line := range strings.Lines(log) {
		if !strings.Contains(line, "msg=request ") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-30):], "")
}
