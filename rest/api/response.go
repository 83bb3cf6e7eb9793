package api

import (
	"net/http"
	"strconv"

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
	// Code is the public code of an error, Cause its internal cause.
	Code     string
	Cause    error
	Panicked bool
}

// Header is one header that an endpoint sets. Integers stay integers in an
// envelope.
type Header struct {
	Name  string
	Value php.Value
}

// Totals are the headers of every list.
func Totals(total, pages int64) []Header {
	return []Header{{"X-TEC-Total", total}, {"X-TEC-TotalPages", pages}}
}

// Learned is what rendering found out about an answer.
type Learned struct {
	// Timely: the answer depends on the time and is valid for this second only.
	Timely bool
	// CookieMatters: the answer depends on a post's password, and so on the cookie that
	// unlocks posts.
	CookieMatters bool
	// Modified is the latest change of a post in the answer, as stored in UTC; "" where
	// there is none.
	Modified string
	// NotRendered are blocks and shortcodes that the site's own plugins would have
	// rendered otherwise.
	NotRendered []string
}

// JSON is a finished answer of a value, with no headers but the content type.
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
