package sitedb_test

import (
	"context"
	"maps"
	"testing"

	"calbridge/wpstore"
)

// More ids than one IN list holds are no error.
func TestManyIDs(t *testing.T) {
	f := newSite(t, "sqlite")
	ids := make([]int64, 25_000)
	for i := range ids {
		ids[i] = int64(i)
	}
	f.queries(1, func(ctx context.Context) {
		_, total, err := eventIDs(ctx, &f.Events, wpstore.EventQuery{Include: ids, Occurrences: true, Limit: 10})
		f.OK(err)
		if total != 0 {
			t.Errorf("total %d", total)
		}
	})
}

func TestOptions(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.Insert("options", row{"option_name": "home", "option_value": "https://example.org"})
		f.Insert("options", row{"option_name": "gmt_offset", "option_value": ""})
		f.queries(1, func(ctx context.Context) {
			got, err := f.Options.Options(ctx, []string{"home", "gmt_offset", "blogname", "x' OR 1=1 -- "})
			f.OK(err)
			if !maps.Equal(got, map[string]string{"home": "https://example.org", "gmt_offset": ""}) {
				f.t.Errorf("options: %v", got)
			}
		})
		// As in WordPress, the collation decides which row a name finds.
		got, err := f.Options.Options(f.t.Context(), []string{"HOME"})
		f.OK(err)
		if got["HOME"] != "https://example.org" {
			f.t.Errorf("options: %v", got)
		}
		f.queries(0, func(ctx context.Context) {
			_, err := f.Options.Options(ctx, nil)
			f.OK(err)
		})
	})
}
