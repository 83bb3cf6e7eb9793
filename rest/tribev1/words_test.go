package tribev1

import (
	"fmt"
	"testing"

	"calbridge/rest/api"
	"calbridge/rest/phpform"
	"calbridge/rest/wpsite"
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

// TestLinks builds URLs with and without an argument for the language.
func TestLinks(t *testing.T) {
	links := func(root string, argument ...phpform.Arg) Links {
		return Links{Links: &wpsite.Links{RESTRoot: root, RESTArgument: argument}, Namespace: "fairs/v1"}
	}
	const base = "https://village.example/wp-json/"
	pretty, german := links(base), links(base, phpform.Arg{Name: "lang", Value: "de"})
	plain := links("https://village.example/index.php?rest_route=/")
	for _, c := range []struct{ name, got, want string }{
		{"item", pretty.Item("events", 7), base + "fairs/v1/events/7"},
		{"list", pretty.List("events"), base + "fairs/v1/events/"},
		{"collection", pretty.Collection("tags"), base + "fairs/v1/tags"},
		{"route", pretty.Route("/doc"), base + "fairs/v1/doc"},
		{"index", pretty.Route(""), base + "fairs/v1"},
		{"root", german.Root(), base + "fairs/v1"},
		{"item in a language", german.Item("events", 7), base + "fairs/v1/events/7?lang=de"},
		{"list of plain links", plain.List("events"), "https://village.example/index.php?rest_route=/fairs/v1/events/"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.got != c.want {
				t.Errorf("got %s", c.got)
			}
		})
	}
}
