package api

import (
	"calbridge/rest/phpjson"
	"calbridge/wpstore/php"
)

// Response is what a handler returns: the JSON of the data, headers of its own,
// and links to append.
type Response struct {
	Status int // 0 is 200
	Body   []byte
	Fields []Header
	// Links become the last member, behind any filtering by _fields.
	Links *php.Array
	// Buffer is the memory of Body, to be used again once the answer is sent; nil for none.
	Buffer *phpjson.Writer
	Learned
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
