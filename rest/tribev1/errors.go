package tribev1

import (
	"net/http"

	"calbridge/rest/api"
)

// Errors returns the codes of The Events Calendar's handlers. Those of terms and posts that cannot
// be saved are WordPress's, in the form that these handlers give them.
func Errors() api.ErrorTable { return errorTable }

// Fail returns the error of a code of The Events Calendar; vars alternate names and values.
func Fail(code string, vars ...string) *api.Error { return errorTable.Fail(code, vars...) }

var errorTable = api.ErrorTable{
	// reads
	"rest-event-not-found":             {Status: http.StatusNotFound},
	"rest-invalid-event-id":            {Status: http.StatusBadRequest},
	"event-no-longer-available":        {Status: http.StatusForbidden},
	"event-not-accessible":             {Status: http.StatusForbidden},
	"venue-not-accessible":             {Status: http.StatusForbidden},
	"organizer-not-accessible":         {Status: http.StatusForbidden},
	"event-password-protected":         {Status: http.StatusForbidden},
	"event-archive-page-not-found":     {Status: http.StatusNotFound},
	"venue-archive-page-not-found":     {Status: http.StatusNotFound},
	"organizer-archive-page-not-found": {Status: http.StatusNotFound},
	// writes
	"event-is-in-trash":          {Status: http.StatusGone},
	"venue-is-in-trash":          {Status: http.StatusGone},
	"organizer-is-in-trash":      {Status: http.StatusGone},
	"event-not-found":            {Status: http.StatusInternalServerError, Plain: true},
	"could-not-create-venue":     {Status: http.StatusBadRequest},
	"could-not-create-organizer": {Status: http.StatusBadRequest},
	"could-not-update-venue":     {Status: http.StatusBadRequest},
	"could-not-update-organizer": {Status: http.StatusBadRequest},
	"empty_content":              {Status: http.StatusInternalServerError, Plain: true},
	// terms
	"term_exists":                    {Status: http.StatusBadRequest},
	"rest_taxonomy_not_hierarchical": {Status: http.StatusBadRequest},
	"duplicate_term_slug":            {Status: http.StatusInternalServerError, Plain: true},
	"empty_term_name":                {Status: http.StatusInternalServerError, Plain: true},
	"invalid_term_name":              {Status: http.StatusInternalServerError, Plain: true},
	"db_insert_error":                {Status: http.StatusInternalServerError, Plain: true},
	// details of refused arguments
	"event-tickets-not-active": {Status: http.StatusBadRequest},
}
