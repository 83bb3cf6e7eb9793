package api

import (
	"context"
	"io"
	"net/http"
	"strconv"
	"time"

	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// Result is what a handler returns, of which the pipeline makes the response.
type Result struct {
	Status int // 0 is 200
	Body   []byte
	Fields []Header
	// Links become the last member, after any filtering by _fields.
	Links *php.Array
	// Buffer is the memory of Body, which is recycled once the response is sent; may be nil.
	Buffer    *phpjson.Writer
	Rendering Rendering

	// NoStore reports that the result is for this request only, and is neither cached nor shared.
	NoStore bool
	// ContentType is the type of a body that isn't JSON. Parameters such as _fields and _envelope,
	// which change JSON, then have no effect. "" means JSON.
	ContentType string
	// Stream, if not nil, writes the body piece by piece in place of Body, and ends when ctx does. It
	// may add to Rendering. The response is compressed on the way, but never cached, and has no ETag.
	// An error closes the connection, so that no client takes the response for complete.
	Stream func(ctx context.Context, w Flusher) error
	// Endless, if not nil, is called before the headers of a stream that ends when its client
	// leaves, not when all data is sent. It reserves one of the server's places for streams, which
	// leave releases, or returns the error to send instead. Such a stream isn't compressed or held
	// back on the way, and its duration is not recorded as request latency.
	Endless func() (leave func(), err error)
}

// Response is a complete response, before it is sent. It doesn't change.
type Response struct {
	Status int
	// Header has the headers that depend neither on the client's Origin nor on the encodings it
	// accepts.
	Header http.Header
	Body   []byte
	// Buffer, Stream and Endless are those of the [Result].
	Buffer  *phpjson.Writer
	Stream  func(ctx context.Context, w Flusher) error
	Endless func() (leave func(), err error)
	// Rendering is what was known when the response was made. Streamed is what is known once its
	// stream has ended; nil without a stream.
	Rendering
	Streamed *Rendering

	// CrossOrigin is nil if the response lacks the headers that answer an Origin.
	CrossOrigin *CrossOrigin
	// Anonymous reports that no user was authenticated, not even by cookie.
	Anonymous bool
	// Shared reports a successful response to an anonymous GET that is the same for all clients.
	Shared bool
	// Repeats reports that the response to an anonymous request depends on nothing but its URL, the
	// rows and the time: it is Shared, or a refusal of a kind that the same request gets again.
	Repeats bool
	// HeadOnly reports that the client wants only the headers.
	HeadOnly bool
	// Page reports that the request is for a page of the site, where a login cookie alone
	// authenticates a user.
	Page bool
	// Cookie is set unless the request has it; nil means no cookie.
	Cookie *Cookie
	// Elsewhere reports that only WordPress can answer.
	Elsewhere bool
	Failure
}

// Failure describes why a response is an error; it is zero for any other response.
type Failure struct {
	// Code is the public code, Cause its internal cause.
	Code  string
	Cause error
	// Panicked reports that the cause is a panic.
	Panicked bool
}

// Flusher receives the pieces of a streamed body. They are sent when enough of them have collected,
// or upon Flush. The time limit for slow clients applies to each piece separately.
type Flusher interface {
	io.Writer
	Flush() error
}

// Header is one header that an endpoint sets. Integers stay integers in an
// envelope.
type Header struct {
	Name  string
	Value php.Value
}

// Rendering is what rendering found out about a response.
type Rendering struct {
	// Timely reports that the response depends on the time and is valid for this second only.
	Timely bool
	// Until is when the response changes by itself. The zero time means never.
	Until time.Time
	// Objects is the same for the objects in the response alone, without what surrounds them.
	Objects Validity
	// CookieMatters reports that the response depends on a post's password, and so on the cookie
	// that unlocks posts.
	CookieMatters bool
	// Modified is the latest change of a post in the response, as stored in UTC; "" if there is
	// none.
	Modified string
	// NotRendered are blocks and shortcodes that the site's own plugins would have
	// rendered otherwise.
	NotRendered []string
	// LeftOut is the number of events left out of a feed because their dates can't be written.
	LeftOut int
}

// Validity limits how long a part of a response is valid.
type Validity struct {
	// Timely reports that it depends on the time and is valid for this second only.
	Timely bool
	// Until is the time at which it changes without a change of rows. The zero time means never.
	Until time.Time
}

// JSON returns a result with a value.
func JSON(status int, v php.Value) *Result {
	return &Result{Status: status, Body: phpjson.Append(nil, v)}
}

// Write writes status and body, without the body if head is set, and returns the number of body
// bytes sent.
func Write(w http.ResponseWriter, status int, body []byte, head bool) int {
	if head || status == http.StatusNotModified {
		w.WriteHeader(status)
		return 0
	}
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	n, _ := w.Write(body) // fails only if the client is gone
	return n
}
