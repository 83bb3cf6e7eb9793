package recording

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Exchange is one recorded request with its answer: a line of a reads file.
type Exchange struct {
	ID string `json:"id"`
	// As is "anonymous" or a login of the site file, whose application password
	// is then sent as HTTP Basic.
	As       string   `json:"as"`
	Request  Request  `json:"request"`
	Response Response `json:"response"`
	// Noise lists what differed between two recordings of the same request and
	// must not be compared: "$.path" in the JSON body, "body", "headers.name".
	Noise []string `json:"noise,omitempty"`
	// Origin is scheme and host that were asked ("https://town.example"), where
	// the recording says so for every exchange, as HAR does.
	Origin string `json:"origin,omitempty"`
	// TookMS is how long the recorded side took, in milliseconds; 0 when it was
	// not measured.
	TookMS float64 `json:"took_ms,omitempty"`

	// Where the exchange came from, for messages.
	File string `json:"-"`
	Line int    `json:"-"`

	// home is the home URL in the header of the recording, with the scheme that the
	// requests were sent with; scheme is that, if it is not the site's. Both may be "".
	home, scheme string
	// Browsed exchanges come from a HAR file, which may hold anything that a browser
	// loaded, not only requests to the API.
	Browsed bool `json:"-"`
}

// Anonymous stands for requests without a login.
const Anonymous = "anonymous"

// Homes returns the URLs under which the site may have been asked, the best first: that of
// the exchange itself, of the recording's header, of the recorded Link header. Missing
// ones are "".
func (x *Exchange) Homes() []string {
	return []string{x.Origin, x.home, HomeOfLink(x.Response.Header("link"))}
}

// Scheme returns what the request was sent with, where the recording says that it was not the
// scheme of the site's home, else "".
func (x *Exchange) Scheme() string { return x.scheme }

// Request is a request as it was sent. Path holds path and query exactly as they
// stood in the request line, percent-encoding untouched.
type Request struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	// Body is nil when none was sent. A GET may have one.
	Body *string `json:"body"`
}

// Header looks a request header up, whatever the case of its name. An empty header and
// none are not the same to WordPress.
func (r *Request) Header(name string) (value string, sent bool) {
	for key, value := range r.Headers {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return "", false
}

// Response is a recorded answer. Header names are lower case.
type Response struct {
	Status  int                     `json:"status"`
	Headers map[string]HeaderValues `json:"headers"`
	Body    string                  `json:"body"`
}

// Header returns a response header, several values joined with ", ". The name is
// given in lower case.
func (r *Response) Header(name string) string {
	return strings.Join(r.Headers[name], ", ")
}

// Map gives a copy with each header value and the body as change makes them.
func (r Response) Map(change func(string) string) Response {
	out := Response{Status: r.Status, Headers: make(map[string]HeaderValues, len(r.Headers)), Body: change(r.Body)}
	for name, values := range r.Headers {
		list := make(HeaderValues, len(values))
		for i, value := range values {
			list[i] = change(value)
		}
		out.Headers[name] = list
	}
	return out
}

// HeadersOf gives a server's headers the shape that recordings have.
func HeadersOf(header http.Header) map[string]HeaderValues {
	out := make(map[string]HeaderValues, len(header))
	for name, values := range header {
		out[strings.ToLower(name)] = slices.Clone(values)
	}
	return out
}

// Milliseconds returns a duration as recordings and reports have it, to the microsecond.
func Milliseconds(d time.Duration) float64 {
	return float64(d.Round(time.Microsecond)) / float64(time.Millisecond)
}

// RequestID returns a short hash of a request, the same in every run.
func RequestID(as string, r Request) string {
	data, _ := json.Marshal([]any{as, r.Method, r.Path, r.Headers, r.BodyText()})
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:5])
}

// BodyText returns the body, "" when there is none.
func (r *Request) BodyText() string {
	if r.Body == nil {
		return ""
	}
	return *r.Body
}

// ConnectionHeader reports whether a header, named in lower case, belongs to the
// connection or the web server, not to the API.
func ConnectionHeader(name string) bool { return connectionHeaders[name] }

var connectionHeaders = map[string]bool{
	"date": true, "server": true, "connection": true, "transfer-encoding": true,
	"content-length": true, "content-encoding": true, "keep-alive": true,
}
