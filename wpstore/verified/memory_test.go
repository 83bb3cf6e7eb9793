package verified_test

import (
	"errors"
	"reflect"
	"testing"

	"calbridge/wpstore/verified"
)

// TestMemory: counts are known only while nobody else can have changed anything.
func TestMemory(t *testing.T) {
	// commit commits a transaction that leaves a count behind.
	commit := func(m *verified.Memory, gtid string, count int64) {
		m.Commit(map[int64]int64{1: count}, m.Epoch())(gtid, nil)
	}
	for name, c := range map[string]struct {
		do   func(m *verified.Memory)
		want []int64
	}{
		"left behind":          {func(*verified.Memory) {}, []int64{5}},
		"ours is shown":        {func(m *verified.Memory) { m.Seen([]string{"own"}) }, []int64{5}},
		"shown twice":          {func(m *verified.Memory) { m.Seen([]string{"own"}); m.Seen([]string{"own"}) }, nil},
		"another is shown":     {func(m *verified.Memory) { m.Seen([]string{"other"}) }, nil},
		"no longer followed":   {func(m *verified.Memory) { m.End() }, nil},
		"followed again":       {func(m *verified.Memory) { m.End(); m.Begin() }, nil},
		"forgotten":            {func(m *verified.Memory) { m.Forget() }, nil},
		"another one of ours":  {func(m *verified.Memory) { commit(m, "own2", 6) }, []int64{6}},
		"an unknown outcome":   {func(m *verified.Memory) { m.Commit(nil, m.Epoch())("", errors.New("lost")) }, nil},
		"an unknown GTID":      {func(m *verified.Memory) { commit(m, "", 6); m.Seen([]string{"own2"}) }, nil},
		"being committed":      {func(m *verified.Memory) { m.Commit(map[int64]int64{1: 6}, m.Epoch()) }, []int64{5, 6}},
		"counted too long ago": {func(m *verified.Memory) { m.Forget(); m.Commit(map[int64]int64{1: 6}, m.Epoch()-1)("own2", nil) }, nil},
		"counted anew":         {func(m *verified.Memory) { m.Seen([]string{"other"}); commit(m, "own2", 9) }, []int64{9}},
		"shown before its end": {func(m *verified.Memory) {
			ended := m.Commit(map[int64]int64{1: 6}, m.Epoch())
			m.Seen([]string{"own2"})
			if known, _ := m.Known([]int64{1}); len(known) > 0 {
				t.Error("known while it isn't known who has written")
			}
			ended("own2", nil)
		}, []int64{6}},
		"shown before the end of another": {func(m *verified.Memory) {
			ended := m.Commit(map[int64]int64{1: 6}, m.Epoch())
			m.Seen([]string{"other"})
			ended("own2", nil)
		}, nil},
	} {
		m := &verified.Memory{}
		m.Begin()
		commit(m, "own", 5)
		_, epoch := m.Known(nil)
		c.do(m)
		known, _ := m.Known([]int64{1, 2})
		if got := known[1]; !reflect.DeepEqual(got, c.want) || len(known[2]) > 0 {
			t.Errorf("%s: %v, want %v", name, known, c.want)
		}
		if m.Holds(epoch) != (c.want != nil && name != "counted anew") {
			t.Errorf("%s: what was known holds: %v", name, m.Holds(epoch))
		}
	}
	var none *verified.Memory
	none.Forget()
	none.Commit(nil, none.Epoch())("", nil)
	if known, _ := none.Known([]int64{1}); len(known) > 0 {
		t.Error("no memory knows something")
	}
}
