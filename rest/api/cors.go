package api

// The reference neither lets pages of other origins read its totals nor lets them send conditional
// requests (known difference S17). These are added to what it allows.
var crossOrigin = map[string]string{
	"Access-Control-Expose-Headers": ", X-TEC-Total, X-TEC-TotalPages, ETag",
	"Access-Control-Allow-Headers":  ", If-None-Match",
}

// AllowMore extends the headers of a response so that pages of other origins may read and send more
// than the reference allows. It adds no headers that the response lacks.
func AllowMore(header map[string][]string) {
	for name, more := range crossOrigin {
		if values := header[name]; len(values) == 1 {
			header[name] = []string{values[0] + more}
		}
	}
}
