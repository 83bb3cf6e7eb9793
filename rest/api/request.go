package api

import (
	"errors"
	"io"
	"math"
	"net/http"
	"regexp"
	"strings"

	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// Request is a REST request as WordPress sees it: the method after overriding,
// and the parameters.
type Request struct {
	Params
	Method     string // after overriding, upper case
	RealMethod string
	// HeaderOverride: the method came from X-HTTP-Method-Override.
	HeaderOverride bool
	Header         http.Header
	HTTPS          bool
	Host           string // as the client wrote it
	ClientIP       string
	// JSONErr is set when a JSON body cannot be read; it becomes an error only
	// once a route has matched.
	JSONErr *phpjson.SyntaxError
}

// Params are the parameters of a request by source.
type Params struct {
	JSON, Form, Query, Captures *php.Array
	// Defaults are those of the matched endpoint.
	Defaults *php.Array
}

// Sources returns them in order of precedence.
func (p *Params) Sources() [5]*php.Array {
	return [5]*php.Array{p.JSON, p.Form, p.Query, p.Captures, p.Defaults}
}

// Get returns the parameter name from the first source in which it is not null; nil
// when there is none.
func (p *Params) Get(name string) php.Value {
	for _, source := range p.Sources() {
		if v := source.At(name); v != nil {
			return v
		}
	}
	return nil
}

// Has says whether any source but the defaults carries name, null included.
func (p *Params) Has(name string) bool {
	for _, source := range [...]*php.Array{p.JSON, p.Form, p.Query, p.Captures} {
		if _, ok := source.Lookup(name); ok {
			return true
		}
	}
	return false
}

// Text returns the parameter as a string, "" when it is absent.
func (p *Params) Text(name string) string { return php.ToString(p.Get(name)) }

// Limits are PHP's bounds on what a request may carry.
type Limits struct {
	Body int64 // bytes, post_max_size
	Form phpform.Limits
}

// Parse reads the parameters of r. The query has been parsed already,
// because the REST route may be in it.
func Parse(r *http.Request, query *php.Array, lim Limits) (*Request, error) {
	req := &Request{Params: Params{Query: query}, Method: r.Method, RealMethod: r.Method, Header: r.Header, Host: r.Host}
	if v, ok := query.Lookup("_method"); ok {
		if req.Method, ok = v.(string); !ok {
			return nil, Fail("internal_server_error")
		}
	} else if v := r.Header.Get("X-Http-Method-Override"); v != "" {
		req.Method, req.HeaderOverride = v, true
	}
	req.Method = strings.ToUpper(req.Method)
	body, err := readBody(r, lim.Body)
	if err != nil {
		return nil, err
	}
	req.parseBody(body, lim)
	return req, nil
}

func readBody(r *http.Request, limit int64) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(nil, r.Body, limit))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, Fail("calbridge_too_large")
	}
	if err != nil {
		return nil, Fail("calbridge_bad_body").Because(err)
	}
	return body, nil
}

// parseBody sets the JSON or form parameters. Only methods that write have a form. PHP
// itself parses it for a real POST alone; for the other methods WordPress parses
// urlencoded bodies, and bodies without a type.
func (r *Request) parseBody(body []byte, lim Limits) {
	if len(body) == 0 || string(body) == "0" {
		return
	}
	contentType := r.Header.Get("Content-Type")
	if jsonType.MatchString(contentType) {
		r.parseJSON(body)
	}
	if r.RealMethod == http.MethodGet || !Writes(r.Method) {
		return
	}
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	media = strings.TrimSpace(media)
	switch {
	case media == "application/x-www-form-urlencoded", media == "" && r.RealMethod != http.MethodPost:
		r.Form = phpform.Parse(string(body), lim.Form)
	case media == "multipart/form-data" && r.RealMethod == http.MethodPost:
		// A body that PHP could not split gives no fields, and no error.
		r.Form, _ = phpform.ParseMultipart(body, phpform.Boundary(contentType), lim.Form)
	}
}

func (r *Request) parseJSON(body []byte) {
	v, err := phpjson.Decode(body)
	if err != nil {
		if !errors.As(err, &r.JSONErr) {
			r.JSONErr = &phpjson.SyntaxError{Code: 4, Message: "Syntax error"}
		}
		return
	}
	list, isArray := v.(*php.Array)
	if v != nil && !isArray {
		list = php.List(v)
	}
	r.JSON = list
}

// Writes says whether a method changes something.
func Writes(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch || method == http.MethodDelete
}

// jsonType matches the content types that WordPress takes for JSON, anywhere in the
// header.
var jsonType = regexp.MustCompile(`(?i)(?:^|[\s\v,])application/(?:[a-z0-9!#$&^_.+-]+\+)?json(?:\+oembed)?(?:$|[\s\v;,])`)

// PlainGET says that a request is a GET and nothing else: it has no body, and neither
// header nor parameter overrides its method.
func PlainGET(r *http.Request) bool {
	if r.Method != http.MethodGet || r.ContentLength != 0 || r.Header.Get("X-Http-Method-Override") != "" {
		return false
	}
	_, rawQuery := SplitTarget(r.RequestURI)
	_, overridden := phpform.Parse(rawQuery, phpform.Limits{MaxVars: math.MaxInt}).Lookup("_method")
	return !overridden
}

// SplitTarget splits a request target into path and query, as they were sent. An
// absolute target loses its scheme and host.
func SplitTarget(target string) (path, query string) {
	if _, rest, ok := strings.Cut(target, "://"); ok && !strings.HasPrefix(target, "/") {
		target = "/"
		if i := strings.IndexAny(rest, "/?"); i >= 0 {
			target = rest[i:]
		}
	}
	path, query, _ = strings.Cut(target, "?")
	return path, query
}
