package respcache

import (
	"strconv"
	"strings"
	"testing"

	"calbridge/wpstore/coherence"
)

func newCache(t *testing.T, bytes uint64) (*Cache, *coherence.Ledger) {
	t.Helper()
	ledger := coherence.NewLedger()
	ledger.Follow(true)
	c := New(ledger, bytes)
	t.Cleanup(c.Close)
	return c, ledger
}

func TestGetReturnsValidAnswers(t *testing.T) {
	c, ledger := newCache(t, 1<<20)
	key := Key{URI: "/events/1"}
	one, two := coherence.Tag{Kind: coherence.Post, ID: 1}, coherence.Tag{Kind: coherence.Post, ID: 2}
	put := func() { c.Put(key, &Answer{Built: ledger.Sequence(), Tags: []coherence.Tag{one}}) }

	put()
	if c.Get(key, 5) == nil {
		t.Error("not cached")
	}
	if c.Get(Key{URI: "/events/1", HTTPS: true}, 5) != nil {
		t.Error("the answer to another key")
	}
	ledger.Changed(two)
	for range 2 { // the second time without a look at the tags
		if c.Get(key, 5) == nil {
			t.Error("evicted though something else changed")
		}
	}
	ledger.Changed(one)
	if c.Get(key, 5) != nil {
		t.Error("still there after a change")
	}
	put()
	ledger.Suspend()
	if c.Get(key, 5) != nil {
		t.Error("returned while changes are not followed")
	}
	ledger.Follow(false)
	if c.Get(key, 5) == nil {
		t.Error("lost though no change was missed")
	}

	before := ledger.Sequence()
	ledger.Changed(one)
	c.Put(key, &Answer{Built: before, Tags: []coherence.Tag{one}})
	if c.Get(key, 5) != nil {
		t.Error("cached though it changed while it was built")
	}
	c.Put(key, &Answer{Built: ledger.Sequence(), Second: 5})
	if c.Get(key, 5) == nil || c.Get(key, 6) != nil {
		t.Error("an answer for one second")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	const bound = 1 << 20
	c, ledger := newCache(t, bound)
	for i := range 1000 {
		c.Put(Key{URI: strconv.Itoa(i)}, &Answer{Built: ledger.Sequence(), Body: make([]byte, 10<<10)})
	}
	c.Put(Key{URI: strings.Repeat("x", MaxKey+1)}, &Answer{Built: ledger.Sequence()})
	c.answers.CleanUp()
	answers, weight := c.Size()
	if weight > bound || answers < 20 || answers > 100 || c.Evicted() == 0 {
		t.Errorf("%d answers of %d bytes, %d evicted", answers, weight, c.Evicted())
	}
}
