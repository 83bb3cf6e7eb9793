package systemtest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"calbridge/wpstore/wptest"
)

// loadedTarget is a target of the file of --webhooks.
type loadedTarget struct {
	Name    string `json:"name"`
	URL     string `json:"url"`
	Secret  string `json:"secret_file"`
	Filters string `json:"filters"`
	Private bool   `json:"private"`
}

// webhooksLoad is a calendar with a receiver of webhooks.
type webhooksLoad struct {
	*coherentSite
	hook *hook
	dir  string
	ids  []int64 // of events in the site's own language
}

// serve starts calbridge with targets, and waits until they have read their lists.
func (l *webhooksLoad) serve(t *testing.T, targets []loadedTarget) *child {
	t.Helper()
	args := []string{"serve", "--extensions", "--state-dir", filepath.Join(t.TempDir(), "state")}
	if len(targets) > 0 {
		data, err := json.Marshal(map[string]any{"targets": targets})
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "webhooks.json")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, "--webhooks", file)
	}
	began := time.Now()
	s := spawn(t, []string{"CALBRIDGE_DSN=" + l.dsn}, args...)
	if len(targets) > 0 {
		for {
			time.Sleep(time.Second) // the command takes time from calbridge
			if code, out, _ := once(t, nil, "webhooks", "list", "--ops-listen", strings.TrimPrefix(s.ops, "http://")); code == 0 && !strings.Contains(out, "reading the list") {
				break
			}
			if time.Since(began) > 10*time.Minute {
				t.Fatalf("%d targets have not read their lists after ten minutes", len(targets))
			}
		}
		t.Logf("%d targets have read their lists after %s", len(targets), time.Since(began).Round(100*time.Millisecond))
	}
	return s
}

// targets returns a number of targets. Unless each has filters of its own, all have the same.
func (l *webhooksLoad) targets(n int, filters string, own bool) []loadedTarget {
	all := make([]loadedTarget, n)
	for i := range all {
		all[i] = loadedTarget{fmt.Sprint("target-", i), l.hook.URL, filepath.Join(l.dir, "secret"), filters, true}
		if own {
			all[i].Filters += fmt.Sprintf("&end_date=2100-01-01+%02d:%02d:%02d", i/3600, i/60%60, i%60)
		}
	}
	return all
}

// rename changes the titles of the events in one language, one after the other, a number per second. It
// returns the last event with its title.
func (l *webhooksLoad) rename(t *testing.T, title string, changes, perSecond int) (last string) {
	t.Helper()
	tick := time.NewTicker(time.Second / time.Duration(perSecond))
	defer tick.Stop()
	for i := range changes {
		<-tick.C
		id, title := l.ids[i%len(l.ids)], fmt.Sprint(title, " ", i)
		if _, err := l.db.Exec("UPDATE wp_posts SET post_title = ? WHERE ID = ?", title, id); err != nil {
			t.Fatal(err)
		}
		last = fmt.Sprint(id, " ", title)
	}
	return last
}

// TestWebhooksLoad measures what idle targets cost while nothing changes and while 10 events per second
// change that don't concern them, and how fast 1, 10 and 100 targets are told of 100 changes per second.
// CALBRIDGE_WEBHOOKS_LOAD is the number of idle targets, such as 1000.
func TestWebhooksLoad(t *testing.T) {
	idle, err := strconv.Atoi(os.Getenv("CALBRIDGE_WEBHOOKS_LOAD"))
	if err != nil {
		t.Skip("measures for minutes; set CALBRIDGE_WEBHOOKS_LOAD=1000")
	}
	oneAtATime(t)
	const length = 15 * time.Second
	dsn := wptest.Replicated(t)
	l := &webhooksLoad{newCoherentSite(t, dsn, 300), newHook(t), t.TempDir(), nil}
	if _, err := l.db.Exec("UPDATE wp_posts SET post_status = 'publish', post_password = '' WHERE ID BETWEEN 10001 AND 10300"); err != nil {
		t.Fatal(err)
	}
	rows, err := l.db.Query("SELECT element_id FROM wp_icl_translations WHERE element_type = 'post_tribe_events' AND language_code = ? ORDER BY element_id", wptest.GeneratedLanguages[0])
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			t.Fatal(err)
		}
		l.ids = append(l.ids, id)
	}
	if err := os.WriteFile(filepath.Join(l.dir, "secret"), []byte(hookSecret), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		targets []loadedTarget
	}{
		{"no targets", nil},
		{"same filters", l.targets(idle, "language_code=en&start_date=2000-01-01&end_date=2100-01-01", false)},
		{"different filters", l.targets(idle, "language_code=en&start_date=2000-01-01", true)},
	} {
		t.Run("idle/"+c.name, func(t *testing.T) {
			s := l.serve(t, c.targets)
			measure := func(what string, do func()) {
				before, began := readFigures(t, s.started), time.Now()
				do()
				time.Sleep(time.Until(began.Add(length)))
				after := readFigures(t, s.started)
				t.Logf("%d targets, %s: %.0f MiB resident, heap %.0f MiB, %.0f goroutines, %.1f %% of a processor", len(c.targets), what, after.resident/(1<<20), after.heap/(1<<20),
					after.goroutines, 100*(after.cpu-before.cpu)/time.Since(began).Seconds())
				if after.goroutines > float64(200+2*len(c.targets)) {
					t.Errorf("%d targets have %.0f goroutines", len(c.targets), after.goroutines)
				}
			}
			measure("nothing changes", func() {})
			measure("10 changes per second of other events", func() { l.rename(t, c.name, 10*int(length/time.Second), 10) })
		})
	}
	for _, n := range []int{1, 10, 100} {
		t.Run(fmt.Sprint("100 changes per second, targets: ", n), func(t *testing.T) {
			s := l.serve(t, l.targets(n, "start_date=2000-01-01&end_date=2100-01-01&hide_subsequent_recurrences=false", false))
			told := func() float64 {
				_, text := fetch(t, s.ops+"/metrics")
				return metric(t, text, `calbridge_webhook_deliveries_total{result="accepted"}`)
			}
			before, start := readFigures(t, s.started), told()
			const changes = 1000
			began := time.Now()
			last := l.rename(t, fmt.Sprint("Load ", n), changes, 100)
			written := time.Since(began)
			waiting := func() bool {
				_, text := fetch(t, s.ops+"/metrics")
				return metric(t, text, "calbridge_webhook_pending") > 0
			}
			waitFor(t, func() bool { return l.hook.has("event.updated "+last) && !waiting() })
			late := time.Since(began) - written
			after := readFigures(t, s.started)
			t.Logf("%d changes in %s, %.0f deliveries to %d targets; the last one ended %s after the last change; %.1f %% of a processor", changes, written.Round(time.Millisecond), told()-start, n,
				late.Round(time.Millisecond), 100*(after.cpu-before.cpu)/(written+late).Seconds())
			if late > 30*time.Second {
				t.Errorf("%d targets fall behind", n)
			}
		})
	}
}
