package wprest

import (
	"calbridge/compat/jsontree"
	"calbridge/compat/recording"
)

// ReadAnswer reads a request and the JSON that answers it, out of its envelope and its
// JSONP function. It reports false for answers that are no JSON, that come from another
// namespace or in the language of a user.
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
