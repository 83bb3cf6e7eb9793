package rest

import (
	"maps"
	"math"
	"net/http"
	"slices"

	"calbridge/rest/phpform"
)

// notRendered lists what was met in the answer's texts that the site's own plugins
// would have rendered otherwise.
func (c *call) notRendered() (names []string) {
	for _, state := range c.rendering {
		names = slices.AppendSeq(names, maps.Keys(state.Unknown()))
	}
	return names
}

// declines says that somebody else answers. Only what merely reads can be asked
// for once more.
func (s *Server) declines(r *http.Request, status int, notRendered []string) bool {
	return len(notRendered) > 0 && s.cfg.Decline != nil && status == http.StatusOK && PlainGET(r) && s.cfg.Decline(r, notRendered)
}

// PlainGET says that a request is a GET and nothing else: without a body, and
// without a word by which WordPress would take it for another method.
func PlainGET(r *http.Request) bool {
	if r.Method != http.MethodGet || r.ContentLength != 0 || r.Header.Get("X-Http-Method-Override") != "" {
		return false
	}
	_, rawQuery := splitTarget(r.RequestURI)
	_, overridden := phpform.Parse(rawQuery, phpform.Limits{MaxVars: math.MaxInt}).Lookup("_method")
	return !overridden
}
