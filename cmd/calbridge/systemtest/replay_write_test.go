package systemtest

import (
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"calbridge/compat/recording"
	"calbridge/testdata"
	"calbridge/wpstore/wptest"
)

// TestReplayWrites sends every recorded write to a server over a pristine dump,
// compares the answers, then every row of the database, and undoes the changes.
// CALBRIDGE_WRITES selects cases by a pattern of their ids, CALBRIDGE_REPLAY_LOG
// names a file for all differences.
func TestReplayWrites(t *testing.T) {
	shared := testdata.Shared(t)
	for _, site := range replaySites() {
		profile := buildProfile(t, shared, site)
		for _, engine := range replayEngines() {
			t.Run(site+"/"+engine, func(t *testing.T) {
				db := wptest.SiteCopy(t, engine, site)
				url := serveStore(t, openStore(t, db), site, db.Now, profile)
				replayWrites(t, newWriteClient(t, shared, site, url), db)
			})
		}
	}
}

// notCompared lists the tables whose rows the recordings leave out.
var notCompared = []string{"actionscheduler_", "tec_kv_cache", "shepherd_tec_tasks"}

// changingOptions matches the options that the recordings leave out: change times and caches.
var changingOptions = regexp.MustCompile(`^(_transient_|_site_transient_|wpml-cache-)|^(rewrite_rules|tribe_last_save_post|` +
	`tribe_last_updated_option|tribe_last_generate_rewrite_rules|tribe_last_wpml_updates|_icl_cache|wpml_notices)$`)

func replayWrites(t *testing.T, client *writeClient, db wptest.Database) {
	t.Helper()
	snapshot := takeSnapshot(t, db, notCompared...)
	log, cluster := replayLog(t), snapshot.Cluster(t)
	only := regexp.MustCompile(os.Getenv("CALBRIDGE_WRITES"))
	tally := newTally()
	start := time.Now()
	number := 0
	err := client.cases(func(c *recording.Case) error {
		if !only.MatchString(c.ID) {
			return nil
		}
		if number++; (number-1)%raceStep != 0 {
			return nil
		}
		if client.before != nil {
			if err := client.before(c); err != nil {
				return err
			}
		}
		var found []string
		for i := range c.Steps {
			differences, err := client.ask(t.Context(), c.Exchange(i))
			if err != nil {
				return err
			}
			for _, d := range differences {
				found = append(found, d.String())
			}
		}
		changes := recordedShape(snapshot.Changes(t), snapshot)
		recorded := c.Rows
		if cluster {
			recorded, changes = withoutOptionIDs(recorded), withoutOptionIDs(changes)
		}
		for _, d := range diffRows(recorded, changes, snapshot.Keys(), c.Noise) {
			found = append(found, d.String())
		}
		snapshot.Restore(t)
		tally.add(c, found)
		if len(found) > 0 {
			fmt.Fprintf(log, "DIFF %s %s %s\n", c.ID, c.Steps[0].Request.Method, c.Steps[0].Request.Path)
			for _, d := range found {
				fmt.Fprintln(log, "     ", d)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(log, tally.summary())
	t.Logf("%d cases, %d differ, %v\n%s", tally.cases, tally.differ, time.Since(start).Round(time.Millisecond), tally.summary())
	if tally.cases == 0 || tally.differ > 0 {
		t.Errorf("%d of %d write cases differ", tally.differ, tally.cases)
	}
}

// withoutOptionIDs replaces the ids of new options by their names. On a Galera cluster, a lock
// is a row of the options that is added and deleted again, which takes an id.
func withoutOptionIDs(changes map[string]recording.TableChange) map[string]recording.TableChange {
	out := maps.Clone(changes)
	for table, c := range changes {
		if !strings.HasSuffix(table, "_options") {
			continue
		}
		c.Inserted = slices.Clone(c.Inserted)
		for i, row := range c.Inserted {
			c.Inserted[i] = maps.Clone(row)
			c.Inserted[i]["option_id"] = row["option_name"]
		}
		out[table] = c
	}
	return out
}

// replayLog returns the writer for differences: a file that the environment names, or
// io.Discard.
func replayLog(t *testing.T) io.Writer {
	t.Helper()
	name := os.Getenv("CALBRIDGE_REPLAY_LOG")
	if name == "" {
		return io.Discard
	}
	f, err := os.Create(name + "." + strings.ReplaceAll(t.Name(), "/", "-"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

// recordedShape turns changes into the form of recordings, without what those
// leave out.
func recordedShape(changes map[string]tableChanges, s *snapshot) map[string]recording.TableChange {
	out := map[string]recording.TableChange{}
	for table, c := range changes {
		var change recording.TableChange
		excluded := func(row map[string]any, key map[string]any) bool { return s.Excluded(table, row, key, changingOptions) }
		for _, row := range c.Inserted {
			if !excluded(row, row) {
				change.Inserted = append(change.Inserted, row)
			}
		}
		for _, row := range c.Deleted {
			if !excluded(row, row) {
				change.Deleted = append(change.Deleted, row)
			}
		}
		for _, u := range c.Updated {
			if !excluded(u.After, u.Key) {
				change.Updated = append(change.Updated, recording.RowUpdate{Key: u.Key, Before: u.Before, After: u.After})
			}
		}
		if len(change.Inserted)+len(change.Deleted)+len(change.Updated) > 0 {
			out[table] = change
		}
	}
	return out
}

// tally counts cases by endpoint.
type tally struct {
	cases, differ int
	endpoints     map[string][2]int // number of cases, and of those that differ
	kinds         map[string]int
}

func newTally() *tally { return &tally{endpoints: map[string][2]int{}, kinds: map[string]int{}} }

var (
	digits     = regexp.MustCompile(`/\d+`)
	slugs      = regexp.MustCompile(`/by-slug/.*`)
	kindOfDiff = regexp.MustCompile(`^(rows \S+ \S+|\S+)`)
)

func (c *tally) add(w *recording.Case, found []string) {
	request := w.Steps[0].Request
	path, _, _ := strings.Cut(request.Path, "?")
	path = slugs.ReplaceAllString(digits.ReplaceAllString(strings.TrimPrefix(path, "/wp-json/tribe/events/v1"), "/{id}"), "/by-slug/{slug}")
	n := c.endpoints[request.Method+" "+path]
	c.cases++
	n[0]++
	if len(found) > 0 {
		c.differ++
		n[1]++
		c.kinds[kindOfDiff.FindString(found[0])]++
	}
	c.endpoints[request.Method+" "+path] = n
}

func (c *tally) summary() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.endpoints)) {
		n := c.endpoints[name]
		fmt.Fprintf(&b, "%4d of %4d same  %s\n", n[0]-n[1], n[0], name)
	}
	for _, kind := range slices.Sorted(maps.Keys(c.kinds)) {
		fmt.Fprintf(&b, "%4d first differ in %s\n", c.kinds[kind], kind)
	}
	return b.String()
}

// replaySites returns the sites whose writes are replayed, or the one that
// CALBRIDGE_SITE names.
func replaySites() []string {
	if site := os.Getenv("CALBRIDGE_SITE"); site != "" {
		return []string{site}
	}
	return []string{"mono", "poly", "wpml"}
}
