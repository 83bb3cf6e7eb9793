package sitedb_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
	"calbridge/wpstore/phpserial"
	"calbridge/wpstore/sitedb"
)

// TestRangeOfEvents: the option has the dates of the first and the last public event and
// a post that has each, whatever hidden occurrences lie outside of them.
func TestRangeOfEvents(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.lockRows()
		rng := rand.New(rand.NewPCG(1, 2))
		check := func(step string) {
			t.Helper()
			f.OK(write(t.Context(), f.db.Session(nil), func(tx *sitedb.Tx) error { return tx.Calendar.UpdateRange(t.Context()) }))
			f.rangeIsRight(t, step)
		}
		check("no events")
		for id := int64(1); id <= 30; id++ {
			f.Event(id, fmt.Sprintf("2027-01-%02d 10:00:00", 1+rng.IntN(6)), row{})
		}
		check("many of one date")
		// More hidden occurrences than are read at once, at both ends.
		for id := int64(101); id <= 112; id++ {
			f.Event(id, fmt.Sprintf("2026-01-%02d 10:00:00", id-100), row{"post_status": "draft"})
			f.Event(id+100, fmt.Sprintf("2028-01-%02d 10:00:00", id-100), row{"post_status": "trash"})
		}
		check("hidden ones outside")
		for range 60 {
			id := 1 + rng.IntN(30)
			switch status := []string{"publish", "draft", "private"}[rng.IntN(3)]; rng.IntN(3) {
			case 0:
				_, err := f.db.SQL().Exec("UPDATE wp_tec_occurrences SET start_date_utc = ?, end_date_utc = ? WHERE post_id = ?",
					fmt.Sprintf("2027-01-%02d 09:00:00", 1+rng.IntN(6)), fmt.Sprintf("2027-01-%02d 11:00:00", 6+rng.IntN(6)), id)
				f.OK(err)
			default:
				_, err := f.db.SQL().Exec("UPDATE wp_posts SET post_status = ? WHERE ID = ?", status, id)
				f.OK(err)
			}
			check("changed")
		}
		_, err := f.db.SQL().Exec("UPDATE wp_posts SET post_status = 'draft' WHERE post_type = ?", wpstore.EventType)
		f.OK(err)
		check("none is public")
	})
}

// rangeIsRight compares the range in the calendar's options with that of all public events.
func (f fixture) rangeIsRight(t *testing.T, step string) {
	t.Helper()
	stored, err := f.Options.Options(t.Context(), []string{"tribe_events_calendar_options"})
	f.OK(err)
	options := phpserial.Array(stored["tribe_events_calendar_options"])
	if options == nil {
		options = &php.Array{}
	}
	for _, end := range [][3]string{{"earliest_date", "MIN", "start_date_utc"}, {"latest_date", "MAX", "end_date_utc"}} {
		public := "FROM wp_tec_occurrences o JOIN wp_posts p ON p.ID = o.post_id WHERE p.post_type = 'tribe_events' AND p.post_status IN ('publish', 'private', 'protected')"
		var want string
		f.OK(f.db.SQL().QueryRow("SELECT COALESCE(" + end[1] + "(o." + end[2] + "), '') " + public).Scan(&want))
		if got := php.ToString(options.At(end[0])); got != want {
			t.Errorf("%s: %s is %q, want %q", step, end[0], got, want)
			continue
		}
		n := 0
		marker := php.ToString(options.Array(end[0] + "_markers").At("0"))
		f.OK(f.db.SQL().QueryRow("SELECT COUNT(*) "+public+" AND o."+end[2]+" = ? AND o.post_id = ?", want, marker).Scan(&n))
		if n == 0 && want != "" {
			t.Errorf("%s: %s has the marker %q", step, end[0], marker)
		}
	}
}

// MendRange corrects what a process that died has left, and writes nothing otherwise.
func TestMendRange(t *testing.T) {
	eachEngine(t, func(f fixture) {
		f.lockRows()
		f.Option("tec_ct1_migration_state", `a:1:{s:5:"phase";s:18:"migration-complete";}`)
		f.Event(1, "2027-01-01 10:00:00", row{})
		for _, want := range []string{"the first time", "again"} {
			before := f.texts("SELECT option_value FROM wp_options ORDER BY option_id")
			f.OK(f.db.MendRange(t.Context()))
			f.rangeIsRight(t, want)
			if after := f.texts("SELECT option_value FROM wp_options ORDER BY option_id"); slices.Equal(before, after) != (want == "again") {
				t.Errorf("%s: %q", want, after)
			}
		}
	})
}
