package phpform

import (
	"strings"

	"calbridge/wpstore/php"
)

// scalar writes a value as query strings do; unlike elsewhere false is 0.
func scalar(v php.Value) string {
	if v == false {
		return "0"
	}
	return php.ToString(v)
}

// Arg is a change to a URL's query. A nil Value leaves the argument out, and so does
// false; a string goes in as it is, without encoding.
type Arg struct {
	Name  string
	Value php.Value
}

// AddQueryArg changes arguments of an absolute URL's query as WordPress's add_query_arg does.
// Existing arguments keep their places, and their values (not their names) are encoded again; new
// ones follow, raw. An empty array leaves an empty piece between ampersands. An equals sign before
// an ampersand or at the end is dropped, whether the value is empty or merely ends like that.
func AddQueryArg(url string, args ...Arg) string {
	url, fragment, hasFragment := strings.Cut(url, "#")
	base, raw, _ := strings.Cut(url, "?")
	query := Parse(raw, Limits{})
	encodeValues(query)
	for _, arg := range args {
		if arg.Value == false {
			query.Delete(php.KeyOf(arg.Name))
			continue
		}
		query.SetString(arg.Name, arg.Value)
	}
	text := string(appendRaw(make([]byte, 0, len(raw)+64), "", query))
	text = strings.TrimSuffix(strings.ReplaceAll(text, "=&", "&"), "=")
	if text != "" {
		base += "?" + text
	}
	if hasFragment {
		base += "#" + fragment
	}
	return base
}

// RemoveQueryArg removes the argument name from a URL's query; the others are encoded again as by
// AddQueryArg.
func RemoveQueryArg(url, name string) string {
	return AddQueryArg(url, Arg{Name: name, Value: false})
}

func encodeValues(a *php.Array) {
	for k, v := range a.All() {
		switch v := v.(type) {
		case string:
			a.Set(k, URLEncode(v))
		case *php.Array:
			encodeValues(v)
		}
	}
}

// appendRaw writes names and values as they are; only the brackets are encoded.
func appendRaw(out []byte, prefix string, a *php.Array) []byte {
	first := true
	for k, v := range a.All() {
		switch v.(type) {
		case nil, *php.Object:
			continue
		}
		if !first {
			out = append(out, '&')
		}
		first = false
		name := k.String()
		if prefix != "" {
			name = prefix + "%5B" + name + "%5D"
		}
		if inner, ok := v.(*php.Array); ok {
			out = appendRaw(out, name, inner)
		} else {
			out = append(append(append(out, name...), '='), scalar(v)...)
		}
	}
	return out
}
