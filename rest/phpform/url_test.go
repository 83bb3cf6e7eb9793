package phpform

import (
	"strings"
	"testing"

	"calbridge/wpstore/php"
)

func TestAddQueryArg(t *testing.T) {
	const base = "https://example.org/wp-json/x/"
	tests := []struct {
		name, url string
		args      []Arg
		want      string
	}{
		{"nothing", base, nil, base},
		{"raw values", base, []Arg{{"page", int64(1)}, {"start_date", "2026-11-21 00:00:00"}}, base + "?page=1&start_date=2026-11-21 00:00:00"},
		{"the present is encoded, the new is not", base + "?a=x y:z&b=%C3%A9", []Arg{{"c", "8,9"}}, base + "?a=x+y%3Az&b=%C3%A9&c=8,9"},
		{"in place", base + "?a=1&b=2", []Arg{{"a", "3"}}, base + "?a=3&b=2"},
		{"false removes", base + "?a=1&b=2", []Arg{{"a", false}, {"c", false}}, base + "?b=2"},
		{"null is left out", base + "?a=1&b=2", []Arg{{"a", nil}, {"c", nil}}, base + "?b=2"},
		{"true is 1", base, []Arg{{"a", true}}, base + "?a=1"},
		{"empty value", base, []Arg{{"a", ""}, {"b", "1"}, {"c", ""}}, base + "?a&b=1&c"},
		{"empty value already there", base + "?a=&b", []Arg{{"c", "1"}}, base + "?a&b&c=1"},
		{"value that ends in an equals sign", base, []Arg{{"a", "x="}, {"b", "y=="}}, base + "?a=x&b=y="},
		{"value that begins with an ampersand", base, []Arg{{"a", "&b;"}, {"c", "1"}}, base + "?a&b;&c=1"},
		{"that once more", base + "?a&b;&c=1", []Arg{{"d", "2"}}, base + "?a&b;&c=1&d=2"},
		{"list", base, []Arg{{"a", php.List("x", "y z")}}, base + "?a%5B0%5D=x&a%5B1%5D=y z"},
		{"list already there", base + "?a[]=x&a[k]=y z", nil, base + "?a%5B0%5D=x&a%5Bk%5D=y+z"},
		{"empty list leaves a gap", base, []Arg{{"a", "1"}, {"b", php.List()}}, base + "?a=1&"},
		{"which is gone the next time", base + "?a=1&", []Arg{{"page", int64(2)}}, base + "?a=1&page=2"},
		{"only an empty list", base, []Arg{{"b", php.List()}}, base},
		{"plain permalinks", "https://example.org/index.php?rest_route=/x/v1/events/", []Arg{{"page", int64(1)}}, "https://example.org/index.php?rest_route=%2Fx%2Fv1%2Fevents%2F&page=1"},
		{"fragment stays last", base + "?a=1#top?x", []Arg{{"b", "2"}}, base + "?a=1&b=2#top?x"},
		{"value with a fragment sign", base + "?search=#x&status=publish", []Arg{{"page", int64(2)}}, base + "?search&page=2#x&status=publish"},
		{"second question mark is data", base + "?a=what?", []Arg{{"b", "?"}}, base + "?a=what%3F&b=?"},
		{"names are not encoded", base + "?a%26b=1", []Arg{{"c d", "2"}}, base + "?a&b=1&c d=2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := AddQueryArg(test.url, test.args...); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestRemoveQueryArg(t *testing.T) {
	tests := []struct{ url, name, want string }{
		{"/x?page=1&a=b c", "page", "/x?a=b+c"},
		{"/x?page=1", "page", "/x"},
		{"/x", "page", "/x"},
		{"/x?page[]=1&b=2#f", "page", "/x?b=2#f"},
	}
	for _, test := range tests {
		if got := RemoveQueryArg(test.url, test.name); got != test.want {
			t.Errorf("%s: got %s, want %s", test.url, got, test.want)
		}
	}
}

func FuzzAddQueryArg(f *testing.F) {
	f.Add("https://example.org/x/?a=1&b[]=2#f", "page", "2")
	f.Add("?=&&a=", "a", "x=&")
	f.Add("x?a[[b]=1&a%5B=#", "", "")
	f.Fuzz(func(t *testing.T, url, name, value string) {
		before, _, _ := strings.Cut(url, "#")
		before, _, _ = strings.Cut(before, "?")
		for _, got := range []string{
			AddQueryArg(url, Arg{name, value}),
			AddQueryArg(url, Arg{name, nil}, Arg{"list", php.List(value, true, nil)}),
			RemoveQueryArg(url, name),
		} {
			if !strings.HasPrefix(got, before) {
				t.Fatalf("%q became %q", url, got)
			}
			if _, fragment, ok := strings.Cut(url, "#"); ok && !strings.HasSuffix(got, "#"+fragment) {
				t.Fatalf("%q became %q", url, got)
			}
		}
	})
}
