package render

import (
	"strings"
	"testing"
	"time"

	"calbridge/rest/api"
	"calbridge/rest/phpdate"
	"calbridge/rest/phpjson"
	"calbridge/wpstore"
)

func TestDateParts(t *testing.T) {
	zones, clock := phpdate.NewZones(), &api.Clock{At: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)}
	for stored, want := range map[string]string{
		"2026-11-21 19:05:09": "2026 11 21 19 05 09", "": "1970 01 01 00 00 00", "garbage": "1970 01 01 00 00 00",
		"2026-11-21": "2026 11 21 00 00 00", "2026-02-30 10:00:00": "2026 03 02 10 00 00", "21.11.2026 8:00": "2026 11 21 08 00 00",
		"2026-11-21 25:00:00": "1970 01 01 00 00 00", "2026-11-21T19:05:09+01:00": "2026 11 21 18 05 09",
	} {
		parts := dateParts(zones, clock, stored)
		if got := strings.Join(parts[:], " "); got != want {
			t.Errorf("%q: %s, want %s", stored, got, want)
		}
	}
}

// TestLineage writes rows of the lineage in each form that PHP stores.
func TestLineage(t *testing.T) {
	for name, c := range map[string]struct {
		rows []wpstore.MetaRow
		want string
	}{
		"no row":   {nil, ""},
		"NULL":     {[]wpstore.MetaRow{{Null: true}}, `,""`},
		"empty":    {[]wpstore.MetaRow{{Value: ""}}, `,""`},
		"zero":     {[]wpstore.MetaRow{{Value: "0"}}, `,"0"`},
		"null":     {[]wpstore.MetaRow{{Value: "N;"}}, `,null`},
		"integer":  {[]wpstore.MetaRow{{Value: "i:10;"}}, `,10`},
		"string":   {[]wpstore.MetaRow{{Value: `s:1:"x";`}}, `,"x"`},
		"array":    {[]wpstore.MetaRow{{Value: `a:1:{i:0;s:1:"x";}`}}, `,["x"]`},
		"nested":   {[]wpstore.MetaRow{{Value: "a:1:{i:0;a:1:{i:0;i:1;}}"}}, `,[[1]]`},
		"broken":   {[]wpstore.MetaRow{{Value: `s:9:"x";`}}, `,false`},
		"two rows": {[]wpstore.MetaRow{{Value: "x"}, {Value: "b:1;"}}, `,"x",true`},
	} {
		t.Run(name, func(t *testing.T) {
			for i := range c.rows {
				c.rows[i].Key = "_tribe_aggregator_global_id_lineage"
			}
			w := new(phpjson.Writer)
			writeGlobalID(w, "v.example?id=", &wpstore.Post{ID: 7}, wpstore.NewMeta(c.rows, wpstore.Digest{}))
			if got, want := string(w.Bytes()), `"global_id":"v.example?id=7","global_id_lineage":["v.example?id=7"`+c.want+"]"; got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
