package sqlconn

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"sync"
	"testing"
	"time"

	sq "github.com/Masterminds/squirrel"

	"calbridge/wpstore/dbaddr"
	"calbridge/wpstore/sqlconn/server"
	"calbridge/wpstore/wptest"
)

// replicated is a database with replicas, and their states.
type replicated struct {
	*Servers
	t      testing.TB
	mu     sync.Mutex
	asked  map[string]int
	states map[string]server.ReplicaState
}

const replicatedLag = 4 * time.Second

// patience is for what must happen, however busy the machine is.
const patience = 2 * time.Minute

func openReplicated(t testing.TB, primary dbaddr.Address, change func(*Config), nodes ...*wptest.Node) *replicated {
	t.Helper()
	r := &replicated{t: t, asked: map[string]int{}, states: map[string]server.ReplicaState{}}
	cfg := Config{
		Database: primary, QueryTimeout: time.Minute, ReplicaMaxLag: replicatedLag,
		ObserveServer: func(server string, _ time.Duration) { r.mu.Lock(); r.asked[server]++; r.mu.Unlock() },
		ReplicaState:  func(name string, s server.ReplicaState) { r.mu.Lock(); r.states[name] = s; r.mu.Unlock() },
	}
	for _, n := range nodes {
		cfg.Replicas = append(cfg.Replicas, wptest.Server(t, n.DSN("calendar")))
	}
	if change != nil {
		change(&cfg)
	}
	r.Servers = mustOpen(t, cfg)
	return r
}

// inUse waits until exactly these replicas are read from.
func (r *replicated) inUse(names ...string) {
	r.t.Helper()
	want := map[string]bool{}
	for _, n := range names {
		want[n] = true
	}
	got := map[string]bool{}
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		clear(got)
		for _, one := range r.replicas {
			if one.Service() != nil {
				got[one.Name] = true
			}
		}
		if maps.Equal(got, want) {
			return
		}
	}
	r.t.Fatalf("in use: %v, want %v", got, want)
}

// undisturbed does something while both replicas are read from, and does it again
// where one was taken out meanwhile: a machine that pauses for a second looks like a
// replica that does.
func (r *replicated) undisturbed(do func() (problem string)) {
	r.t.Helper()
	for end := time.Now().Add(patience); ; {
		r.inUse("replica1", "replica2")
		before := r.services()
		problem := do()
		if problem == "" {
			return
		}
		if maps.Equal(before, r.services()) {
			r.t.Error(problem)
			return
		}
		if time.Now().After(end) {
			r.t.Fatalf("replicas come and go; at last: %s", problem)
		}
	}
}

// settle writes a value that all replicas have then.
func (r *replicated) settle(nodes []*wptest.Node, value string) {
	r.t.Helper()
	if err := r.write("probe", value); err != nil {
		r.t.Fatal(err)
	}
	r.caughtUp(nodes, value)
}

// services returns the times of service that last.
func (r *replicated) services() map[string]context.Context {
	all := map[string]context.Context{}
	for _, one := range r.replicas {
		if s := one.Service(); s != nil {
			all[one.Name] = s.Context
		}
	}
	return all
}

// answered returns the servers that have been asked since the last call.
func (r *replicated) answered() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	out := r.asked
	r.asked = map[string]int{}
	return out
}

func (r *replicated) write(option, value string) error {
	return setOption(r.t.Context(), r.Servers, option, value)
}

func (r *replicated) read(run *Runner, option string) (value string, err error) {
	err = run.Query(r.t.Context(), "test.read", sq.Select("option_value").From("wp_options").Where(sq.Eq{"option_name": option}),
		func(rows *sql.Rows) error { return rows.Scan(&value) })
	return value, err
}

// caughtUp waits until all replicas have a value, and are known to lack nothing.
func (r *replicated) caughtUp(nodes []*wptest.Node, value string) {
	r.t.Helper()
	for _, n := range nodes {
		n.Await("SELECT option_value FROM calendar.wp_options WHERE option_name = 'probe'", value)
	}
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		behind := 0
		for _, one := range r.replicas {
			if s := one.Service(); s == nil || s.Lag > 0 {
				behind++
			}
		}
		if behind == 0 {
			return
		}
		if time.Now().After(end) {
			r.t.Fatal("the replicas do not catch up")
		}
	}
}

func (r *replicated) mustRead(latest bool, want string) {
	r.t.Helper()
	if problem := r.reads(latest, want); problem != "" {
		r.t.Error(problem)
	}
}

// reads returns what is wrong with a read, "" for nothing.
func (r *replicated) reads(latest bool, want string) (problem string) {
	if got, err := r.read(r.onReplica(latest), "probe"); err != nil || got != want {
		problem = fmt.Sprintf("read %q, want %q: %v", got, want, err)
	}
	return problem
}

// onReplica returns a request that reads from a replica if it may.
func (r *replicated) onReplica(latest bool) *Runner {
	run := NewRunner(r.Servers, nil)
	run.UseReplica(r.t.Context(), latest)
	return run
}
