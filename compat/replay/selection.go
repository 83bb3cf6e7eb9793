package replay

import (
	"net/http"
	"regexp"

	"calbridge/compat/recording"
	"calbridge/compat/wprest"
)

// Selection says which exchanges are compared. The zero value takes all, but for
// requests of HAR files that may change the target.
type Selection struct {
	// OutOfScope is a file of exchanges that are not, or by status only, compared.
	OutOfScope string
	// Writes sends requests of HAR files also when they may change the target:
	// others than GET, HEAD and OPTIONS.
	Writes bool
	// Shard is the part of the exchanges to compare.
	Shard Shard
	// Run selects exchanges whose id or path matches. Nil selects all.
	Run *regexp.Regexp
	// Filter selects further, for tests. Nil selects all.
	Filter func(*recording.Exchange) bool
}

// whole reports whether nothing is left out by choice.
func (s *Selection) whole() bool { return s.Run == nil && s.Filter == nil && s.Shard.Count <= 1 }

// skip tells why an exchange is not sent; "" means that it is.
func (s *Selection) skip(x *recording.Exchange, scope *Scope) (reason string) {
	switch {
	case s.Run != nil && !s.Run.MatchString(x.ID) && !s.Run.MatchString(x.Request.Path), s.Filter != nil && !s.Filter(x):
		return ReasonFilter
	case !s.Shard.has(x.ID):
		return ReasonShard
	case x.Browsed() && !toAPI(x.Request):
		return ReasonNoAPI
	case x.Browsed() && !s.Writes && !readingMethod(x.Request.Method):
		return ReasonWrites
	case recording.RedactedRequest(x.Request):
		return ReasonRedacted
	case scope.Skip(x.ID):
		return ReasonOutOfScope
	}
	return ""
}

func toAPI(r recording.Request) bool {
	_, reached := wprest.ReadRequest(r)
	return reached
}

func readingMethod(method string) bool {
	return method == http.MethodGet || method == http.MethodHead || method == http.MethodOptions
}
