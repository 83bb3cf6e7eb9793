package systemtest

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"calbridge/rest/wpauth"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sample"
	"calbridge/wpstore/sitedb"
	"calbridge/wpstore/sqlconn"
	"calbridge/wpstore/table"
	"calbridge/wpstore/wptest"
)

// soakFigures holds what the process reports about itself at one moment.
type soakFigures struct {
	resident, heap        float64 // bytes
	goroutines, openFiles float64
	cpu                   float64 // seconds since the start
}

// TestSoak loads the program for the duration CALBRIDGE_SOAK_FOR at half of what it sustains on
// this machine, with reads and writes of all kinds on MariaDB. It checks that every response is
// as expected, and that memory, goroutines and open files don't grow.
//
//	CALBRIDGE_SOAK_FOR=30m go test -timeout 60m -run TestSoak -v ./cmd/calbridge/systemtest
func TestSoak(t *testing.T) {
	length, events, asked := 4*time.Second, 500, false
	if d, err := time.ParseDuration(os.Getenv("CALBRIDGE_SOAK_FOR")); err == nil {
		length, events, asked = d, 10_000, true
	} else if testing.Short() {
		length = 2 * time.Second
	}
	db := soakDatabase(t, events)
	// A small cache is soon full, so that it does not look like growing memory.
	c := spawn(t, nil, "serve", "--dsn", db.DSN, "--cache-size", "32MiB", "--request-timeout", "1m", "--pool-wait", "1m")
	check := newIntegrity(t, db)
	load := newSoakLoad(c.api, events)

	idle := readFigures(t, c.started)
	calibration := min(max(length/20, time.Second), 30*time.Second)
	// The first run fills caches and pools, here and in the database.
	load.run(t.Context(), 0, calibration)
	capacity := load.run(t.Context(), 0, calibration)
	load.forget()
	before := load.sent.Load()

	var samples []soakFigures
	var sampledSoFar atomic.Int64
	stop := make(chan struct{})
	sampled := make(chan struct{})
	go func() {
		defer close(sampled)
		every := time.NewTicker(max(length/100, 50*time.Millisecond))
		defer every.Stop()
		for {
			select {
			case <-stop:
				return
			case <-every.C:
				samples = append(samples, readFigures(t, c.started))
				sampledSoFar.Add(1)
			}
		}
	}()
	reached := load.run(t.Context(), capacity/2, length)
	for end := time.Now().Add(time.Minute); sampledSoFar.Load() < 10 && time.Now().Before(end); { // on a slow machine
		load.run(t.Context(), capacity/2, length)
	}
	close(stop)
	<-sampled

	// No goroutine of a request and no connection of a client may remain.
	load.http.CloseIdleConnections()
	var after soakFigures
	waitFor(t, func() bool {
		after = readFigures(t, c.started)
		return after.goroutines <= idle.goroutines+soakConnections && after.openFiles <= idle.openFiles+soakConnections
	})
	t.Logf("capacity %.0f requests/s; asked for %.0f, answered %.0f/s for %s: %d requests", capacity, capacity/2, reached, length, load.sent.Load()-before)
	t.Log(load.report())
	fifth := max(len(samples)/5, 1)
	if len(samples) < 5 {
		t.Fatalf("%d samples", len(samples))
	}
	first, last := typical(samples[fifth:2*fifth]), typical(samples[len(samples)-fifth:])
	for _, f := range []struct {
		when string
		soakFigures
	}{{"idle", idle}, {"second fifth", first}, {"last fifth", last}, {"afterwards", after}} {
		t.Logf("%-12s resident %5.1f MiB, heap %5.1f MiB, %3.0f goroutines, %3.0f open files, %.1f s of CPU", f.when, f.resident/(1<<20), f.heap/(1<<20), f.goroutines, f.openFiles, f.cpu)
	}
	// Memory is judged only if caches and the garbage collector have had time to settle.
	if asked && last.resident > first.resident*1.15+24<<20 {
		t.Errorf("memory grows: %.1f MiB, then %.1f MiB", first.resident/(1<<20), last.resident/(1<<20))
	}
	if last.goroutines > first.goroutines+2*soakClients+soakConnections || last.openFiles > first.openFiles+soakClients+soakConnections {
		t.Errorf("goroutines or open files grow: %+v, then %+v", first, last)
	}
	for _, fault := range load.faults {
		t.Error(fault)
	}
	load.compare(t, c.started)
	for _, fault := range check.broken(t) {
		t.Errorf("rows: %s", fault)
	}
	if strings.Contains(c.stderr.String(), "level=ERROR") {
		t.Errorf("the log tells of errors:\n%.2000s", c.stderr)
	}
}

// soakConnections is the number of connections to the database, with what belongs to them,
// that may be added after the start.
const soakConnections = 2*sqlconn.DefaultMaxOpen + 4

// soakDatabase returns a generated calendar with an editor who may log in, on a server with a
// binary log that can be followed.
func soakDatabase(t *testing.T, events int) wptest.Database {
	t.Helper()
	db := wptest.Database{Engine: "mariadb", DSN: wptest.Replicated(t), TablePrefix: "wp_"}
	store, err := sitedb.Open(t.Context(), sitedb.Config{Config: sqlconn.Config{Database: wptest.Address(t, db.DSN)}, Tables: table.Config{Prefix: db.TablePrefix}})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := store.CreateSchema(t.Context()); err != nil {
		t.Fatal(err)
	}
	wptest.Generate(t, store.SQL(), db.TablePrefix, events)
	for _, s := range []struct {
		statement string
		args      []any
	}{
		{"INSERT INTO wp_users (ID, user_login, user_pass, user_nicename, user_email, user_registered, display_name) VALUES (1, 'editor', '!', 'editor', 'editor@generated.example', NOW(), 'Editor')", nil},
		{"INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (1, 'wp_capabilities', ?), (1, '_application_passwords', ?)",
			[]any{`a:1:{s:6:"editor";b:1;}`, sample.ApplicationPasswords(wpauth.FastHash("secret"), time.Now().Unix())}},
		{"INSERT INTO wp_options (option_name, option_value) VALUES ('wp_user_roles', ?), ('using_application_passwords', '1')", []any{phpserial.Serialize(sample.Roles())}},
		{"ANALYZE TABLE wp_posts, wp_postmeta, wp_tec_occurrences, wp_terms, wp_term_taxonomy, wp_term_relationships", nil},
	} {
		if _, err := store.SQL().ExecContext(t.Context(), s.statement, s.args...); err != nil {
			t.Fatalf("%s: %v", s.statement, err)
		}
	}
	return db
}

// metric reads a metric without labels from the text of /metrics.
func metric(t *testing.T, text, name string) (value float64) {
	t.Helper()
	_, after, _ := strings.Cut(text, "\n"+name+" ")
	if _, err := fmt.Sscan(after, &value); err != nil {
		t.Errorf("no metric %s: %v", name, err)
	}
	return value
}

func readFigures(t *testing.T, s *started) soakFigures {
	t.Helper()
	_, text := fetch(t, s.ops+"/metrics")
	return soakFigures{
		resident: metric(t, text, "process_resident_memory_bytes"), heap: metric(t, text, "go_memstats_heap_alloc_bytes"),
		goroutines: metric(t, text, "go_goroutines"), openFiles: metric(t, text, "process_open_fds"), cpu: metric(t, text, "process_cpu_seconds_total"),
	}
}

// typical returns the median of each figure.
func typical(samples []soakFigures) soakFigures {
	median := func(of func(soakFigures) float64) float64 {
		values := make([]float64, len(samples))
		for i, s := range samples {
			values[i] = of(s)
		}
		slices.Sort(values)
		return values[len(values)/2]
	}
	return soakFigures{
		resident: median(func(f soakFigures) float64 { return f.resident }), heap: median(func(f soakFigures) float64 { return f.heap }),
		goroutines: median(func(f soakFigures) float64 { return f.goroutines }), openFiles: median(func(f soakFigures) float64 { return f.openFiles }),
		cpu: median(func(f soakFigures) float64 { return f.cpu }),
	}
}
