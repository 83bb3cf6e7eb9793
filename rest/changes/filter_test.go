package changes

import (
	"testing"

	"calbridge/wpstore"
	"calbridge/wpstore/fingerprint"
)

// TestFilterOfLaterBuilds pins the text that a filter's hash is made from. If it changes, all
// clients have to begin again: tokens then need another version, and the changelog a line.
func TestFilterOfLaterBuilds(t *testing.T) {
	q := wpstore.EventQuery{
		Statuses: []string{"publish"}, Own: &wpstore.Own{Author: 3, Statuses: []string{"draft"}}, Order: wpstore.EventOrder{Descending: true},
		Search: []wpstore.SearchTerm{{Text: "jazz", Exclude: true}}, Passwords: []string{}, Categories: []int64{4, 5}, Include: []int64{},
		Tickets: &wpstore.TicketFilter{Without: true}, Filters: []wpstore.EventFilter{{Name: wpstore.FilterFeatured, Lacks: true}}, Language: wpstore.InLanguage{Code: "cs"},
		Occurrences: true, Limit: 10,
	}
	const want = `{"Categories"[4,5,],"Filters"[{"Lacks"true,"Name""featured"},],"Include"[],"Language"{"Code""cs"},"Limit"10,"Occurrences"true,"Order"{"Descending"true},"Own"{"Author"3,"Statuses"["draft",]},"Passwords"[],"Search"[{"Exclude"true,"Text""jazz"},],"Statuses"["publish",],"Tickets"{"Without"true}}`
	if got, err := fingerprint.Text(q); got != want || err != nil {
		t.Errorf("%s, %v, want %s", got, err, want)
	}
}
