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

// Response is an answer. A handler returns its status, the JSON of the data, headers
// of its own and links to append; the pipeline finishes it.
type Response struct {
	Status int // 0 is 200
	Body   []byte
	Fields []Header
	// Links become the last member, behind any filtering by _fields.
	Links *php.Array
	// Buffer is the memory of Body, which is recycled once the answer is sent; may be nil.
	Buffer *phpjson.Writer
	Learned

	// NoStore: the answer is for this request alone, and is neither cached nor shared.
	NoStore bool
	// ContentType is that of a body that isn't JSON; what parameters do to JSON, _fields and
	// _envelope for example, isn't done to it. "" is JSON.
	ContentType string
	// Stream, when not nil, writes the body instead of Body, piece by piece, and ends when ctx
	// does. The answer is compressed on its way, but never cached, and has no ETag. An error
	// breaks the connection off, so that no client takes the answer for complete.
	Stream func(ctx context.Context, w Flusher) error
	// Endless, when not nil, is called before the headers of a stream that ends when its client
	// leaves, not because all is sent. It takes the stream's place among those that a server
	// has room for, which leave gives back, or returns the error to answer with instead. Such a
	// stream isn't compressed or held back on its way, and its duration is not recorded as
	// request latency.
	Endless func() (leave func(), err error)

	// The pipeline sets what follows.

	// Header has the headers that depend neither on the client's Origin nor on what it accepts.
	Header http.Header
	// CrossOrigin: the answer has the headers that answer an Origin.
	CrossOrigin bool
	// Anonymous: the request is nobody's.
	Anonymous bool
	// Shared: a successful answer to an anonymous GET, the same for all clients.
	Shared bool
	// HeadOnly: the request asks for headers alone.
	HeadOnly bool
	// Page: the answer is to a request for a page of the site, where a login cookie alone
	// makes it a user's.
	Page bool
	// Cookie is set unless the request has it; nil without one.
	Cookie *Cookie
	// Elsewhere: only WordPress knows the answer.
	Elsewhere bool
	Failure
}

// Failure is why an answer is an error; zero for any other.
type Failure struct {
	// Code is the public code, Cause its internal cause.
	Code  string
	Cause error
	// Panicked: the cause is a panic.
	Panicked bool
}

// Flusher takes the pieces of a streamed body. They are sent when there is enough of them, or
// upon Flush. Each piece has the time of a slow client for itself.
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

// Totals returns the headers of every list.
func Totals(total, pages int64) []Header {
	return []Header{{"X-TEC-Total", total}, {"X-TEC-TotalPages", pages}}
}

// Learned is what rendering found out about an answer.
type Learned struct {
	// Timely: the answer depends on the time and is valid for this second only.
	Timely bool
	// Until is when the answer changes by itself, the zero time if it doesn't.
	Until time.Time
	// CookieMatters: the answer depends on a post's password, and so on the cookie that
	// unlocks posts.
	CookieMatters bool
	// Modified is the latest change of a post in the answer, as stored in UTC; "" where
	// there is none.
	Modified string
	// NotRendered are blocks and shortcodes that the site's own plugins would have
	// rendered otherwise.
	NotRendered []string
	// LeftOut is how many events of a feed were left out because their dates can't be written.
	LeftOut int
}

// JSON returns a finished answer of a value, with no headers but the content type.
func JSON(status int, v php.Value) *Response {
	return &Response{Status: status, Body: phpjson.Append(nil, v), Header: http.Header{"Content-Type": {"application/json; charset=UTF-8"}}}
}

// Write writes status and body, without the body if head is set, and returns the bytes
// of the body that were sent.
func Write(w http.ResponseWriter, status int, body []byte, head bool) int {
	if head || status == http.StatusNotModified {
		w.WriteHeader(status)
		return 0
	}
	w.Header()["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	n, _ := w.Write(body) // the only error is that the client is gone
	return n
}
