package sqlconn

import (
	"errors"
	"slices"
	"testing"
)

func TestIDList(t *testing.T) {
	for want, ids := range map[string][]int64{"1=0": nil, "p.ID=7": {7}, "p.ID IN (7,-2,30)": {7, -2, 30}} {
		if got, args, err := IDList("p.ID", ids).ToSql(); got != want || len(args) != 0 || err != nil {
			t.Errorf("%v: %q %v, %v", ids, got, args, err)
		}
	}
}

func TestBlocks(t *testing.T) {
	if got, want := DistinctIDs([]int64{5, 0, 3, -1, 5}), []int64{3, 5}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	var ids []int64
	for id := range int64(2*MaxInList + 1) {
		ids = append(ids, id+1)
	}
	var lengths []int
	if err := EachBlock(ids, func(block []int64) error { lengths = append(lengths, len(block)); return nil }); err != nil {
		t.Error(err)
	}
	if want := []int{MaxInList, MaxInList, 1}; !slices.Equal(lengths, want) {
		t.Errorf("blocks of %v, want %v", lengths, want)
	}
	failed := errors.New("failed")
	calls := 0
	if err := EachBlock(ids, func([]int64) error { calls++; return failed }); err != failed || calls != 1 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

func TestTexts(t *testing.T) {
	for text, want := range map[string]bool{"": true, "ěšč": true, "a\x00b": false, "\xff": false} {
		if got := Searchable(text); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if got, want := Contains(`50%_\`), `%50\%\_\\%`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
