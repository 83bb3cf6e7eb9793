package countcache_test

import (
	"errors"
	"reflect"
	"slices"
	"testing"

	"calbridge/wpstore/countcache"
)

// TestMemory: counts are known only while nobody else can have changed anything.
func TestMemory(t *testing.T) {
	// commit commits a transaction that leaves a count behind.
	commit := func(m *countcache.Memory, gtid string, count int64) {
		m.Commit(countcache.Left{Counts: map[int64]int64{1: count}}, m.Epoch())(gtid, nil)
	}
	for name, c := range map[string]struct {
		do   func(m *countcache.Memory)
		want []int64
	}{
		"left behind":          {func(*countcache.Memory) {}, []int64{5}},
		"others' dates":        {func(m *countcache.Memory) { m.Seen("other", []int64{1}, 0, false) }, []int64{5}},
		"nothing that matters": {func(m *countcache.Memory) { m.Seen("other", nil, 0, false) }, []int64{5}},
		"ours is shown":        {func(m *countcache.Memory) { m.Seen("own", nil, 0, true) }, []int64{5}},
		"shown twice":          {func(m *countcache.Memory) { m.Seen("own", nil, 0, true); m.Seen("own", nil, 0, true) }, nil},
		"another is shown":     {func(m *countcache.Memory) { m.Seen("other", nil, 0, true) }, nil},
		"no longer followed":   {func(m *countcache.Memory) { m.End() }, nil},
		"followed again":       {func(m *countcache.Memory) { m.End(); m.Begin() }, nil},
		"forgotten":            {func(m *countcache.Memory) { m.Forget() }, nil},
		"another one of ours":  {func(m *countcache.Memory) { commit(m, "own2", 6) }, []int64{6}},
		"an unknown outcome":   {func(m *countcache.Memory) { m.Commit(countcache.Left{}, m.Epoch())("", errors.New("lost")) }, nil},
		"an unknown GTID":      {func(m *countcache.Memory) { commit(m, "", 6); m.Seen("own2", nil, 0, true) }, nil},
		"being committed":      {func(m *countcache.Memory) { m.Commit(countcache.Left{Counts: map[int64]int64{1: 6}}, m.Epoch()) }, []int64{5, 6}},
		"counted too long ago": {func(m *countcache.Memory) {
			m.Forget()
			m.Commit(countcache.Left{Counts: map[int64]int64{1: 6}}, m.Epoch()-1)("own2", nil)
		}, nil},
		"verified, but one was left": {func(m *countcache.Memory) { m.Verified(map[int64]int64{1: 4}, m.Epoch()) }, []int64{5}},
		"forgotten and verified":     {func(m *countcache.Memory) { m.Forget(); m.Verified(map[int64]int64{1: 4}, m.Epoch()) }, []int64{4}},
		"verified, then forgotten":   {func(m *countcache.Memory) { m.Verified(map[int64]int64{1: 4}, m.Epoch()); m.Forget() }, nil},
		"verified too long ago": {func(m *countcache.Memory) {
			m.Forget()
			if m.Verified(map[int64]int64{1: 4}, m.Epoch()-1) {
				t.Error("a count of an earlier epoch was taken")
			}
		}, nil},
		"verified without a log": {func(m *countcache.Memory) {
			m.End()
			if m.Verified(map[int64]int64{1: 4}, m.Epoch()) {
				t.Error("a count was taken without a followed log")
			}
		}, nil},
		"recounted": {func(m *countcache.Memory) { m.Seen("other", nil, 0, true); commit(m, "own2", 9) }, []int64{9}},
		"shown before its end": {func(m *countcache.Memory) {
			ended := m.Commit(countcache.Left{Counts: map[int64]int64{1: 6}}, m.Epoch())
			m.Seen("own2", nil, 0, true)
			if known, _ := m.Known([]int64{1}); len(known) > 0 {
				t.Error("known while it isn't known who has written")
			}
			ended("own2", nil)
		}, []int64{6}},
		"shown before the end of another": {func(m *countcache.Memory) {
			ended := m.Commit(countcache.Left{Counts: map[int64]int64{1: 6}}, m.Epoch())
			m.Seen("other", nil, 0, true)
			ended("own2", nil)
		}, nil},
	} {
		m := &countcache.Memory{}
		m.Begin()
		commit(m, "own", 5)
		_, epoch := m.Known(nil)
		c.do(m)
		known, _ := m.Known([]int64{1, 2})
		if got := known[1]; !reflect.DeepEqual(got, c.want) || len(known[2]) > 0 {
			t.Errorf("%s: %v, want %v", name, known, c.want)
		}
		if m.Holds(epoch) != (c.want != nil && !slices.Contains([]string{"recounted", "forgotten and verified"}, name)) {
			t.Errorf("%s: what was known holds: %v", name, m.Holds(epoch))
		}
	}
	var none *countcache.Memory
	none.Forget()
	none.Commit(countcache.Left{}, none.Epoch())("", nil)
	if known, _ := none.Known([]int64{1}); len(known) > 0 {
		t.Error("no memory knows something")
	}
}

// TestRange: a text of the range is known until others have changed too much, and posts that
// they have changed are touched until a range has been written behind them.
func TestRange(t *testing.T) {
	m := &countcache.Memory{}
	leave := func(text string) {
		_, change := m.Touched()
		m.Commit(countcache.Left{Range: text, Touched: change}, m.Epoch())("own "+text, nil)
	}
	known := func(step, text string, want bool, touched ...int64) {
		t.Helper()
		got, _ := m.Range(text)
		posts, _ := m.Touched()
		if got != want || !slices.Equal(posts, touched) {
			t.Errorf("%s: %v, %v touched", step, got, posts)
		}
	}
	leave("a")
	known("not followed", "a", false)
	m.Begin()
	known("nothing was left", "", false)
	leave("a")
	known("left", "a", true)
	known("any", "", true)
	known("another", "b", false)
	m.Seen("own a", []int64{1}, 0, true)
	known("ours is shown", "a", true)
	m.Seen("other", []int64{3, 2}, 0, false)
	known("others'", "a", true, 2, 3)
	_, before := m.Touched()
	m.Seen("another", []int64{3, 4}, 0, false)
	m.Commit(countcache.Left{Range: "b", Touched: before}, m.Epoch())("own b", nil)
	known("written beside", "b", true, 3, 4)
	known("the one before", "a", false, 3, 4)
	leave("c")
	known("written behind", "c", true)
	ended := m.Commit(countcache.Left{Range: "d"}, m.Epoch())
	known("being committed", "c", true)
	known("being committed", "d", true)
	ended("", errors.New("lost"))
	known("lost", "c", false)
	leave("e")
	m.Seen("any", nil, 0, true)
	known("anything has changed", "e", false)
	leave("f")
	for post := range int64(200) {
		m.Seen("many", []int64{post + 1}, 0, false)
	}
	known("many have changed", "f", false, func() (left []int64) {
		left, _ = m.Touched()
		return left
	}()...)
}

// TestOurs waits for the answer to a COMMIT that the log shows already, but not for long.
func TestOurs(t *testing.T) {
	m := &countcache.Memory{}
	m.Begin()
	if m.Ours(t.Context(), "other") {
		t.Error("nothing is being committed")
	}
	ended := m.Commit(countcache.Left{}, m.Epoch())
	if m.Ours(t.Context(), "own") {
		t.Error("COMMIT isn't answered")
	}
	ours := make(chan bool)
	go func() {
		for range 1000 {
			if m.Ours(t.Context(), "own") {
				ours <- true
				return
			}
		}
		ours <- false
	}()
	ended("own", nil)
	if !<-ours || m.Ours(t.Context(), "other") {
		t.Error("COMMIT is answered")
	}
}
