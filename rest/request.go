package rest

import (
	"errors"
	"io"
	"net/http"
	"strings"

	"calbridge/rest/phpform"
	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// request is a REST request as WordPress sees it: the method after overriding,
// and one bag of parameters for each place that they may come from.
type request struct {
	method     string // after overriding, upper case
	realMethod string
	// headerOverride: the method came from X-HTTP-Method-Override.
	headerOverride bool
	header         http.Header
	https          bool
	host           string // as the client wrote it
	remoteAddr     string // the client's address as trusted proxies tell it

	json, form, query, captures *php.Array
	// defaults are those of the matched endpoint.
	defaults *php.Array
	// jsonErr is set when a JSON body cannot be read; it becomes an error only
	// once a route has matched.
	jsonErr *phpjson.SyntaxError
}

// sources returns the bags in order of precedence.
func (r *request) sources() [5]*php.Array {
	return [5]*php.Array{r.json, r.form, r.query, r.captures, r.defaults}
}

// get returns the parameter name from the first source where it is present and
// not null; nil when there is none.
func (r *request) get(name string) php.Value {
	for _, source := range r.sources() {
		if v := source.At(name); v != nil {
			return v
		}
	}
	return nil
}

// has says whether any source but the defaults carries name, null included.
func (r *request) has(name string) bool {
	for _, source := range [...]*php.Array{r.json, r.form, r.query, r.captures} {
		if _, ok := source.Lookup(name); ok {
			return true
		}
	}
	return false
}

// text returns the parameter as a string, "" when it is absent.
func (r *request) text(name string) string { return php.ToString(r.get(name)) }

// limits are PHP's bounds on what a request may carry.
type limits struct {
	body int64 // bytes, post_max_size
	form phpform.Limits
}

// parseRequest reads the parameters of r. The query has been parsed already,
// because the REST route may be in it.
func parseRequest(r *http.Request, query *php.Array, lim limits) (*request, error) {
	req := &request{method: r.Method, realMethod: r.Method, header: r.Header, host: r.Host, query: query}
	if v, ok := query.Lookup("_method"); ok {
		s, isText := v.(string)
		if !isText {
			return nil, fail("internal_server_error")
		}
		req.method = strings.ToUpper(s)
	} else if v := r.Header.Get("X-Http-Method-Override"); v != "" {
		req.method, req.headerOverride = strings.ToUpper(v), true
	} else {
		req.method = strings.ToUpper(r.Method)
	}
	body, err := readBody(r, lim.body)
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
		return nil, fail("calbridge_too_large")
	}
	if err != nil {
		e := fail("calbridge_bad_body")
		e.Cause = err
		return nil, e
	}
	return body, nil
}

// parseBody files the body under JSON or form parameters. A form counts only for
// the methods that write, and PHP itself parses it only for a real POST; for the
// other methods WordPress parses urlencoded bodies, and bodies without any type.
func (r *request) parseBody(body []byte, lim limits) {
	if len(body) == 0 || string(body) == "0" {
		return
	}
	contentType := r.header.Get("Content-Type")
	if isJSON(contentType) {
		r.parseJSON(body)
	}
	if r.realMethod == http.MethodGet || !writes(r.method) {
		return
	}
	media, _, _ := strings.Cut(strings.ToLower(contentType), ";")
	switch media = strings.TrimSpace(media); {
	case media == "application/x-www-form-urlencoded", media == "" && r.realMethod != http.MethodPost:
		r.form = phpform.Parse(string(body), lim.form)
	case media == "multipart/form-data" && r.realMethod == http.MethodPost:
		// A body that PHP could not split gives no fields, and no error.
		r.form, _ = phpform.ParseMultipart(body, phpform.Boundary(contentType), lim.form)
	}
}

func (r *request) parseJSON(body []byte) {
	v, err := phpjson.Decode(body)
	if err != nil {
		if !errors.As(err, &r.jsonErr) {
			r.jsonErr = &phpjson.SyntaxError{Code: 4, Message: "Syntax error"}
		}
		return
	}
	switch v := v.(type) {
	case nil:
	case *php.Array:
		r.json = v
	default:
		r.json = php.List(v)
	}
}

func writes(method string) bool {
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
