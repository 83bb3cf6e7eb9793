package changefeed

import (
	"testing"
	"time"
)

// TestRestores: a table that was created again is a sign of changes that the log doesn't
// have. Updates within a minute after the last sign are such changes.
func TestRestores(t *testing.T) {
	start := time.Now()
	var r Detector
	r.Begin("a")
	for _, test := range []struct {
		after            time.Duration
		created, updated string
		recent           bool
		logged           Count
		want             bool
	}{
		{0, "1", "1", true, Count{}, false},
		{1, "1", "2", true, Count{}, false},           // a rollback, perhaps
		{2, "2", "", false, Count{}, false},           // created again
		{3, "2", "", false, Count{Altered: 1}, false}, // the log has it
		{4, "2", "4", true, Count{Altered: 1}, false},
		{5, "2", "4", false, Count{Altered: 2}, false},
		{6, "6", "", false, Count{Altered: 2}, false}, // reported before
		{7, "6", "", false, Count{Altered: 2}, false},
		{8, "6", "8", true, Count{Altered: 2}, false},
		{9, "6", "8", true, Count{Altered: 2}, false},
		{10, "10", "", false, Count{Altered: 2}, false}, // created again
		{11, "10", "", false, Count{Altered: 2}, true},  // and the log has nothing
		{12, "10", "", false, Count{Altered: 2}, false},
		{13, "10", "13", true, Count{Altered: 2}, true}, // rows arrive, not in the log
		{70, "10", "13", false, Count{Altered: 2}, false},
		{71, "10", "71", true, Count{Rows: 1, Altered: 2}, true}, // these are in the log
		{72, "10", "71", true, Count{Rows: 2, Altered: 2}, true}, // in the same second there may be others
		{72, "10", "71", false, Count{Rows: 2, Altered: 2}, false},
		{72, "10", "72", false, Count{Rows: 2, Altered: 2}, true}, // not in the log
		{131, "10", "131", true, Count{Rows: 3, Altered: 2}, true},
		{132, "10", "132", true, Count{Rows: 4, Altered: 2}, false}, // nothing unlogged for a minute
	} {
		got := r.Look(map[string]State{"wp_posts": {test.created, test.updated, test.recent}}, map[string]Count{"wp_posts": test.logged}, start.Add(test.after*time.Second))
		if got != test.want {
			t.Errorf("after %d s: %v, want %v", test.after, got, test.want)
		}
	}
	gone := func(after time.Duration) bool {
		return r.Look(map[string]State{}, map[string]Count{"wp_posts": {Rows: 4}}, start.Add(after*time.Second))
	}
	r.Begin("a")
	if gone(3600) || !gone(3601) {
		t.Error("a table that is gone is no sign")
	}
	r.Begin("b")
	if r.Look(map[string]State{"wp_posts": {created: "9"}}, map[string]Count{}, start.Add(2*time.Hour)) || len(r.created) > 0 {
		t.Error("tables of another server are compared")
	}
}
