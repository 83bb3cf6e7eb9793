package proof

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// Shape is a kind of requests that are proved together. Its texts come from bounded sets, except
// the number of combinations, which [Settings.Bytes] bounds.
type Shape struct {
	Route string `json:"route"` // template
	// Site is the address of the request, "https://town.example". Links follow its scheme, and
	// WordPress may serve another site under another name.
	Site string `json:"site,omitempty"`
	// Arguments are the names of the query's arguments, sorted, with the kinds of their
	// values: "page=number start_date=date".
	Arguments string `json:"arguments,omitempty"`
	Language  string `json:"language,omitempty"` // "" for none
	Answer    string `json:"answer"`             // media type
	// Composed reports that only the envelope is ours: WordPress's objects stand in it.
	Composed bool `json:"composed,omitempty"`
}

// The kinds of values.
const (
	kindEmpty  = "empty"
	kindNumber = "number"
	kindLarge  = "large number" // of per_page: more than the reference allows
	kindDate   = "date"
	kindList   = "list"
	kindText   = "text"
)

// maxPerPage is the largest page by default. Sites raise it by a filter, so that larger pages are
// proved separately.
const maxPerPage = 50

// maxQuery bounds the queries that are examined, in bytes; longer ones are not proved.
const maxQuery = 2048

// arguments describes the arguments of a raw query. ok is false if the query has a password, or an
// argument that is not among the known ones, since it may have a meaning for a plugin.
func arguments(query string, known map[string]bool) (text string, ok bool) {
	if query == "" {
		return "", true
	}
	if len(query) > maxQuery {
		return "", false
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return "", false
	}
	kinds := map[string]string{}
	for full, given := range values {
		name, _, list := strings.Cut(full, "[")
		if !known[name] || name == "password" || name == "_method" {
			return "", false
		}
		if _, twice := kinds[name]; list || twice || len(given) > 1 {
			kinds[name] = kindList
			continue
		}
		kinds[name] = kindOf(name, given[0])
	}
	parts := make([]string, 0, len(kinds))
	for name, kind := range kinds {
		parts = append(parts, name+"="+kind)
	}
	slices.Sort(parts)
	return strings.Join(parts, " "), true
}

// kindOf returns the kind of a value.
func kindOf(name, value string) string {
	number, err := strconv.Atoi(value)
	switch {
	case name == "_fields":
		// The comparison depends on which fields are shown. The report shows no values.
		return "#" + strconv.FormatUint(xxhash.Sum64String(value)&0xffffffff, 16)
	case value == "":
		return kindEmpty
	case err == nil && name == "per_page" && number > maxPerPage:
		return kindLarge
	case err == nil:
		return kindNumber
	case len(value) >= len("2026-01") && strings.Trim(value, "0123456789-:TZ+. ") == "":
		return kindDate
	case strings.Contains(value, ","):
		return kindList
	}
	return kindText
}

// mediaType returns a content type without its parameters.
func mediaType(contentType string) string {
	kind, _, _ := strings.Cut(contentType, ";")
	return kind
}

// place returns where a shape shows objects.
func (s *Shape) place() place { return place{s.Route, s.Language, s.Site} }
