package api

import (
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
	// HeaderOverride reports that the method came from X-HTTP-Method-Override.
	HeaderOverride bool
	Header         http.Header
	HTTPS          bool
	Host           string // as the client wrote it
	ClientIP       string
	// JSONErr is set if a JSON body cannot be read; it becomes an error only once a route has
	// matched.
	JSONErr *phpjson.SyntaxError
}

// Overridden reports whether a header or parameter may have changed the method.
func (r *Request) Overridden() bool {
	_, byParameter := r.Query.Lookup("_method")
	return byParameter || r.HeaderOverride
}

// Params are the parameters of a request by source.
type Params struct {
	JSON, Form, Query, Captures *php.Array
	// Defaults are those of the matched endpoint.
	Defaults *php.Array
}

// Sources returns the sources in order of precedence.
func (p *Params) Sources() [5]*php.Array {
	return [5]*php.Array{p.JSON, p.Form, p.Query, p.Captures, p.Defaults}
}

// Get returns the parameter name from the first source in which it is not null; nil
// when there is none.
func (p *Params) Get(name string) php.Value {
	key := php.KeyOf(name)
	for _, source := range p.Sources() {
		if v, _ := source.Get(key); v != nil {
			return v
		}
	}
	return nil
}

// Has reports whether any source but the defaults carries name, null included.
func (p *Params) Has(name string) bool {
	key := php.KeyOf(name)
	for _, source := range [...]*php.Array{p.JSON, p.Form, p.Query, p.Captures} {
		if _, ok := source.Get(key); ok {
			return true
		}
	}
	return false
}

// Text returns the parameter as a string, "" when it is absent.
func (p *Params) Text(name string) string { return php.ToString(p.Get(name)) }

// Parse reads the method of r. The query has been parsed already, because the REST route
// may be in it; Body reads the other parameters.
func Parse(r *http.Request, query *php.Array) (*Request, error) {
	req := &Request{Params: Params{Query: query}, Method: r.Method, RealMethod: r.Method, Header: r.Header, Host: r.Host}
	if v, ok := query.Lookup("_method"); ok {
		if req.Method, ok = v.(string); !ok {
			return nil, Fail("internal_server_error")
		}
	} else if v := r.Header.Get("X-Http-Method-Override"); v != "" {
		req.Method, req.HeaderOverride = v, true
	}
	req.Method = strings.ToUpper(req.Method)
	return req, nil
}

// Writes reports whether a method changes something.
func Writes(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch || method == http.MethodDelete
}

// WantsJSON reports whether a client accepts or sends JSON, as WordPress's wp_is_json_request does
// since 5.0.
func WantsJSON(req *Request) bool {
	return jsonType.MatchString(req.Header.Get("Accept")) || jsonType.MatchString(req.Header.Get("Content-Type"))
}

// jsonType matches the content types that WordPress treats as JSON, anywhere in the header.
var jsonType = regexp.MustCompile(`(?i)(?:^|[\s\v,])application/(?:[a-z0-9!#$&^_.+-]+\+)?json(?:\+oembed)?(?:$|[\s\v;,])`)

// PlainGET reports whether a request is a plain GET: it has no body, and neither header nor
// parameter overrides its method.
func PlainGET(r *http.Request) bool {
	if r.Method != http.MethodGet || r.ContentLength != 0 || r.Header.Get("X-Http-Method-Override") != "" {
		return false
	}
	_, rawQuery := SplitTarget(r.RequestURI)
	if !strings.Contains(rawQuery, "%") && !strings.Contains(rawQuery, "method") {
		return true // PHP turns other characters into underscores, but no letters
	}
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
