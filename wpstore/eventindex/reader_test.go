package eventindex

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMetaDatesCombine: each date of a kind with each of the others, an empty one only
// where there is no other; the expected rows are those of a join on the metadata.
func TestMetaDatesCombine(t *testing.T) {
	many := make([]date, datesPerEvent+1)
	for i := range many {
		many[i] = date(i)
	}
	for name, c := range map[string]struct {
		meta       [4][]date
		want       []dates
		unreadable bool
	}{
		"none":         {[4][]date{}, nil, false},
		"all":          {[4][]date{{1}, {2}, {3}, {4}}, []dates{{1, 2, 3, 4}}, false},
		"only a start": {[4][]date{{1}}, []dates{{1, missing, missing, missing}}, false},
		"two starts":   {[4][]date{{5, 1}, {9}}, []dates{{1, 9, missing, missing}, {5, 9, missing, missing}}, false},
		"repeated":     {[4][]date{{1, 1}}, []dates{{1, missing, missing, missing}}, false},
		"empty":        {[4][]date{{null}}, []dates{{null, missing, missing, missing}}, false},
		"empty too":    {[4][]date{{null, 7}}, []dates{{7, missing, missing, missing}}, false},
		"garbled":      {[4][]date{{garbled}, {2}}, []dates{{garbled, 2, missing, missing}}, false},
		"two and two":  {[4][]date{{1, 2}, {3, 4}}, []dates{{1, 3, missing, missing}, {1, 4, missing, missing}, {2, 3, missing, missing}, {2, 4, missing, missing}}, false},
		"too many":     {[4][]date{many, {2}}, []dates{{missing, 2, missing, missing}}, true},
	} {
		e := eventRows{meta: c.meta}
		if listed := e.finish(); listed != (c.want != nil) || e.Unreadable != c.unreadable {
			t.Errorf("%s: listed %v, unreadable %v", name, listed, e.Unreadable)
		}
		if diff := cmp.Diff(c.want, e.Dates); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	r := reader{events: []eventRows{{found: true, hidden: true, meta: [4][]date{{1}}}}}
	r.each(func(*event) { t.Error("a hidden event is listed") })
}
