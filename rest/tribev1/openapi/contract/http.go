package contract

import (
	"encoding/json"
	"net/http"
	"strings"
)

// FromHTTP returns the exchange that a response below a namespace belongs to. It unwraps what
// _envelope wraps. Requests that the document does not describe give false: those that do not reach
// the REST API, OPTIONS, _jsonp, and a _fields that names parts of fields.
func FromHTTP(namespace string, request *http.Request, response *http.Response, body []byte) (Exchange, bool) {
	query := request.URL.Query()
	x := Exchange{Method: request.Method, Status: response.StatusCode, Header: response.Header, Body: body}
	if m := request.Header.Get("X-HTTP-Method-Override"); m != "" {
		x.Method = strings.ToUpper(m)
	}
	if m := query.Get("_method"); m != "" {
		x.Method = strings.ToUpper(m)
	}
	if x.Status == http.StatusNotFound && strings.HasPrefix(response.Header.Get("Content-Type"), "text/plain") { // such as that of an unknown language's root
		return x, false
	}
	path := request.URL.Path
	if route := query.Get("rest_route"); route != "" {
		path = route
	}
	var below bool
	if _, x.Path, below = strings.Cut(path, "/"+namespace); !below || x.Path != "" && x.Path[0] != '/' {
		return x, false
	}
	for name, values := range query {
		name, _, isList := strings.Cut(name, "[")
		switch name {
		case "_jsonp":
			return x, false
		case "_fields":
			x.Partial = true
			if isList || strings.Contains(strings.Join(values, ","), ".") {
				return x, false
			}
		}
	}
	if query.Has("_envelope") && strings.HasPrefix(response.Header.Get("Content-Type"), "application/json") {
		var envelope struct {
			Body    json.RawMessage
			Status  int
			Headers json.RawMessage
		}
		if json.Unmarshal(body, &envelope) != nil {
			return x, false
		}
		x.Body, x.Status, x.Header = envelope.Body, envelope.Status, response.Header.Clone()
		headers := map[string]any{}
		if json.Unmarshal(envelope.Headers, &headers) == nil { // else it is the empty list
			for name, value := range headers {
				text, _ := json.Marshal(value)
				x.Header.Set(name, strings.Trim(string(text), `"`))
			}
		}
	}
	return x, x.Method != http.MethodOptions
}
