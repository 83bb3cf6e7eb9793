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
	// Origin is the scheme and host of the request ("https://town.example"), where the
	// recording has them for every exchange, as HAR does.
	Origin string `json:"origin,omitempty"`
	// TookMS is how long the recorded side took, in milliseconds; 0 if not measured.
	TookMS float64 `json:"took_ms,omitempty"`

	// Where the exchange came from, for messages.
	File string `json:"-"`
	Line int    `json:"-"`

	// home is the home URL in the header of the recording, with the scheme of the
	// requests. scheme is the scheme of the requests if it differs from the site's. Both
	// may be "".
	home, scheme string
	// Browsed exchanges come from a HAR file, which may hold anything that a browser
	// loaded, not only requests to the API.
	Browsed bool `json:"-"`
}

// Anonymous stands for requests without a login.
const Anonymous = "anonymous"

// Homes returns the possible home URLs of the site, the most reliable first: from the
// exchange itself, the recording's header and the recorded Link header. Missing ones are
// "".
func (x *Exchange) Homes() []string {
	return []string{x.Origin, x.home, HomeOfLink(x.Response.Header("link"))}
}

// Scheme returns the scheme that the request was sent with, if the recording has one
// that differs from the scheme of the site's home. Otherwise it returns "".
func (x *Exchange) Scheme() string { return x.scheme }

// Request is a request as it was sent. Path holds path and query exactly as they
// stood in the request line, percent-encoding untouched.
type Request struct {
	Method string `json:"method"`
	// Host is the host that the request was sent to, where a recording has several; "" is that of the
	// site's home.
	Host    string            `json:"host,omitempty"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	// Body is nil when none was sent. A GET may have one.
	Body *string `json:"body"`
}

// Header looks up a request header, ignoring the case of its name. To WordPress, an empty
// header and a missing one are different.
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

// Map returns a copy with change applied to each header value and to the body.
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

// HeadersOf converts a server's headers to the form that recordings use.
func HeadersOf(header http.Header) map[string]HeaderValues {
	out := make(map[string]HeaderValues, len(header))
	for name, values := range header {
		out[strings.ToLower(name)] = slices.Clone(values)
	}
	return out
}

// Milliseconds returns a duration in milliseconds, to the microsecond, as in recordings
// and reports.
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
