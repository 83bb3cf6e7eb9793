package api

import (
	"fmt"
	"testing"
	"time"
)

// TestKinds: these names are in the database and the capabilities of every site.
func TestKinds(t *testing.T) {
	for kind, want := range map[*PostKind]string{
		Events:     "{tribe_events tribe_events  _EventOrigin  }",
		Venues:     "{tribe_venue tribe_venues _EventVenueID _VenueOrigin tribe/event-venue venue}",
		Organizers: "{tribe_organizer tribe_organizers _EventOrganizerID _OrganizerOrigin tribe/event-organizer organizer}",
	} {
		if got := fmt.Sprint(*kind); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		if KindOf(kind.PostType) != kind {
			t.Errorf("%s has another kind", kind.PostType)
		}
	}
	if KindOf("page") != nil {
		t.Error("a page is none of the three kinds")
	}
	for tax, want := range map[*TaxonomyKind]string{
		Categories: "{tribe_events_cat true tribe_events_cat [{tribe_events } {tec_calendar_embed terms-of-two-post-types}] tribe_events_cat publish_tribe_events}",
		Tags:       "{post_tag false tags [{posts } {tribe_events } {tec_calendar_embed terms-of-two-post-types}] tags manage_categories}",
	} {
		if got := fmt.Sprint(*tax); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestClock(t *testing.T) {
	c := Clock{At: time.Unix(7, 0)}
	if c.Asked || !c.Present().Equal(c.At) || !c.Asked {
		t.Errorf("%+v", c)
	}
	for s, want := range map[string]bool{"2026-02-28 23:59:59": true, "2026-02-30 00:00:00": false, "0000-00-00 00:00:00": false, "2026-02-28": false, "": false} {
		if IsStoredDate(s) != want {
			t.Errorf("%q: %v", s, !want)
		}
	}
}

func TestLevels(t *testing.T) {
	for c, want := range map[Compat][2]bool{"exact": {true, false}, "safe": {false, false}, "fixed": {false, true}} {
		if got := [2]bool{c.Exact(), c.Fixed()}; got != want {
			t.Errorf("%s: %v", c, got)
		}
	}
	if got := fmt.Sprint(CacheResults()); got != "[off hit miss bypass]" {
		t.Error(got)
	}
}
