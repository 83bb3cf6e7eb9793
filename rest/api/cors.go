package api

import (
	"net/http"
	"strings"
)

// The reference lets pages of other origins neither read its totals nor send conditional
// requests (known difference S17). These are added to what it allows.
var crossOrigin = map[string]string{
	"Access-Control-Expose-Headers": ", X-TEC-Total, X-TEC-TotalPages, ETag",
	"Access-Control-Allow-Headers":  ", If-None-Match",
}

// AllowMore adds to the headers of an answer what pages of other origins may read and send
// besides what the reference lets them. Headers that the answer lacks stay away.
func AllowMore(header map[string][]string) {
	for name, more := range crossOrigin {
		if values := header[name]; len(values) == 1 {
			header[name] = []string{values[0] + more}
		}
	}
}

// AllowedByReference returns the value of a header without what [AllowMore] adds.
func AllowedByReference(name, value string) string {
	return strings.TrimSuffix(value, crossOrigin[http.CanonicalHeaderKey(name)])
}
