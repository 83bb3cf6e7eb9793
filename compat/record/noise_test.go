package record

import (
	"slices"
	"testing"

	"calbridge/compat/compattest"
	"calbridge/compat/recording"
)

// TestNoiseBetween checks that differences between two answers become rules, except those
// of the connection. A body that becomes another kind of text is noise as a whole.
func TestNoiseBetween(t *testing.T) {
	for _, c := range []struct {
		first, second string
		header        string // of the second answer, with another value
		want          []string
	}{
		{`{"a":1,"b":[1,2]}`, `{"a":1,"b":[1,2]}`, "", nil},
		{`{"a":1,"b":[1,2]}`, `{"a":2,"b":[1,3]}`, "", []string{"$.a", "$.b[1]"}},
		{`{"a":{"x":1}}`, `{"a":{"y":1}}`, "", []string{"$.a"}}, // members that come and go: all of the object
		{`{"a":1}`, `{"a":1}`, "etag", []string{"headers.etag"}},
		{`{"a":1}`, `{"a":1}`, "date", nil},
		{`{"a":1}`, `{"a":2}`, "x-cache", []string{"headers.x-cache", "$.a"}},
		{`{"a":1}`, `busy`, "", []string{"body"}},
		{`/**/f({"a":1})`, `/**/f({"a":2})`, "", []string{"$.a"}},
		{`{"a":1}`, `{"b":1}`, "", []string{"body"}},
		{`{"a":1}`, `{"a": 1}`, "", []string{"body"}},
	} {
		x, second := compattest.Exchange("a", "GET", "/", c.first), compattest.Exchange("a", "GET", "/", c.second).Response
		if c.header != "" {
			x.Response.Headers[c.header], second.Headers[c.header] = recording.HeaderValues{"1"}, recording.HeaderValues{"2"}
		}
		if got := noiseBetween(x, second); !slices.Equal(got, c.want) {
			t.Errorf("%s, then %s: %q, want %q", c.first, c.second, got, c.want)
		}
	}
}
