package invalidation

import "testing"

func TestFresh(t *testing.T) {
	tracker := NewTracker()
	one, two := Tag{Post, 1}, Tag{Post, 2}
	before := tracker.Generation()
	if tracker.Active() || tracker.Fresh(before, nil) {
		t.Error("something is fresh before changes arrive")
	}
	tracker.Resume(true)
	if !tracker.Active() || tracker.Fresh(before, nil) {
		t.Error("fresh although changes were missed")
	}
	since := tracker.Generation()
	tracker.Invalidate()
	if tracker.Generation() != since {
		t.Error("no tags made a generation")
	}
	tracker.Invalidate(one)
	for _, test := range []struct {
		name  string
		tags  []Tag
		since uint64
		want  bool
	}{
		{"changed", []Tag{two, one}, since, false},
		{"another", []Tag{two}, since, true},
		{"made afterwards", []Tag{one}, tracker.Generation(), true},
		{"nothing", nil, since, true},
		{"anything", []Tag{{Kind: Anything}}, since, false},
	} {
		if got := tracker.Fresh(test.since, test.tags); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
	}
	tracker.Suspend()
	if tracker.Fresh(tracker.Generation(), nil) {
		t.Error("fresh while suspended")
	}
	tracker.Resume(false)
	if !tracker.Fresh(since, []Tag{two}) {
		t.Error("not fresh although nothing was missed")
	}
	tracker.InvalidateAll()
	if tracker.Fresh(since, []Tag{two}) {
		t.Error("fresh although everything was invalidated")
	}
}

// TestForgottenTagsAreNotFresh: beyond its bound the tracker errs on the safe side.
func TestForgottenTagsAreNotFresh(t *testing.T) {
	tracker := NewTracker()
	tracker.Resume(true)
	since := tracker.Generation()
	tags := make([]Tag, 1000)
	for n := int64(0); n <= maxTags; n += int64(len(tags)) {
		for i := range tags {
			tags[i] = Tag{Post, n + int64(i)}
		}
		tracker.Invalidate(tags...)
	}
	if len(tracker.changed) > maxTags {
		t.Errorf("remembers %d tags", len(tracker.changed))
	}
	if tracker.Fresh(since, []Tag{{Post, 1}}) {
		t.Error("a forgotten tag counts as fresh")
	}
}

func TestListenersRunBeforeTheGenerationAdvances(t *testing.T) {
	tracker := NewTracker()
	tracker.Resume(true)
	var got []Tag
	all := 0
	before := tracker.Generation()
	tracker.Listen(func(tags []Tag, everything bool) {
		if tracker.generation.Load() != before {
			t.Error("the change was visible already")
		}
		got = append(got, tags...)
		if everything {
			all++
		}
	})
	tracker.Invalidate(Tag{Term, 3})
	if len(got) != 1 || got[0] != (Tag{Term, 3}) || all != 0 {
		t.Error(got, all)
	}
	before++
	tracker.InvalidateAll()
	if len(got) != 1 || all != 1 {
		t.Error(got, all)
	}
}
