package tribev1

import (
	"calbridge/rest/api"
	"calbridge/wpstore/php"
)

// Collection returns the path segment and list key of a kind of posts.
func Collection(kind *api.PostKind) string {
	switch kind {
	case api.Events:
		return "events"
	case api.Venues:
		return "venues"
	}
	return "organizers"
}

// Singular returns the name of a kind of posts in error codes and in the fields and arguments that
// link to one. It is also the field with the title of a venue or an organizer.
func Singular(kind *api.PostKind) string {
	switch kind {
	case api.Events:
		return "event"
	case api.Venues:
		return "venue"
	}
	return "organizer"
}

// TermCollection returns the path segment and list key of a taxonomy, which is also the argument
// that filters events by its terms.
func TermCollection(tax *api.TaxonomyKind) string {
	if tax == api.Categories {
		return "categories"
	}
	return "tags"
}

// Headers with the totals of a list.
const (
	totalHeader = "X-TEC-Total"
	pagesHeader = "X-TEC-TotalPages"
)

// Page returns the page that a request for a list asks for, and the number of entries of a page.
func Page(params *api.Params) (page, perPage int64) {
	return php.ToInt(params.Get("page")), max(1, php.ToInt(params.Get("per_page")))
}

// TotalHeaders returns the names of the headers that every list has.
func TotalHeaders() []string { return []string{totalHeader, pagesHeader} }

// Totals returns the headers that every list has.
func Totals(total, pages int64) []api.Header {
	return []api.Header{{Name: totalHeader, Value: total}, {Name: pagesHeader, Value: pages}}
}
