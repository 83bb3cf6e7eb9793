package api

import "strings"

// CrossOrigin describes what an API lets pages of other origins read and send besides what the reference
// allows: it lets them neither read the totals of lists nor send conditional requests (known
// difference S17).
type CrossOrigin struct{ more map[string]string }

// NewCrossOrigin returns the CrossOrigin of an API whose responses have headers of its own.
func NewCrossOrigin(headers ...string) *CrossOrigin {
	exposed := strings.Join(append(headers[:len(headers):len(headers)], "ETag"), ", ")
	return &CrossOrigin{map[string]string{"Access-Control-Expose-Headers": ", " + exposed, "Access-Control-Allow-Headers": ", If-None-Match"}}
}

// AllowMore extends the headers of a response. It adds no headers that the response lacks.
func (c *CrossOrigin) AllowMore(header map[string][]string) {
	for name, more := range c.more {
		if values := header[name]; len(values) == 1 {
			header[name] = []string{values[0] + more}
		}
	}
}
