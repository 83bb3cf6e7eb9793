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
	// Buffer is the memory of Body, to be used again once the answer is sent; nil for none.
	Buffer *phpjson.Writer
	Learned

	// What follows is set by the pipeline.

	// Header holds what does not depend on the client's Origin or on what it accepts.
	Header http.Header
	// CrossOrigin: the headers that answer an Origin belong to the answer.
	CrossOrigin bool
	// Anonymous: no user asks.
	Anonymous bool
	// Shared: the answer is one to an anonymous GET that went well, the same for all.
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

// Learned is what making an answer found out about it.
type Learned struct {
	// Timely: the answer depends on the time, and holds for this second only.
	Timely bool
	// CookieMatters: a post's password decided about the answer, so that the cookie
	// which opens posts could have.
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
	n, _ := w.Write(body) // the client is gone; nobody is left to tell
	return n
}
