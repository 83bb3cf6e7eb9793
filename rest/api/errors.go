package api

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Error is an answer that is no success: a public code from the error table, and
// the internal cause, which is logged once by the server and never shown.
type Error struct {
	Code   string
	Status int // HTTP status; 0 takes the table's
	// Variant names another message of the same code, such as ".one".
	Variant string
	// Vars fill the placeholders of the message, e.g. {id}.
	Vars map[string]string
	// Data are members of "data" behind "status".
	Data *php.Array
	// PlainData takes the place of the whole "data" of errors that are marked plain.
	PlainData php.Value
	// More are members behind "data".
	More *php.Array
	// RetryAfter, in seconds, is sent as a header when it is not 0.
	RetryAfter int
	Cause      error
}

func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Code + ": " + e.Cause.Error()
	}
	return e.Code
}

func (e *Error) Unwrap() error { return e.Cause }

// errorSpec is one line of the error table.
type errorSpec struct {
	status int
	// bare errors have neither "data" nor the headers that later steps add.
	bare bool
	// plain errors are those of WordPress's own functions, shown as they are: "data"
	// is not an object with the status but null, or text.
	plain bool
}

// errorTable lists every public code with its status. The wording is not here:
// it comes from the site profile or from i18n's catalogues under the same code.
var errorTable = map[string]errorSpec{
	// WordPress's REST server
	"rest_no_route":               {status: http.StatusNotFound},
	"rest_invalid_namespace":      {status: http.StatusNotFound},
	"rest_forbidden":              {status: http.StatusForbidden}, // 401 for anonymous clients
	"rest_invalid_json":           {status: http.StatusBadRequest},
	"rest_missing_callback_param": {status: http.StatusBadRequest},
	"rest_invalid_param":          {status: http.StatusBadRequest},
	"rest_callback_invalid":       {status: http.StatusBadRequest, bare: true},
	"rest_cookie_invalid_nonce":   {status: http.StatusForbidden},
	"wp_die":                      {status: http.StatusBadRequest},
	"internal_server_error":       {status: http.StatusInternalServerError},
	// authentication
	"incorrect_password":                      {status: http.StatusUnauthorized},
	"invalid_username":                        {status: http.StatusUnauthorized},
	"invalid_email":                           {status: http.StatusUnauthorized},
	"application_passwords_disabled":          {status: http.StatusUnauthorized},
	"application_passwords_disabled_for_user": {status: http.StatusUnauthorized},
	// TEC's reads
	"rest-event-not-found":             {status: http.StatusNotFound},
	"rest-invalid-event-id":            {status: http.StatusBadRequest},
	"event-no-longer-available":        {status: http.StatusForbidden},
	"event-not-accessible":             {status: http.StatusForbidden},
	"venue-not-accessible":             {status: http.StatusForbidden},
	"organizer-not-accessible":         {status: http.StatusForbidden},
	"event-password-protected":         {status: http.StatusForbidden},
	"event-archive-page-not-found":     {status: http.StatusNotFound},
	"venue-archive-page-not-found":     {status: http.StatusNotFound},
	"organizer-archive-page-not-found": {status: http.StatusNotFound},
	// writes
	"event-is-in-trash":          {status: http.StatusGone},
	"venue-is-in-trash":          {status: http.StatusGone},
	"organizer-is-in-trash":      {status: http.StatusGone},
	"event-not-found":            {status: http.StatusInternalServerError, plain: true},
	"could-not-create-venue":     {status: http.StatusBadRequest},
	"could-not-create-organizer": {status: http.StatusBadRequest},
	"could-not-update-venue":     {status: http.StatusBadRequest},
	"could-not-update-organizer": {status: http.StatusBadRequest},
	"empty_content":              {status: http.StatusInternalServerError, plain: true},
	// terms
	"term_exists":                    {status: http.StatusBadRequest},
	"rest_taxonomy_not_hierarchical": {status: http.StatusBadRequest},
	"duplicate_term_slug":            {status: http.StatusInternalServerError, plain: true},
	"empty_term_name":                {status: http.StatusInternalServerError, plain: true},
	"invalid_term_name":              {status: http.StatusInternalServerError, plain: true},
	"db_insert_error":                {status: http.StatusInternalServerError, plain: true},
	// details of refused arguments
	"invalid_param":            {status: http.StatusBadRequest},
	"rest_invalid_type":        {status: http.StatusBadRequest},
	"rest_not_in_enum":         {status: http.StatusBadRequest},
	"event-tickets-not-active": {status: http.StatusBadRequest},
	// our own
	"calbridge_unavailable":       {status: http.StatusServiceUnavailable},
	"calbridge_no_uploads":        {status: http.StatusNotImplemented},
	"calbridge_read_only":         {status: http.StatusServiceUnavailable},
	"calbridge_too_many_failures": {status: http.StatusTooManyRequests},
	"calbridge_too_large":         {status: http.StatusRequestEntityTooLarge},
	"calbridge_internal":          {status: http.StatusInternalServerError},
	"calbridge_bad_body":          {status: http.StatusBadRequest},
	"calbridge_upstream_away":     {status: http.StatusBadGateway},
	"calbridge_upstream_slow":     {status: http.StatusGatewayTimeout},
	"calbridge_loop":              {status: http.StatusLoopDetected},
	"rest_path_invalid_type":      {status: http.StatusBadRequest},
}

// fail returns the error of code; vars alternate names and values.
func Fail(code string, vars ...string) *Error {
	e := &Error{Code: code, Status: errorTable[code].status}
	for i := 0; i+1 < len(vars); i += 2 {
		if e.Vars == nil {
			e.Vars = make(map[string]string, len(vars)/2)
		}
		e.Vars[vars[i]] = vars[i+1]
	}
	return e
}

// publicError turns any error into the answer that clients may see.
func PublicError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	// A client that has gone is nobody's fault; what is answered, nobody reads.
	if errors.Is(err, wpstore.ErrUnavailable) || errors.Is(err, context.Canceled) {
		e = Fail("calbridge_unavailable")
		e.RetryAfter = 2
		e.Cause = err
		return e
	}
	e = Fail("calbridge_internal")
	e.Cause = err
	return e
}

// Bare says that neither "data" nor the headers which later steps add belong to the
// answer.
func (e *Error) Bare() bool { return errorTable[e.Code].bare }

// body returns the error as WordPress writes it: code, message, data.
func (e *Error) Body(w *Wording) *php.Array {
	out := &php.Array{}
	out.SetString("code", e.Code)
	out.SetString("message", w.Message(e.Code, e.Vars))
	if errorTable[e.Code].bare {
		return out
	}
	if errorTable[e.Code].plain {
		out.SetString("data", e.PlainData)
		return out
	}
	data := &php.Array{}
	data.SetString("status", int64(e.Status))
	for k, v := range e.Data.All() {
		data.Set(k, v)
	}
	out.SetString("data", data)
	for k, v := range e.More.All() {
		out.Set(k, v)
	}
	return out
}

// paramError collects what is wrong with a request's arguments, in the order in
// which they are declared, and becomes one rest_invalid_param.
type ParamError struct {
	names   []string
	params  php.Array
	details php.Array
}

// add notes that the argument name is refused. detail is the inner error, nil
// for a plain no, which shows a generic text and no details.
func (p *ParamError) Add(w *Wording, name string, detail *Error) {
	p.names = append(p.names, name)
	if detail == nil {
		p.params.SetString(name, w.Message("invalid_param", map[string]string{"param": name}))
		return
	}
	text := w.Message(detail.Code+detail.Variant, detail.Vars)
	p.params.SetString(name, text)
	inner := &php.Array{}
	inner.SetString("code", detail.Code)
	inner.SetString("message", text)
	if detail.Data == nil {
		inner.SetString("data", nil)
	} else {
		inner.SetString("data", detail.Data)
	}
	p.details.SetString(name, inner)
}

func (p *ParamError) Err() error {
	if len(p.names) == 0 {
		return nil
	}
	e := Fail("rest_invalid_param", "params", strings.Join(p.names, ", "))
	e.Data = &php.Array{}
	e.Data.SetString("params", &p.params)
	e.Data.SetString("details", &p.details)
	return e
}

// invalidType is the detail that WordPress's schema check gives.
func InvalidType(param, typ string) *Error {
	e := Fail("rest_invalid_type", "param", param, "type", typ)
	e.Data = &php.Array{}
	e.Data.SetString("param", param)
	return e
}

func Wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}

// ErrorCodes lists what Observation.Code may be, besides "", in order.
func ErrorCodes() []string { return slices.Sorted(maps.Keys(errorTable)) }
