package loader

import (
	"slices"
	"strings"
	"testing"

	"calbridge/rest/api"
	"calbridge/wpstore"
)

// TestLinks reads links in all forms in which they are stored.
func TestLinks(t *testing.T) {
	for raw, want := range map[string]struct {
		ids   []int64
		first int64
	}{
		"201": {[]int64{201}, 201}, "0201": {[]int64{201}, 201}, "0": {nil, 0}, "": {nil, 0}, "x": {nil, 0}, "-3": {nil, -3}, "12x": {[]int64{12}, 12},
		`a:2:{i:0;i:301;i:1;s:3:"302";}`: {[]int64{301, 302}, 1}, "a:0:{}": {nil, 0},
		`s:2:"18";`: {[]int64{18}, 18}, "i:18;": {[]int64{18}, 18}, "d:18.7;": {[]int64{18}, 18}, "b:1;": {[]int64{1}, 1}, "b:0;": {nil, 0}, "N;": {nil, 0},
		"a:2:{i:0;a:1:{i:0;i:301;}i:1;i:302;}": {[]int64{1, 302}, 1}, `s:9:"18";`: {nil, 0},
		"9999999999999999999": {[]int64{9223372036854775807}, 9223372036854775807},
	} {
		if ids, first := IDs(raw), First(raw); !slices.Equal(ids, want.ids) || first != want.first {
			t.Errorf("%q: %v, first %d, want %v, first %d", raw, ids, first, want.ids, want.first)
		}
		if got := IsList(raw); got != strings.HasPrefix(raw, "a:") {
			t.Errorf("%q is a list: %t", raw, got)
		}
	}
}

// TestMeta reads what an event's metadata names.
func TestMeta(t *testing.T) {
	var m wpstore.Meta
	m = m.With("_EventVenueID", []string{"a:1:{i:0;i:201;}", "202"}).With("_EventOrganizerID", []string{"301"}).With("_thumbnail_id", []string{"401"})
	if got := slices.Collect(Each(m, api.Venues)); !slices.Equal(got, []int64{201, 1, 202}) {
		t.Errorf("venues %v", got)
	}
	if got := Append(nil, m); !slices.Equal(got, []int64{201, 1, 202, 301}) {
		t.Errorf("links %v", got)
	}
	if got := Picture(m); got != 401 {
		t.Errorf("picture %d", got)
	}
}
