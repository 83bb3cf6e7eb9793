package invalidation

import (
	"sync"
	"testing"
)

func TestLedgerTellsWhatIsFresh(t *testing.T) {
	l := NewTracker()
	one, two := Tag{Post, 1}, Tag{Post, 2}
	before := l.Sequence()
	if l.Fresh(before, nil) {
		t.Error("a tracker that hears of nothing calls something fresh")
	}
	l.Follow(true)
	if l.Fresh(before, nil) {
		t.Error("fresh although changes were missed")
	}
	since := l.Sequence()
	l.Changed(one)
	for _, test := range []struct {
		name  string
		tags  []Tag
		since uint64
		want  bool
	}{
		{"changed", []Tag{two, one}, since, false},
		{"another", []Tag{two}, since, true},
		{"made afterwards", []Tag{one}, l.Sequence(), true},
		{"nothing", nil, since, true},
		{"anything", []Tag{{Kind: Anything}}, since, false},
	} {
		if got := l.Fresh(test.since, test.tags); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	l.Suspend()
	if l.Fresh(l.Sequence(), nil) {
		t.Error("fresh while suspended")
	}
	l.Follow(false)
	if !l.Fresh(since, []Tag{two}) {
		t.Error("not fresh although nothing was missed")
	}
	l.Everything()
	if l.Fresh(since, []Tag{two}) {
		t.Error("fresh although everything changed")
	}
}

func TestLedgerForgetsOnTheSafeSide(t *testing.T) {
	l := NewTracker()
	l.Follow(true)
	since := l.Sequence()
	tags := make([]Tag, 1000)
	for n := int64(0); n <= maxRemembered; n += int64(len(tags)) {
		for i := range tags {
			tags[i] = Tag{Post, n + int64(i)}
		}
		l.Changed(tags...)
	}
	if len(l.last) > maxRemembered {
		t.Errorf("remembers %d tags", len(l.last))
	}
	if l.Fresh(since, []Tag{{Post, 1}}) {
		t.Error("what was forgotten counts as fresh")
	}
}

func TestListenersHearBeforeTheSequenceMoves(t *testing.T) {
	l := NewTracker()
	l.Follow(true)
	var heard []Tag
	l.Listen(func(tags []Tag, everything bool) {
		if l.sequence.Load() != 1 {
			t.Error("the change was visible already")
		}
		heard = append(heard, tags...)
	})
	l.Changed(Tag{Term, 3})
	if len(heard) != 1 {
		t.Error(heard)
	}
}

func TestDependencies(t *testing.T) {
	var nobody *Dependencies
	nobody.OnSet(Posts)
	d := NewDependencies()
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			d.On(Post, 1, 2)
			d.OnSet(Posts)
		})
	}
	group.Wait()
	if got := d.Tags(); len(got) != 3 {
		t.Error(got)
	}
}
