package api

import (
	"errors"
	"io"
	"net/http"
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
	RemoteAddr     string // the client's address as trusted proxies tell it
	// JSONErr is set when a JSON body cannot be read; it becomes an error only
	// once a route has matched.
	JSONErr *phpjson.SyntaxError
}

// Params are the parameters of a request, one bag for each place that they may
// come from.
type Params struct {
	JSON, Form, Query, Captures *php.Array
	// Defaults are those of the matched endpoint.
	Defaults *php.Array
}

// Sources returns the bags in order of precedence.
func (p *Params) Sources() [5]*php.Array {
	return [5]*php.Array{p.JSON, p.Form, p.Query, p.Captures, p.Defaults}
}

// Get returns the parameter name from the first source where it is present and
// not null; nil when there is none.
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
		s, isText := v.(string)
		if !isText {
			return nil, Fail("internal_server_error")
		}
		req.Method = strings.ToUpper(s)
	} else if v := r.Header.Get("X-Http-Method-Override"); v != "" {
		req.Method, req.HeaderOverride = strings.ToUpper(v), true
	} else {
		req.Method = strings.ToUpper(r.Method)
	}
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
		e := Fail("calbridge_bad_body")
		e.Cause = err
		return nil, e
	}
	return body, nil
}

// parseBody files the body under JSON or form parameters. A form counts only for
// the methods that write, and PHP itself parses it only for a real POST; for the
// other methods WordPress parses urlencoded bodies, and bodies without any type.
func (r *Request) parseBody(body []byte, lim Limits) {
	if len(body) == 0 || string(body) == "0" {
		return
	}
	contentType := r.Header.Get("Content-Type")
	if isJSON(contentType) {
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
	switch v := v.(type) {
	case nil:
	case *php.Array:
		r.JSON = v
	default:
		r.JSON = php.List(v)
	}
}

// Writes says whether a method is one that changes something.
func Writes(method string) bool {
	switch method {
	case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	return false
}

// isJSON says whether WordPress takes a body of this type for JSON: anywhere at
// the start of the text or behind white space or a comma, application/ then an
// optional "something+", json, an optional "+oembed", then the end, white space,
// a semicolon or a comma.
func isJSON(contentType string) bool {
	s := strings.ToLower(contentType)
	const prefix = "application/"
	for i := 0; ; i++ {
		j := strings.Index(s[i:], prefix)
		if j < 0 {
			return false
		}
		i += j
		if i > 0 && !strings.ContainsRune(" \t\r\n\v\f,", rune(s[i-1])) {
			continue
		}
		rest := s[i+len(prefix):]
		token := rest
		if end := strings.IndexAny(rest, " \t\r\n\v\f;,"); end >= 0 {
			token = rest[:end]
		}
		token = strings.TrimSuffix(token, "+oembed")
		if token == "json" {
			return true
		}
		if name, ok := strings.CutSuffix(token, "+json"); ok && name != "" && !strings.ContainsFunc(name, notTokenByte) {
			return true
		}
	}
}

func notTokenByte(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || strings.ContainsRune("!#$&-^_.+", r))
}
