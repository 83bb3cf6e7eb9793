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

// Error is an unsuccessful response. It has a public code of an ErrorTable, and the internal
// cause, which the server logs once and never shows.
type Error struct {
	Code   string
	Status int // of HTTP
	// Variant names another message of the same code, such as ".one".
	Variant string
	// Message replaces the site's wording of the code; "" means that wording.
	Message string
	// Vars fill the placeholders of the message, e.g. {id}.
	Vars map[string]string
	// Data are members of "data" behind "status".
	Data *php.Array
	// Bare and Plain are those of the code's ErrorSpec.
	Bare, Plain bool
	// PlainData is the whole "data" of plain errors.
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

// ErrorSpec describes the errors of one code.
type ErrorSpec struct {
	Status int
	// Also is another status that the code is sent with, 0 for none.
	Also int
	// Bare errors have neither "data" nor the headers that later steps add.
	Bare bool
	// Plain errors come from WordPress's own functions: "data" is null or text instead
	// of an object with the status.
	Plain bool
}

// ErrorTable lists public codes. The wording comes from the site profile or from i18n's catalogues
// under the same code.
type ErrorTable map[string]ErrorSpec

// Fail returns the error of a code; vars alternate names and values.
func (t ErrorTable) Fail(code string, vars ...string) *Error {
	spec := t[code]
	e := &Error{Code: code, Status: spec.Status, Bare: spec.Bare, Plain: spec.Plain}
	for i := 0; i+1 < len(vars); i += 2 {
		if e.Vars == nil {
			e.Vars = make(map[string]string, len(vars)/2)
		}
		e.Vars[vars[i]] = vars[i+1]
	}
	return e
}

// Codes lists the codes, in order.
func (t ErrorTable) Codes() []string { return slices.Sorted(maps.Keys(t)) }

// With returns the codes of both tables.
func (t ErrorTable) With(more ErrorTable) ErrorTable {
	all := maps.Clone(t)
	maps.Copy(all, more)
	return all
}

// CodesOf lists the codes of errors that are sent with a status, in order.
func (t ErrorTable) CodesOf(status int) []string {
	return slices.DeleteFunc(t.Codes(), func(code string) bool {
		spec := t[code]
		return spec.Status != status && spec.Also != status
	})
}

// Errors returns the codes of the engine: those of WordPress's REST server and login, and
// calbridge's own. A dialect has a table of its own besides.
func Errors() ErrorTable { return errorTable }

var errorTable = ErrorTable{
	// WordPress's REST server
	"rest_no_route":               {Status: http.StatusNotFound},
	"rest_invalid_namespace":      {Status: http.StatusNotFound},
	"rest_forbidden":              {Status: http.StatusForbidden, Also: http.StatusUnauthorized}, // 401 for anonymous clients
	"rest_invalid_json":           {Status: http.StatusBadRequest},
	"rest_missing_callback_param": {Status: http.StatusBadRequest},
	"rest_invalid_param":          {Status: http.StatusBadRequest},
	"rest_callback_invalid":       {Status: http.StatusBadRequest, Bare: true},
	"rest_cookie_invalid_nonce":   {Status: http.StatusForbidden},
	"wp_die":                      {Status: http.StatusBadRequest},
	"internal_server_error":       {Status: http.StatusInternalServerError},
	// authentication
	"incorrect_password":                      {Status: http.StatusUnauthorized},
	"invalid_username":                        {Status: http.StatusUnauthorized},
	"invalid_email":                           {Status: http.StatusUnauthorized},
	"application_passwords_disabled":          {Status: http.StatusUnauthorized},
	"application_passwords_disabled_for_user": {Status: http.StatusUnauthorized},
	// details of refused arguments
	"invalid_param":     {Status: http.StatusBadRequest},
	"rest_invalid_type": {Status: http.StatusBadRequest},
	"rest_not_in_enum":  {Status: http.StatusBadRequest},
	// of calbridge itself
	"calbridge_client_gone":       {Status: StatusClientGone},
	"calbridge_unavailable":       {Status: http.StatusServiceUnavailable},
	"calbridge_busy":              {Status: http.StatusServiceUnavailable},
	"calbridge_no_uploads":        {Status: http.StatusNotImplemented},
	"calbridge_no_changes":        {Status: http.StatusNotImplemented},
	"calbridge_state_dir":         {Status: http.StatusServiceUnavailable},
	"calbridge_sync_token_gone":   {Status: http.StatusGone},
	"calbridge_too_many_streams":  {Status: http.StatusTooManyRequests, Also: http.StatusServiceUnavailable}, // 503 if all clients together caused it
	"calbridge_read_only":         {Status: http.StatusServiceUnavailable},
	"calbridge_no_transactions":   {Status: http.StatusServiceUnavailable},
	"calbridge_site_closed":       {Status: http.StatusServiceUnavailable},
	"calbridge_charset":           {Status: http.StatusServiceUnavailable},
	"calbridge_too_many_failures": {Status: http.StatusTooManyRequests},
	"calbridge_too_large":         {Status: http.StatusRequestEntityTooLarge},
	"calbridge_internal":          {Status: http.StatusInternalServerError},
	"calbridge_bad_body":          {Status: http.StatusBadRequest},
	"calbridge_upstream_away":     {Status: http.StatusBadGateway},
	"calbridge_upstream_slow":     {Status: http.StatusServiceUnavailable},
	"calbridge_loop":              {Status: http.StatusLoopDetected},
	"rest_path_invalid_type":      {Status: http.StatusBadRequest},
}

// Fail returns the error of a code of the engine; vars alternate names and values.
func Fail(code string, vars ...string) *Error { return errorTable.Fail(code, vars...) }

// Because returns e with its internal cause.
func (e *Error) Because(cause error) *Error {
	e.Cause = cause
	return e
}

// PublicError turns any error into one that clients may see.
func PublicError(err error) *Error {
	var e *Error
	_, crowded := wpstore.Crowded(err)
	switch {
	case errors.As(err, &e):
		return e
	case crowded:
		e = Fail("calbridge_busy").Because(err)
		e.RetryAfter = 2
		return e
	case wpstore.Outage(err), errors.Is(err, context.Canceled):
		e = Fail("calbridge_unavailable").Because(err)
		e.RetryAfter = 2
		return e
	}
	return Fail("calbridge_internal").Because(err)
}

// Body returns the error as WordPress writes it: code, message, data.
func (e *Error) Body(w *Wording) *php.Array {
	out := Object("code", e.Code, "message", cmp.Or(e.Message, w.Message(e.Code, e.Vars)))
	if e.Plain {
		out.SetString("data", e.PlainData)
	}
	if e.Bare || e.Plain {
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
