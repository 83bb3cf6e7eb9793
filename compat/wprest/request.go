package wprest

import (
	"cmp"
	"errors"
	"math"
	"net/url"
	"strconv"
	"strings"

	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// Request is a recorded request as WordPress interprets it.
type Request struct {
	Method string // after an override
	Route  string // below the REST root: "/ns/v1/events/5"
	Query  url.Values
	Body   url.Values // JSON members or form fields, scalars only
}

// ReadRequest finds the route and parameters of a request as WordPress does: rest_route
// takes precedence over the path. It reports whether the request reaches the REST server.
func ReadRequest(r recording.Request) (Request, bool) {
	path, query, _ := strings.Cut(r.Path, "?")
	out := Request{Query: recording.ParsePairs(query)}
	override, _ := r.Header("X-HTTP-Method-Override")
	out.Method = strings.ToUpper(cmp.Or(out.Query.Get("_method"), override, r.Method))
	route, reached := out.Query.Get("rest_route"), true
	if route == "" {
		_, route, reached = strings.Cut(path, recording.RESTRoot)
	}
	out.Route = "/" + strings.Trim(route, "/")
	if r.Body != nil {
		out.Body = bodyFields(r, *r.Body, out.Method)
	}
	return out, reached
}

func bodyFields(r recording.Request, body, method string) url.Values {
	contentType, _ := r.Header("Content-Type")
	switch {
	case strings.Contains(strings.ToLower(contentType), "json"):
		fields := url.Values{}
		if root, err := jsontree.Parse(body); err == nil && root.Is(jsontree.Object) {
			for i, item := range root.Items {
				if !item.Is(jsontree.Null) {
					fields.Set(root.Names[i], item.Plain())
				}
			}
		}
		return fields
	case method == "GET" || method == "HEAD":
		return nil
	}
	return recording.ParsePairs(body)
}

// ID returns the requested id, converted as PHP converts text to an integer, or 0 if
// there is none. JSON and form fields take precedence over the query, and the query over
// the number in the path.
func (r Request) ID() string {
	for _, source := range []url.Values{r.Body, r.Query} {
		if source.Has("id") {
			return integerText(source.Get("id"))
		}
	}
	previous := ""
	for segment := range strings.SplitSeq(r.Route, "/") {
		if segment != "" && strings.Trim(segment, "0123456789") == "" && !strings.EqualFold(previous, "by-slug") {
			return integerText(segment)
		}
		previous = segment
	}
	return "0"
}

// integerText casts the text of a number to an integer as PHP does: fractions are cut
// off, numbers out of range saturate, and any other text gives 0.
func integerText(text string) string {
	text = strings.TrimSpace(text)
	f, err := strconv.ParseFloat(text, 64)
	if strings.Trim(text, "+-.0123456789eE") != "" || err != nil && !math.IsInf(f, 0) {
		return "0"
	}
	n, err := strconv.ParseInt(text, 10, 64) // saturates
	switch {
	case err == nil || errors.Is(err, strconv.ErrRange):
	case f >= math.MaxInt64:
		n = math.MaxInt64
	case f <= math.MinInt64:
		n = math.MinInt64
	default:
		n = int64(f)
	}
	return strconv.FormatInt(n, 10)
}

// ReadAnswer reads a request and the JSON of its answer, without envelope and JSONP
// function. It returns false for answers that are not JSON, that come from another
// namespace or that are in the language of a user.
func ReadAnswer(x *recording.Exchange, namespace Namespace) (Request, *jsontree.Node, bool) {
	request, reached := ReadRequest(x.Request)
	if !reached || request.Query.Get("_locale") == "user" || !namespace.Answers(request.Route) {
		return request, nil, false
	}
	_, text, _ := jsontree.UnwrapJSONP(x.Response.Body)
	root, err := jsontree.Parse(text)
	if err != nil {
		return request, nil, false
	}
	if inner := root.Member("body"); inner != nil && root.Member("status").Is(jsontree.Number) && root.Member("headers") != nil {
		root = inner
	}
	return request, root, true
}
