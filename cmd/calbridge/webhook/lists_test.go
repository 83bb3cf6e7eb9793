package webhook

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"
)

// counted is a list that counts readings.
type counted struct {
	*list
	readings atomic.Int64
}

func (c *counted) Changes(ctx context.Context, query string) (int, []byte, error) {
	c.readings.Add(1)
	return c.list.Changes(ctx, query)
}

// TestShared checks that targets with the same query share a response until something changes or it is too
// old, and that others don't.
func TestShared(t *testing.T) {
	clock := &ahead{}
	l := &counted{list: newList()}
	shared := newLists(l, clock.now, make(chan struct{}, readers))
	for i, step := range []struct {
		name   string
		before func()
		query  string
		want   int64
	}{
		{"first", func() {}, "per_page=50", 1},
		{"same query", func() {}, "per_page=50", 1},
		{"other query", func() {}, "language_code=cs&per_page=50", 2},
		{"something changed", func() { l.change(func(e map[int64]string) { e[1] = "one" }) }, "per_page=50", 3},
		{"same query after the change", func() {}, "per_page=50", 3},
		{"too old", func() { clock.add(shareAge + time.Second) }, "per_page=50", 4},
		{"failed", func() { l.broken = true; clock.add(shareAge + time.Second) }, "per_page=50", 5},
		{"same query after a failure", func() {}, "per_page=50", 6},
	} {
		t.Run(step.name, func(t *testing.T) {
			step.before()
			if r, _ := shared.read(t.Context(), step.query); r.err != nil || (r.status != 200) != l.broken || l.readings.Load() != step.want {
				t.Errorf("step %d: status %d, %v; %d readings, want %d", i, r.status, r.err, l.readings.Load(), step.want)
			}
		})
	}
}

// TestManyTargets checks that 50 targets with the same filters are each told of a change, and that they don't
// read the list 50 times.
func TestManyTargets(t *testing.T) {
	l, r := &counted{list: newList()}, newReceiver(t)
	l.change(func(e map[int64]string) { e[1], e[2], e[3] = "one", "two", "three" })
	targets := make([]Target, 50)
	for i := range targets {
		targets[i] = newTarget(t, fmt.Sprint("target-", i), r.URL)
	}
	s := startSender(t, t.TempDir(), l, (&ahead{}).now, targets...)
	defer s.Close()
	settled(t, s)
	l.change(func(e map[int64]string) { e[2] = "two again" })
	until(t, "deliveries", func() bool { return len(r.got()) == len(targets) })
	if n := l.readings.Load(); n >= int64(len(targets)) {
		t.Errorf("%d readings", n)
	}
}

// TestUnconcerned checks that a target rests while changes don't concern it, is told of the next one that
// does, also by the next process, and that its position is stored now and then.
func TestUnconcerned(t *testing.T) {
	l, r, dir, clock := &counted{list: newList()}, newReceiver(t), t.TempDir(), &ahead{}
	l.change(func(e map[int64]string) { e[1] = "one" })
	s := startSender(t, dir, l, clock.now, newTarget(t, "crm", r.URL))
	settled(t, s)
	token := func() string {
		p, err := s.store.position(t.Context(), "crm")
		if err != nil {
			t.Fatal(err)
		}
		return p.token
	}
	const changes = 100
	begin := l.readings.Load()
	for range changes {
		l.change(func(map[int64]string) {})
		time.Sleep(5 * time.Millisecond)
	}
	if n := l.readings.Load() - begin; n > changes/4 {
		t.Errorf("%d readings after %d changes of others", n, changes)
	}
	l.change(func(e map[int64]string) { e[1] = "one again" })
	until(t, "the change is told", func() bool { return len(r.got()) == 1 })
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	l.change(func(e map[int64]string) { e[1] = "one more time" })
	s = startSender(t, dir, l, clock.now, newTarget(t, "crm", r.URL))
	defer s.Close()
	until(t, "the change is told by the next process", func() bool { return len(r.got()) >= 2 })
	l.change(func(map[int64]string) {})
	stored := token()
	clock.add(idle + time.Second)
	l.change(func(map[int64]string) {})
	until(t, "the position is stored", func() bool { return token() != stored })
}
