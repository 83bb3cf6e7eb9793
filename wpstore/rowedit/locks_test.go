package rowedit

import (
	"calbridge/wpstore"
	"slices"
	"testing"
)

func TestNameLocks(t *testing.T) {
	all := slices.Sorted(slices.Values(LockOptions()))
	if len(slices.Compact(all)) != len(nameLocks)+2 {
		t.Error("an option has two meanings")
	}
	used := map[int]bool{}
	for n := range 2000 {
		used[lockOf(wpstore.PostName{Type: "tribe_events", Slug: string(rune('a'+n%26)) + string(rune('a'+n/26))})] = true
	}
	if len(used) != len(nameLocks) {
		t.Errorf("%d locks are in use", len(used))
	}
	if lockOf(wpstore.PostName{Type: "tribe_events", Slug: "Caf%C3%A9"}) != lockOf(wpstore.PostName{Type: "tribe_events", Slug: "caf%c3%a9"}) {
		t.Error("slugs that are equal under the collation have different locks")
	}
}
