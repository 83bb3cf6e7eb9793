package rowedit

import (
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
		used[Name{"tribe_events", string(rune('a'+n%26)) + string(rune('a'+n/26))}.lock()] = true
	}
	if len(used) != len(nameLocks) {
		t.Errorf("%d locks are in use", len(used))
	}
	if (Name{"tribe_events", "Caf%C3%A9"}).lock() != (Name{"tribe_events", "caf%c3%a9"}).lock() {
		t.Error("slugs that are equal under the collation have different locks")
	}
}
