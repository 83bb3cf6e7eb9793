package api

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"calbridge/wpstore"
	"calbridge/wpstore/php"
)

// Error is an unsuccessful response. It has a public code of the error table, and the internal
// cause, which the server logs once and never shows.
type Error struct {
	Code   string
	Status int // HTTP status; 0 is the table's status
	// Variant names another message of the same code, such as ".one".
	Variant string
	// Message replaces the site's wording of the code; "" means that wording.
	Message string
	// Vars fill the placeholders of the message, e.g. {id}.
	Vars map[string]string
	// Data are members of "data" behind "status".
	Data *php.Array
	// PlainData is the whole "data" of errors that are marked plain.
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

// StatusClientGone is the status of requests whose client closed the connection before the response
// was built. No client receives it; logs and metrics show it, as nginx's do.
const StatusClientGone = 499

// errorSpec is one line of the error table.
type errorSpec struct {
	status int
	// also is another status that the code is sent with, 0 for none.
	also int
	// bare errors have neither "data" nor the headers that later steps add.
	bare bool
	// plain errors come from WordPress's own functions: "data" is null or text instead
	// of an object with the status.
	plain bool
}

// errorTable lists every public code with its status. The wording comes from the site
// profile or from i18n's catalogues under the same code.
var errorTable = map[string]errorSpec{
	// WordPress's REST server
	"rest_no_route":               {status: http.StatusNotFound},
	"rest_invalid_namespace":      {status: http.StatusNotFound},
	"rest_forbidden":              {status: http.StatusForbidden, also: http.StatusUnauthorized}, // 401 for anonymous clients
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
	// of calbridge itself
	"calbridge_client_gone":       {status: StatusClientGone},
	"calbridge_unavailable":       {status: http.StatusServiceUnavailable},
	"calbridge_busy":              {status: http.StatusServiceUnavailable},
	"calbridge_no_uploads":        {status: http.StatusNotImplemented},
	"calbridge_no_changes":        {status: http.StatusNotImplemented},
	"calbridge_state_dir":         {status: http.StatusServiceUnavailable},
	"calbridge_sync_token_gone":   {status: http.StatusGone},
	"calbridge_too_many_streams":  {status: http.StatusTooManyRequests, also: http.StatusServiceUnavailable}, // 503 if all clients together caused it
	"calbridge_read_only":         {status: http.StatusServiceUnavailable},
	"calbridge_no_transactions":   {status: http.StatusServiceUnavailable},
	"calbridge_site_closed":       {status: http.StatusServiceUnavailable},
	"calbridge_charset":           {status: http.StatusServiceUnavailable},
	"calbridge_too_many_failures": {status: http.StatusTooManyRequests},
	"calbridge_too_large":         {status: http.StatusRequestEntityTooLarge},
	"calbridge_internal":          {status: http.StatusInternalServerError},
	"calbridge_bad_body":          {status: http.StatusBadRequest},
	"calbridge_upstream_away":     {status: http.StatusBadGateway},
	"calbridge_upstream_slow":     {status: http.StatusServiceUnavailable},
	"calbridge_loop":              {status: http.StatusLoopDetected},
	"rest_path_invalid_type":      {status: http.StatusBadRequest},
}

// Fail returns the error of a code; vars alternate names and values.
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

// Because returns e with its internal cause.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// PublicError turns any error into one that clients may see.
func PublicError(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case wpstore.Outage(err), errors.Is(err, context.Canceled):
		e = Fail("calbridge_unavailable").Because(err)
		e.RetryAfter = 2
		return e
	}
	return Fail("calbridge_internal").Because(err)
}

// Bare reports whether the response has neither "data" nor the headers that later steps add.
func (e *Error) Bare() bool { return errorTable[e.Code].bare }

// Body returns the error as WordPress writes it: code, message, data.
func (e *Error) Body(w *Wording) *php.Array {
	out := Object("code", e.Code, "message", cmp.Or(e.Message, w.Message(e.Code, e.Vars)))
	spec := errorTable[e.Code]
	if spec.plain {
		out.SetString("data", e.PlainData)
	}
	if spec.bare || spec.plain {
		return out
	}
	data := Object("status", int64(e.Status))
	for k, v := range e.Data.All() {
		data.Set(k, v)
	}
	out.SetString("data", data)
	for k, v := range e.More.All() {
		out.Set(k, v)
	}
	return out
}

// ParamError collects the refused arguments of a request, in the order in which they are added,
// and becomes one rest_invalid_param.
type ParamError struct {
	names   []string
	params  php.Array
	details php.Array
}

// Add records that the argument name is refused. detail is the inner error; nil shows a generic
// text and no details.
func (p *ParamError) Add(w *Wording, name string, detail *Error) {
	p.names = append(p.names, name)
	if detail == nil {
		p.params.SetString(name, w.Message("invalid_param", map[string]string{"param": name}))
		return
	}
	text := w.Message(detail.Code+detail.Variant, detail.Vars)
	p.params.SetString(name, text)
	var data php.Value
	if detail.Data != nil {
		data = detail.Data
	}
	p.details.SetString(name, Object("code", detail.Code, "message", text, "data", data))
}

// Err returns one error for all refused arguments, or nil if there are none.
func (p *ParamError) Err() error {
	if len(p.names) == 0 {
		return nil
	}
	e := Fail("rest_invalid_param", "params", strings.Join(p.names, ", "))
	e.Data = Object("params", &p.params, "details", &p.details)
	return e
}

// InvalidType returns the detail of WordPress's schema check.
func InvalidType(param, typ string) *Error {
	e := Fail("rest_invalid_type", "param", param, "type", typ)
	e.Data = Object("param", param)
	return e
}

// CodesOf lists the codes of errors that are sent with a status, in order.
func CodesOf(status int) []string {
	return slices.DeleteFunc(ErrorCodes(), func(code string) bool {
		spec := errorTable[code]
		return spec.status != status && spec.also != status
	})
}

// ErrorCodes lists the possible values of Observation.Code, besides "", in order.
func ErrorCodes() []string { return slices.Sorted(maps.Keys(errorTable)) }
