package tribev1

import (
	"fmt"
	"testing"

	"calbridge/rest/api"
)

// TestWords: clients send and read these names.
func TestWords(t *testing.T) {
	for kind, want := range map[*api.PostKind][2]string{
		api.Events: {"events", "event"}, api.Venues: {"venues", "venue"}, api.Organizers: {"organizers", "organizer"},
	} {
		t.Run(want[0], func(t *testing.T) {
			if got := [2]string{Collection(kind), Singular(kind)}; got != want {
				t.Errorf("got %v", got)
			}
		})
	}
	for tax, want := range map[*api.TaxonomyKind]string{api.Categories: "categories", api.Tags: "tags"} {
		t.Run(want, func(t *testing.T) {
			if got := TermCollection(tax); got != want {
				t.Errorf("got %s", got)
			}
		})
	}
	if got := fmt.Sprint(Totals(12, 3)); got != "[{X-TEC-Total 12} {X-TEC-TotalPages 3}]" {
		t.Error(got)
	}
}
