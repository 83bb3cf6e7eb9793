package proof

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// page returns a list of events from 1 on.
func page(entries int64) []byte {
	var ids []string
	for id := range entries {
		ids = append(ids, fmt.Sprintf(`{"id":%d}`, id+1))
	}
	return []byte(`{"events":[` + strings.Join(ids, ",") + `],"total":500}`)
}

// TestPageCap: what WordPress shows more is learned by as many requests as prove a shape; a larger
// cap replaces it, and a smaller page ends it.
func TestPageCap(t *testing.T) {
	p := newTestProver(t, false)
	p.draft.Route = "/events"
	if err := p.RefreshIfDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		query        string
		ours, theirs int64
		want         int64
	}{
		{"per_page=60", 50, 60, 50},
		{"per_page=40", 40, 60, 50}, // no cap: something else
		{"per_page=60", 50, 40, 50},
		{"per_page=60", 50, 90, 50}, // more than was asked for
		{"per_page=60&page=2", 50, 60, 60},
		{"per_page=200", 60, 100, 60},
		{"per_page=100", 60, 100, 100},
		{"per_page=5000", 100, 2000, 100},
		{"per_page=5000", 100, 2000, 100},
		{"per_page=5000", 100, 2000, 100},
		{"per_page=200", 100, 50, 50},
	} {
		p.at = p.at.Add(time.Minute)
		if err := p.RefreshIfDue(t.Context()); err != nil { // a new cap invalidates everything
			t.Fatal(err)
		}
		generation := p.cfg.Tracker.Generation()
		before := p.Adjustments().PageCap("/events")
		r := p.result(fmt.Sprint(i), Different, "body $.events")
		r.Query, r.Ours.Body, r.Theirs.Body = c.query, page(c.ours), page(c.theirs)
		p.Record(r)
		if got := p.Adjustments().PageCap("/events"); got != c.want || (got != before) != (p.cfg.Tracker.Generation() != generation) {
			t.Errorf("%d: %s: %d, want %d, invalidated %t", i, c.query, got, c.want, p.cfg.Tracker.Generation() != generation)
		}
		if caps := p.Report().PageCaps; c.want == 50 && len(caps) > 0 || c.want != 50 && (len(caps) != 1 || caps[0] != PageCapRule{"/events", c.want}) {
			t.Errorf("%d: reported %v", i, caps)
		}
	}
	if p.Adjustments().PageCap("/venues") != 50 {
		t.Error("another route has it too")
	}
}
