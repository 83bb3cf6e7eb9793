package tribev1

import (
	"slices"
	"strings"
	"testing"

	"calbridge/i18n"
	"calbridge/rest/api"
)

// TestErrorTable checks that every code has a status and a text, that the engine has none of the
// same name, and that every text belongs to a code.
func TestErrorTable(t *testing.T) {
	words := api.NewWording(nil, "en", nil)
	for code, spec := range errorTable {
		if spec.Status < 400 {
			t.Errorf("%s has status %d", code, spec.Status)
		}
		if words.Message(code, nil) == code {
			t.Errorf("%s has no text", code)
		}
		if _, ok := api.Errors()[code]; ok {
			t.Errorf("%s is a code of the engine too", code)
		}
		if body := Fail(code).Body(words); body.At("code") != code || (body.At("data") == nil) != spec.Plain {
			t.Errorf("%s: %v", code, body)
		}
	}
	all := api.Errors().With(Errors())
	for code := range i18n.Catalogues()["en"].Errors {
		code, _, _ = strings.Cut(code, ".") // a variant
		if _, ok := all[code]; !ok {
			t.Errorf("%s has a text but no place in a table", code)
		}
	}
}

// TestErrorStatus fails if a code is missing or has another status than the recorded one: clients
// depend on the statuses.
func TestErrorStatus(t *testing.T) {
	want := map[int]string{
		400: `rest-invalid-event-id could-not-create-venue could-not-create-organizer could-not-update-venue could-not-update-organizer
			term_exists rest_taxonomy_not_hierarchical event-tickets-not-active`,
		403: "event-no-longer-available event-not-accessible venue-not-accessible organizer-not-accessible event-password-protected",
		404: "rest-event-not-found event-archive-page-not-found venue-archive-page-not-found organizer-archive-page-not-found",
		410: "event-is-in-trash venue-is-in-trash organizer-is-in-trash",
		500: "event-not-found empty_content duplicate_term_slug empty_term_name invalid_term_name db_insert_error",
	}
	var codes []string
	for status, list := range want {
		for code := range strings.FieldsSeq(list) {
			codes = append(codes, code)
			if got := Fail(code); got.Status != status || got.Plain != (status == 500) || got.Bare {
				t.Errorf("%s: %+v, want %d", code, got, status)
			}
		}
	}
	slices.Sort(codes)
	if got := Errors().Codes(); !slices.Equal(got, codes) {
		t.Errorf("codes %v, want %v", got, codes)
	}
}
