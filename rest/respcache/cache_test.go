package respcache

import (
	"strconv"
	"strings"
	"testing"

	"calbridge/wpstore/invalidation"
)

func newCache(t *testing.T, bytes uint64) (*Cache, *invalidation.Tracker) {
	t.Helper()
	tracker := invalidation.NewTracker()
	tracker.Resume(true)
	c := New(tracker, bytes, nil)
	t.Cleanup(c.Close)
	return c, tracker
}

func TestGetReturnsValidAnswers(t *testing.T) {
	c, tracker := newCache(t, 1<<20)
	key := Key{URI: "/events/1"}
	one, two := invalidation.Tag{Kind: invalidation.Post, ID: 1}, invalidation.Tag{Kind: invalidation.Post, ID: 2}
	put := func() { c.Put(key, &Answer{Built: tracker.Generation(), Tags: []invalidation.Tag{one}}) }

	put()
	if c.Get(key, 5) == nil {
		t.Error("not cached")
	}
	if c.Get(Key{URI: "/events/1", HTTPS: true}, 5) != nil {
		t.Error("the answer to another key")
	}
	tracker.Invalidate(two)
	for range 2 { // the second time without a look at the tags
		if c.Get(key, 5) == nil {
			t.Error("evicted though something else changed")
		}
	}
	tracker.Invalidate(one)
	if c.Get(key, 5) != nil {
		t.Error("still there after a change")
	}
	put()
	tracker.Suspend()
	if c.Get(key, 5) != nil {
		t.Error("returned while changes are not followed")
	}
	tracker.Resume(false)
	if c.Get(key, 5) == nil {
		t.Error("lost though no change was missed")
	}

	before := tracker.Generation()
	tracker.Invalidate(one)
	c.Put(key, &Answer{Built: before, Tags: []invalidation.Tag{one}})
	if c.Get(key, 5) != nil {
		t.Error("cached though it changed while it was built")
	}
	c.Put(key, &Answer{Built: tracker.Generation(), From: 5, Until: 6})
	if c.Get(key, 5) == nil || c.Get(key, 6) != nil {
		t.Error("an answer for one second")
	}
}

// TestAnswersAfterClockJump checks that a response that depends on the clock is not served at an
// earlier or later time, and that one that doesn't is served at any time.
func TestAnswersAfterClockJump(t *testing.T) {
	c, tracker := newCache(t, 1<<20)
	timed, always := Key{URI: "timed"}, Key{URI: "always"}
	c.Put(timed, &Answer{Built: tracker.Generation(), From: 1000, Until: 2000})
	c.Put(always, &Answer{Built: tracker.Generation()})
	for _, test := range []struct {
		name   string
		second int64
		want   bool
	}{{"forwards", 90_000, false}, {"backwards", 999, false}, {"right again", 1500, true}} {
		t.Run(test.name, func(t *testing.T) {
			if got := c.Get(timed, test.second) != nil; got != test.want {
				t.Errorf("served %t, want %t", got, test.want)
			}
			if c.Get(always, test.second) == nil {
				t.Error("a response that does not depend on the clock is not served")
			}
		})
	}
}

func TestMemoryIsBounded(t *testing.T) {
	const bound = 1 << 20
	c, tracker := newCache(t, bound)
	for i := range 1000 {
		c.Put(Key{URI: strconv.Itoa(i)}, &Answer{Built: tracker.Generation(), Body: make([]byte, 10<<10)})
	}
	c.Put(Key{URI: strings.Repeat("x", MaxKey+1)}, &Answer{Built: tracker.Generation()})
	c.answers.CleanUp()
	answers, weight := c.Size()
	if weight > bound || answers < 20 || answers > 100 || c.Evicted() == 0 {
		t.Errorf("%d answers of %d bytes, %d evicted", answers, weight, c.Evicted())
	}
}
